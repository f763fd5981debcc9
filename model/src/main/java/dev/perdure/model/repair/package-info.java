/** What repairs change in a program. */
package dev.perdure.model.repair;
