/**
 * Inputs of campaigns: sequences of operations by a grammar, which a file describes or the seeds
 * suggest, and their mutation (PMRace, section 4.5); bytes where there is neither.
 */
package dev.perdure.fuzz.input;
