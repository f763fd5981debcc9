package dev.perdure.robust;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the parts of an analysis cost this thread, in seconds of CPU time. */
final class Phases {
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final Map<String, Double> seconds = new LinkedHashMap<>();
  private long last = threads.getCurrentThreadCpuTime();

  /** Everything since the phase before belongs to this one. */
  void done(String phase) {
    long now = threads.getCurrentThreadCpuTime();
    seconds.merge(phase, (now - last) / 1e9, Double::sum);
    last = now;
  }

  Map<String, Double> seconds() {
    return seconds;
  }
}
