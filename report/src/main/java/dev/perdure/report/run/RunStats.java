package dev.perdure.report.run;

/** The numbers of a run. */
public record RunStats(
    long events, int threads, long pmBytes, double seconds, long peakMemoryBytes, long seed) {}
