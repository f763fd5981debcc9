/**
 * Missing and redundant flushes and fences (SEMANTICS, section 1).
 *
 * <p>Rules. A store whose bytes are dirty when a run has ended by itself lacks a flush; one whose
 * bytes are pending lacks a fence. Bytes of exempt stores, bytes that an allocation handed out and
 * nobody wrote, freed bytes, and words that are locks lack nothing. A flush is needless if no byte
 * of its lines was dirty, nor pending for other threads only; an sfence or a library's drain, if
 * nothing was pending for the thread. Operations inside libraries are not judged.
 *
 * <p>A needless operation is reported if every execution of it with the same four callers was
 * needless.
 *
 * <p>Limits: what a library persists in a way that the trace does not show looks missing.
 */
package dev.perdure.detect.flush;
