package dev.perdure.detect;

import java.util.Map;

/**
 * What a run was made of.
 *
 * @param pmBytes different bytes of persistent memory that were loaded or stored
 * @param rules how often each rule applied, by the names of the papers
 */
public record DetectionStatistics(
    long events, int threads, long pmBytes, Map<String, Long> rules) {}
