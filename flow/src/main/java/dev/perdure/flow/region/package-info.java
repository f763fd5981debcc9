/**
 * Where the region of an access may start: algorithm 1 of Vardalith, over an abstract graph that
 * each front end provides.
 *
 * <p>Rules. A place is a start of an access if, on every path from it,
 *
 * <ul>
 *   <li>the access is reached (the block of the access post-dominates that of the start);
 *   <li>no acquire lies before the access is first reached;
 *   <li>one expression, evaluated at the start, gives the address that the access then has.
 * </ul>
 *
 * <p>The search goes backwards from the access. Where it comes to the beginning of a block, it goes
 * on into the ends of all blocks that lead there, or of none: paths that meet behind a place that
 * is no start meet at the start. Blocks that the access dominates come after it and are left out.
 *
 * <p>Invariant: the search enters a block only at places that fulfil all three rules, so it
 * suffices to look at one instruction at a time (Vardalith, theorem 6).
 *
 * <p>Limits: one function at a time; loops that have an end are taken to come to it.
 */
package dev.perdure.flow.region;
