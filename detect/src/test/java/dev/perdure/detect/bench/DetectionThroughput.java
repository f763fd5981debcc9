package dev.perdure.detect.bench;

import dev.perdure.detect.Detection;
import dev.perdure.detect.DetectionOptions;
import dev.perdure.detect.Detector;
import dev.perdure.detect.trace.Trace;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.memory.PersistenceDomain;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import java.lang.management.ManagementFactory;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Prints how many events a second the detectors take, on the trace of a hash table: 64K buckets
 * with a mutex each ({@code -Dbuckets=N} for another number), eight threads, half of the operations
 * puts with flush and fence.
 *
 * <p>Arguments: millions of events (20), and the names of the detectors (all).
 */
public final class DetectionThroughput {
  private DetectionThroughput() {}

  public static void main(String[] args) {
    int millions = args.length > 0 ? Integer.parseInt(args[0]) : 20;
    Set<Detector> detectors = EnumSet.noneOf(Detector.class);
    for (int i = 1; i < args.length; i++) {
      detectors.add(Detector.byLabel(args[i]).orElseThrow());
    }
    if (detectors.isEmpty()) {
      detectors = EnumSet.allOf(Detector.class);
    }
    HashTableTrace trace =
        new HashTableTrace(5_000_000, Integer.getInteger("buckets", 1 << 16), 42);
    System.out.printf("%d events in memory, detectors %s%n", trace.length(), detectors);
    for (int round = 0; round < 4; round++) {
      run(trace, detectors, millions * 1_000_000L, round);
    }
  }

  private static void run(HashTableTrace trace, Set<Detector> detectors, long events, int round) {
    Detection detection =
        new Detection(new DetectionOptions(detectors, PersistenceDomain.ADR, true, false));
    Event event = new Event();
    long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    for (long i = 0; i < events; i++) {
      trace.fill(event, i);
      EventHandler.dispatch(event, detection);
    }
    double seconds = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start) / 1e9;
    List<Finding> findings = detection.finish(new Trace().symbols(), true, ticks -> ticks);
    if (round == 0) {
      findings.forEach(f -> System.out.println("  " + f.kind().label() + ": " + f.message()));
    }
    Runtime runtime = Runtime.getRuntime();
    System.out.printf(
        "round %d: %.1f M events a second of CPU, %d findings, heap %d MB%n",
        round,
        events / seconds / 1e6,
        findings.size(),
        runtime.totalMemory() - runtime.freeMemory() >> 20);
  }
}
