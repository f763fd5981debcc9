package dev.perdure.binary.region;

import dev.perdure.binary.sum.RegisterSum;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** Walks all paths from a start through the disassembled code of a function to an access. */
final class TextPaths {
  private static final int MOST_STATES = 150;

  private record State(long address, List<Long> registers) {}

  private final TextModule module;
  private final long functionStart;
  private final long functionEnd;
  private final long access;

  TextPaths(TextModule module, long functionStart, long functionEnd, long access) {
    this.module = module;
    this.functionStart = functionStart;
    this.functionEnd = functionEnd;
    this.access = access;
  }

  /** What is wrong with a start, if something is. */
  Optional<String> check(long start, List<RegisterSum> extent, List<RegisterSum> atAccess) {
    Optional<String> way = checkWay(start);
    return way.isPresent() ? way : checkAddress(start, extent, atAccess);
  }

  /** Every path comes to the access, and none acquires or leaves. */
  private Optional<String> checkWay(long start) {
    Map<Long, Set<Long>> before = new HashMap<>();
    Set<Long> seen = new HashSet<>();
    Deque<Long> work = new ArrayDeque<>(List.of(start));
    while (!work.isEmpty()) {
      long address = work.remove();
      if (address == access || !seen.add(address)) {
        continue;
      }
      TextLine line = module.at(address);
      if (module.acquires(line)) {
        return Optional.of("acquires at " + Long.toHexString(address));
      }
      List<Long> next = module.after(line, functionStart, functionEnd);
      if (next.isEmpty() || next.contains(-1L)) {
        return Optional.of("leaves at " + Long.toHexString(address));
      }
      for (long n : next) {
        before.computeIfAbsent(n, k -> new HashSet<>()).add(address);
        work.add(n);
      }
    }
    Set<Long> leading = new HashSet<>();
    work.add(access);
    while (!work.isEmpty()) {
      for (long b : before.getOrDefault(work.remove(), Set.of())) {
        if (leading.add(b)) {
          work.add(b);
        }
      }
    }
    seen.removeAll(leading);
    return seen.isEmpty()
        ? Optional.empty()
        : Optional.of("never arrives from " + Long.toHexString(seen.iterator().next()));
  }

  /** What the expressions give at the start is what the access has, on every path. */
  private Optional<String> checkAddress(
      long start, List<RegisterSum> extent, List<RegisterSum> atAccess) {
    long[] registers = new SplittableRandom(start * 31 + access).longs(16).toArray();
    long[] expected = extent.stream().mapToLong(e -> e.value(registers)).toArray();
    Set<State> seen = new HashSet<>();
    Deque<State> work = new ArrayDeque<>();
    work.add(new State(start, Arrays.stream(registers).boxed().toList()));
    while (!work.isEmpty() && seen.size() < MOST_STATES) {
      State state = work.remove();
      if (!seen.add(state)) {
        continue;
      }
      long[] now = state.registers.stream().mapToLong(Long::longValue).toArray();
      if (state.address == access) {
        long[] actual = atAccess.stream().mapToLong(e -> e.value(now)).toArray();
        if (!Arrays.equals(actual, expected)) {
          return Optional.of("another address: " + extent + " at the start, " + atAccess);
        }
        continue;
      }
      TextLine line = module.at(state.address);
      long[] then = TextMachine.step(line, now, state.address * 31 + seen.size());
      for (long n : module.after(line, functionStart, functionEnd)) {
        work.add(new State(n, Arrays.stream(then).boxed().toList()));
      }
    }
    return Optional.empty();
  }
}
