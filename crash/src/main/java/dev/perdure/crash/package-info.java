/**
 * Failure injection and post-failure checking (XFDetector, ASPLOS 2020; SEMANTICS, section 4). The
 * program runs once and is recorded; failure points are found in its trace, possible contents of
 * persistent memory are built for each, and a recovery command runs on every one of them, recorded
 * itself, so that its reads can be held against what the failure left.
 */
package dev.perdure.crash;
