/**
 * Persistency-induced races by happens-before (Vardalith, definition 1; SEMANTICS, section 3),
 * exactly on the recorded execution.
 *
 * <p>Rules. A load and the window of a store by another thread, with a byte in common, race
 *
 * <ul>
 *   <li>while the window is open: nothing that ends it can happen before the load;
 *   <li>after it was ended, unless the thread of the load knows the epoch of the end;
 *   <li>before it was opened, unless the thread of the store knows the epoch of the load.
 * </ul>
 *
 * <p>Why it is enough to keep the latest record of a kind. All records of one word that share the
 * store's thread and site and the ending thread are ended at rising epochs of that thread. If the
 * last one's end happens before a load, so do the ends of those before it; if it does not, the pair
 * of sites is a race already. The same holds for loads of one thread and site against later stores.
 * So the set of (store site, load site) is exact, though the occurrences are not all counted.
 *
 * <p>Invariant: an epoch is compared only with what a thread knows at the very event, so no clock
 * needs to be kept for either side of a pair.
 *
 * <p>Where no clock is asked. What was done under the very lockset that a thread holds now happens
 * before what the thread does, if a lock in it is held exclusively and was never taken or released
 * out of turn ({@code HeldLocks}); and that lock protects the pair. So an access to data that a
 * lock guards compares one number with each record.
 *
 * <p>Limits: see {@code dev.perdure.detect.sync} for what orders events and what does not.
 */
package dev.perdure.detect.hb;
