/**
 * A module's code: which ranges are functions, what their instructions are, where jumps may land,
 * and which registers and flags are live. What is not understood is left out, never guessed.
 */
package dev.perdure.binary.flow;
