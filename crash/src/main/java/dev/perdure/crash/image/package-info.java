/**
 * Possible contents of persistent memory after a failure (SEMANTICS, section 4), and which bytes of
 * them recovery has no business reading.
 */
package dev.perdure.crash.image;
