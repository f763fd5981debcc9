package dev.perdure.bench;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers of flushes and fences of a program's threads, without the first, which fills it. */
abstract class Persists implements EventHandler {
  private final List<Integer> threads = new ArrayList<>();
  private final Map<Integer, Long> flushes = new HashMap<>();
  private final Map<Integer, Long> fences = new HashMap<>();

  @Override
  public final void threadCreate(Event e) {
    threads.add((int) e.value());
  }

  /** The flushes of the thread that was started as the first, second and so on. */
  final long flushes(int number) {
    return flushes.getOrDefault(threads.get(number), 0L);
  }

  final long fences(int number) {
    return fences.getOrDefault(threads.get(number), 0L);
  }

  final void count(int thread, long moreFlushes, long moreFences) {
    flushes.merge(thread, moreFlushes, Long::sum);
    fences.merge(thread, moreFences, Long::sum);
  }
}
