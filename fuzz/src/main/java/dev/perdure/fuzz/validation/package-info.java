/**
 * Post-failure validation (PMRace, section 4.4): recovery runs on the persisted image of the moment
 * of an effect plus the effect's bytes. The effect is recovered if recovery overwrites all of them.
 */
package dev.perdure.fuzz.validation;
