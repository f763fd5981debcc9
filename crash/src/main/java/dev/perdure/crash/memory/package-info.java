/**
 * Persistent memory as a trace leaves it, byte by byte: what was stored last and by whom, what is
 * persistent, and which stores of a line are still on their way (SEMANTICS, section 1).
 *
 * <p>Addresses are those of {@link dev.perdure.crash.memory.PoolAddress}: a pool and an offset, the
 * same before and after a failure. Memory is kept in pages that a snapshot shares with what comes
 * after it: a page is copied when it is next written, so that a snapshot costs what has changed
 * since the last.
 *
 * <p>The detectors' shadow keeps windows for races between threads and forgets values that are
 * persistent; crash images need the values, their order within a line, and old versions of both.
 * That is why the table of section 1 is applied here a second time, in one class, {@link
 * dev.perdure.crash.memory.LinePersistence}.
 */
package dev.perdure.crash.memory;
