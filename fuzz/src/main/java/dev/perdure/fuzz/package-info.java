/**
 * Fuzzing: PMRace's search for inputs and interleavings under which unpersisted data is read and
 * acted upon.
 *
 * <p>A campaign is one run of the target with an input and a schedule. Inputs come from seeds and
 * mutation, schedules from what earlier campaigns of the input accessed. Coverage of branches and
 * of PM alias pairs says whether a campaign brought anything new (PMRace, section 4.2).
 */
package dev.perdure.fuzz;
