/**
 * Strategies that choose how the threads of a campaign interleave, one file each: PMRace's sync
 * points (section 4.2.2), random delays (its baseline), random priorities (probabilistic
 * concurrency testing).
 */
package dev.perdure.fuzz.interleaving;
