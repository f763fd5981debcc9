package dev.perdure.crash;

/**
 * How far a crash test is.
 *
 * @param points failure points that are done
 * @param allPoints failure points that there are
 * @param runs recovery runs that have ended
 * @param findings so far
 */
public record CrashProgress(int points, int allPoints, int runs, int findings) {}
