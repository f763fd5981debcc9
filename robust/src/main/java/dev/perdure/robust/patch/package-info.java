/**
 * Repairs as patches of the source text, for a person to review and apply. Work on the text of the
 * lines that the insertions name; the header {@code perdure_flush.h} has what the patches call.
 */
package dev.perdure.robust.patch;
