/**
 * Campaigns in which the program itself failed. A crash is told by its signal and by the calls in
 * which it came; a hang, by the store that left the word which threads wait for as it is: mostly
 * the one that took a lock.
 */
package dev.perdure.fuzz.failure;
