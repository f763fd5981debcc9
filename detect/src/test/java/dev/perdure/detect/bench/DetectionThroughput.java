package dev.perdure.detect.bench;

import dev.perdure.detect.Detection;
import dev.perdure.detect.DetectionOptions;
import dev.perdure.detect.Detector;
import dev.perdure.detect.trace.Trace;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.memory.PersistenceDomain;
import dev.perdure.trace.event.Event;
import java.lang.management.ManagementFactory;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Prints how many events the detectors take in a second of CPU time, on the trace of a hash table.
 *
 * <p>Arguments: operations of the table (1000000), threads that run at the same time (2), and the
 * names of the detectors (all).
 */
public final class DetectionThroughput {
  private static final int ROUNDS = 6;

  private DetectionThroughput() {}

  public static void main(String[] args) {
    int operations = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    int cores = args.length > 1 ? Integer.parseInt(args[1]) : 2;
    Set<Detector> detectors = EnumSet.noneOf(Detector.class);
    for (int i = 2; i < args.length; i++) {
      detectors.add(Detector.byLabel(args[i]).orElseThrow());
    }
    if (detectors.isEmpty()) {
      detectors = EnumSet.allOf(Detector.class);
    }
    HashTableTrace trace = new HashTableTrace(operations, cores, 42);
    System.out.printf("%,d events, detectors %s%n", trace.length(), detectors);
    for (int round = 0; round < ROUNDS; round++) {
      run(trace, detectors, round);
    }
  }

  private static void run(HashTableTrace trace, Set<Detector> detectors, int round) {
    Detection detection =
        new Detection(new DetectionOptions(detectors, PersistenceDomain.ADR, true, false));
    Event event = new Event();
    long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    for (int i = 0; i < trace.length(); i++) {
      trace.fill(event, i);
      detection.accept(event);
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
        trace.length() / seconds / 1e6,
        findings.size(),
        runtime.totalMemory() - runtime.freeMemory() >> 20);
  }
}
