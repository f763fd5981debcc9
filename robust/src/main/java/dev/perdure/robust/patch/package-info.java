/**
 * Repairs as patches of the source text, for a person to review and apply. Plain text work on the
 * lines that the insertions name; the header {@code perdure_flush.h} has what the patches call.
 */
package dev.perdure.robust.patch;
