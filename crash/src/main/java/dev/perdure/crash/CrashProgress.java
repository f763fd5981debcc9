package dev.perdure.crash;

/**
 * How far a crash test is.
 *
 * @param points failure points found so far
 * @param images recovery runs asked for so far
 * @param done recovery runs that have ended
 * @param findings so far
 * @param share of the trace that was played, 0 to 1
 */
public record CrashProgress(int points, int images, int done, int findings, double share) {}
