/**
 * PM-aware lockset analysis (HawkSet, sections 3.1 and 3.2, algorithm 1).
 *
 * <p>Rules. The effective lockset of a store is what its thread holds exclusively when the window
 * ends and has held since the store, told by the logical clock that every acquisition moves on. It
 * is empty when another thread ends the window, by persisting or by overwriting, and when nobody
 * does. A load and a window of another thread race, possibly, if thread create and join order
 * neither the window's end before the load nor the load before the store, and the effective lockset
 * and the lockset of the load (shared or exclusive) have no lock in common.
 *
 * <p>When a pair is judged. The effective lockset is known when the window ends; then it is
 * compared with the loads on record, and every later load is compared with the window. Of the
 * records that share thread, site and lockset the latest decides: its epoch is the last to become
 * ordered. So every pair of sites is found that the quadratic algorithm finds.
 *
 * <p>Locks that are recognised in atomics are known to be locks only at the end of the trace. Pairs
 * that nothing else protects are kept aside until then.
 *
 * <p>Limits: a site that touches one word under more than eight disjoint locksets is remembered by
 * the locks these have in common (see {@code LocksetFamily}). In a run that was killed, windows
 * that are still open say nothing.
 */
package dev.perdure.detect.lockset;
