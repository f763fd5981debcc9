/**
 * What campaigns have covered: branches, and PM alias pairs (PMRace, section 4.2.1): two accesses
 * of a word one right after the other, by different threads, each with its site, its thread and
 * whether the word was persisted.
 */
package dev.perdure.fuzz.coverage;
