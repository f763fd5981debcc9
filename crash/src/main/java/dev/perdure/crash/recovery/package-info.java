/**
 * Recovery runs. A {@link dev.perdure.crash.recovery.RecoveryJob} holds all that one run needs, a
 * {@link dev.perdure.crash.recovery.RecoveryResult} all that came of it; both are plain values that
 * can be sent elsewhere. {@link dev.perdure.crash.recovery.LocalRecoveries} runs jobs on this
 * machine, several at a time, each on private copies of the pools.
 *
 * <p>The first read of a suspect byte counts; a byte that recovery overwrites before it reads it is
 * clean (XFDetector, section 5.4).
 */
package dev.perdure.crash.recovery;
