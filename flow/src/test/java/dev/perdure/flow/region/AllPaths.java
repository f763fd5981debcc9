package dev.perdure.flow.region;

import dev.perdure.flow.region.Machine.Address;
import dev.perdure.flow.region.Machine.Instruction;
import dev.perdure.flow.region.Machine.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/** Walks all paths from a place to an access, and looks at each rule by itself. */
final class AllPaths {
  private static final int LONGEST = 26;

  private final Machine machine;
  private final Place access;

  AllPaths(Machine machine, Place access) {
    this.machine = machine;
    this.access = access;
  }

  /**
   * Whether every path reaches the access, if loops that can be left are left, and none acquires.
   */
  boolean arriveWithoutAcquire(Place start) {
    Set<Place> seen = new HashSet<>();
    Deque<Place> work = new ArrayDeque<>();
    work.add(start);
    while (!work.isEmpty()) {
      Place place = work.remove();
      if (place.equals(access) || !seen.add(place)) {
        continue;
      }
      if (isEnd(place)) {
        if (machine.graph.successors(place.block()).length == 0) {
          return false;
        }
        for (int successor : machine.graph.successors(place.block())) {
          work.add(new Place(successor, 0));
        }
      } else if (machine.at(place).kind() == Kind.ACQUIRE) {
        return false;
      } else {
        work.add(new Place(place.block(), place.index() + 1));
      }
    }
    return seen.stream().allMatch(this::leadsToAccess);
  }

  private boolean leadsToAccess(Place from) {
    Set<Integer> seen = new HashSet<>();
    Deque<Integer> work = new ArrayDeque<>();
    if (from.block() == access.block() && from.index() <= access.index()) {
      return true;
    }
    for (int successor : machine.graph.successors(from.block())) {
      work.add(successor);
    }
    while (!work.isEmpty()) {
      int block = work.remove();
      if (block == access.block()) {
        return true;
      }
      if (seen.add(block)) {
        for (int successor : machine.graph.successors(block)) {
          work.add(successor);
        }
      }
    }
    return false;
  }

  /** Whether the address at the start is that of the access, on every path that is not too long. */
  boolean agreeOnAddress(Place start, Address atStart, Address atAccess) {
    long[] registers = new Random(start.hashCode()).longs(Machine.REGISTERS).toArray();
    return walk(start, registers, value(atStart, registers), atAccess, 0);
  }

  private boolean walk(Place place, long[] registers, long expected, Address atAccess, int steps) {
    if (place.equals(access)) {
      return value(atAccess, registers) == expected;
    }
    if (steps == LONGEST) {
      return true;
    }
    if (isEnd(place)) {
      for (int successor : machine.graph.successors(place.block())) {
        if (!walk(new Place(successor, 0), registers, expected, atAccess, steps + 1)) {
          return false;
        }
      }
      return true;
    }
    Instruction instruction = machine.at(place);
    long[] changed = registers;
    if (instruction.kind() == Kind.ADD) {
      changed = registers.clone();
      changed[instruction.target()] = registers[instruction.source()] + instruction.distance();
    } else if (instruction.kind() == Kind.LOAD) {
      changed = registers.clone();
      changed[instruction.target()] = new Random(registers[0] + 31L * steps).nextLong();
    }
    return walk(
        new Place(place.block(), place.index() + 1), changed, expected, atAccess, steps + 1);
  }

  private boolean isEnd(Place place) {
    return place.index() == machine.length(place.block());
  }

  private static long value(Address address, long[] registers) {
    return registers[address.register()] + address.distance();
  }
}
