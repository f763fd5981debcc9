/**
 * Which pointers may point into persistent memory (PMRobust, section III-C): a demand-driven alias
 * analysis by CFL-reachability, with fields told apart by the types that the compiler notes on
 * loads and stores. All objects of one type are treated alike.
 *
 * <p>Every pointer that is loaded through a persistent one counts as persistent itself: the object
 * may be older than this run, so that no store of this program put it there. Ordinary memory whose
 * address is kept in persistent memory is therefore flushed as well, which costs time and nothing
 * else.
 *
 * <p>Null and small numbers are no values that two pointers could have in common. Of an address and
 * a number that are added, the address says which object it is; the number counts only if it leads
 * to persistent memory itself, as the distance from a copy to the original does.
 *
 * <p>The precise search has a limit of steps; beyond it, classes by unification answer, which are
 * coarser and cost no more than the program is long.
 *
 * <p>Limits: addresses that static initialisers put into global variables are no flow; calls
 * through pointers reach every function whose address is taken and whose type is the same.
 */
package dev.perdure.robust.pm;
