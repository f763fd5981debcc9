/**
 * Collects what the detectors see and turns it into findings.
 *
 * <p>While the trace runs, races are merged by pair of site numbers, with evidence by address; at
 * the end, words that turned out to be locks drop out, and what shares its source lines becomes one
 * finding.
 *
 * <p>Limits: a pair remembers at most four examples and four stacks a side. A pair that was seen on
 * more than a thousand words that were no locks then counts, whatever becomes of them.
 */
package dev.perdure.detect.finding;
