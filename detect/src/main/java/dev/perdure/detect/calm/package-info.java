/**
 * Lines that need no checking. A <em>visit</em> is what a thread does to one line between two of
 * its synchronisations: plain loads and stores, flushes and fences, under one lockset that orders
 * it ({@link dev.perdure.detect.sync.HeldLocks#ordering}), at the end of which all that it stored
 * is persistent. A line is <em>calm</em> as long as it has seen nothing but visits under one and
 * the same lockset, each of which was over before the next began.
 *
 * <p>No rule of any detector can find anything on a calm line. A window is ended by the thread that
 * opened it, under the locks that it was opened under, so its effective lockset has the lock that
 * orders, and every load on the line holds that lock: the pair is protected. Visits under a lock
 * that is taken in turn happen one after the other, so that every window's end happens before the
 * next visit's loads, and every load before the next visit's stores; and nobody else looks while a
 * window is open. Whether a flush or fence was needed depends on the visit alone.
 *
 * <p>So nothing is asked while a visit lasts: its steps lead along a path in a tree, and when it is
 * over, one cell of the line is brought up to date. When something else happens to the line (an
 * access under other locks or none, an atomic one, one by another thread in the middle of a visit,
 * a store that is still not persistent at the release), the line gets the words that it would have
 * if everything had been recorded there, and the visits under way are carried out on them; from
 * then on it is checked like any other.
 *
 * <p>Invariant: a line is either known by words or calm, never both; a calm line has at most one
 * visitor, whose visit is not yet in its cells; and a thread's locks and epoch do not change during
 * its visits.
 *
 * <p>Limits: of visits of several stores, the windows have the times of the whole visit. Lines that
 * were visited in more than 30 ways get words. What was initialised without a lock becomes calm if
 * nothing is left of that but who has touched which bytes. Under {@code taint}, and with announced
 * region starts, each access counts for itself and no line is calm.
 */
package dev.perdure.detect.calm;
