/**
 * Synchronisation: threads and their clocks, locks and locksets, atomics, and the recognition of
 * locks that are built from atomics (SEMANTICS, section 2).
 *
 * <p>Happens-before is kept in vector clocks with the publication trick: a release hands out the
 * thread's own array, which the thread copies before it changes it, and an acquire that already
 * knows the releaser's epoch knows all that came with it. So a release costs no copy, and an
 * acquire costs one comparison unless there is something to learn. The invariant behind it: every
 * publication has an epoch of its own, because the clock moves on after each.
 *
 * <p>Thread create and join make a second, smaller order of their own, which HawkSet calls
 * inter-thread happens-before. It uses the same epochs.
 *
 * <p>Limits: plain and volatile accesses order nothing, except the release of a word that is
 * recognised as a lock. A load that finds none of the last four writes of its location by value
 * orders nothing. Order that came through a word before it was refuted as a lock stays.
 */
package dev.perdure.detect.sync;
