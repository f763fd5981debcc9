/**
 * Where failures are injected: before each ordering point of the trace that has work before it, and
 * where the program or the user asks for more (SEMANTICS, section 4; XFDetector, section 4.2).
 * Points that leave the same persistent contents and the same open windows are one.
 */
package dev.perdure.crash.point;
