/**
 * Persistency-induced races by overlapping regions (Vardalith; SEMANTICS, section 3).
 *
 * <p>Rules. The region of an access starts after the last acquire of its thread before it. The
 * region of a load ends before the next release of its thread. That of a store ends before the
 * first release that follows the end of its window, by the thread that ended the window: mostly the
 * one that stored, else the one that persisted for it. Two regions on a common byte, of a store and
 * of a load by different threads, that were open at the same time are a race.
 *
 * <p>The trace tells at an access when its thread last acquired, so the region of an access is
 * known as soon as it is made, in its full length. Each thread keeps which epochs of the others
 * were over when it last acquired: regions of epochs that were not, overlap those of what it does
 * now. A static start, which a detector inside the target needs because it cannot look back, would
 * only shorten the region: it lies behind the last acquire and before the access (theorem 5).
 *
 * <p>For comparison, regions can start where the program announces them, as Vardalith's own do:
 * then {@link dev.perdure.detect.regions.OpenRegions} tells when the region of an access started,
 * and what ended before does not overlap it.
 *
 * <p>Why a pair that overlaps is never ordered (theorem 3). If the end of the window happens before
 * the load, there is a release after the end and, later in the trace, an acquire before the load;
 * so the region of the store ended before that of the load started. If the load happens before the
 * store, the same holds with the parts exchanged. Acquires that teach a thread nothing new order
 * nothing, and do not count.
 *
 * <p>Why it is enough to keep the latest record of a kind. Of two windows of one kind, the one that
 * was ended later has the later end of its region; both regions have started. So whatever overlaps
 * the earlier one overlaps the later one, too. The same holds for loads.
 */
package dev.perdure.detect.regions;
