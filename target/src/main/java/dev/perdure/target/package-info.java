/**
 * Running a target with the runtime inside: where its recording lives, how it is started, watched
 * and ended, and what its files say of its sites.
 */
package dev.perdure.target;
