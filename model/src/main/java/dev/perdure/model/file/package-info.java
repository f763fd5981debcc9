/** What every part says about files that people name. */
package dev.perdure.model.file;
