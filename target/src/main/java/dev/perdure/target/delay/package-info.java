/**
 * Active delay injection (Vardalith, section 5.2). A thread that comes to a release sleeps for a
 * while, so that its regions stay open and those of others can overlap them. A place where sleeping
 * brought nothing to light becomes less likely to be slept at.
 *
 * <p>Rules. A place of release starts with a probability of one, when it is first seen. After each
 * sleep there, the probability falls by a constant unless a region of the thread that slept has
 * overlapped one of another meanwhile: known races count as well, or places where races are would
 * soon not be slept at any more. At most half of the living threads sleep at a time. The runtime
 * draws the chances, each thread from a seed of its own.
 *
 * <p>Limits: the first release at a place is over before the place is known; at most 384 places.
 */
package dev.perdure.target.delay;
