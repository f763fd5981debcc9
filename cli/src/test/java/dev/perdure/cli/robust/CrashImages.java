package dev.perdure.cli.robust;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.MemoryOrder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes, after every store to an area of a {@link RandomPmProgram}, all memory contents that a
 * crash may leave of it: of each cache line, the stores up to any one that is not persisted for
 * certain. What can be reached in such an image must be what could be reached after some of the
 * stores, with each of them all that happen before it: for one thread, a prefix. Deliberately
 * simple: nothing is shared with the detectors.
 */
final class CrashImages implements EventHandler {
  private static final int LINE = 64;
  private static final int MOST_IMAGES = 20_000;

  /** A store within one cache line. */
  private record Write(int offset, byte[] bytes) {}

  /**
   * A store as the program made it.
   *
   * @param index its number among the stores of its thread
   * @param before how many stores of each thread happen before it
   */
  private record Made(
      int thread, int index, Map<Integer, Integer> before, int offset, byte[] bytes) {
    boolean isBefore(Made other) {
      return index < other.before.getOrDefault(thread, 0);
    }
  }

  private static final class Line {
    final List<Write> open = new ArrayList<>();
    final Map<Integer, Integer> flushed = new HashMap<>();
  }

  private static final class Area {
    final byte[] persisted = new byte[RandomPmProgram.AREA];
    final Map<Integer, Line> lines = new TreeMap<>();
    final Set<String> explained = new HashSet<>();
    final List<Made> made = new ArrayList<>();
  }

  private final Map<Long, Area> areas = new TreeMap<>();
  private final HappensBefore order = new HappensBefore();
  private final List<String> wrong = new ArrayList<>();
  private long base = -1;
  private long end;
  private long images;

  /** What was found wrong, one line each. */
  List<String> wrong() {
    return wrong;
  }

  /** How many images were looked at. */
  long images() {
    return images;
  }

  @Override
  public void map(Event e) {
    if (base < 0) {
      base = e.address();
      end = base + e.value();
    }
  }

  @Override
  public void store(Event e) {
    if (e.order() == MemoryOrder.SEQ_CST) {
      fence(e.thread());
    }
    write(e, bytes(e.value(), e.size()));
    if (MemoryOrder.atomic(e.order())) {
      order.atomicStore(e);
    }
  }

  @Override
  public void load(Event e) {
    order.atomicLoad(e);
  }

  @Override
  public void storeBlock(Event e) {
    write(e, Arrays.copyOf(e.payload(), (int) e.value()));
  }

  @Override
  public void rmw(Event e) {
    fence(e.thread());
    order.atomicLoad(e);
    write(e, bytes(e.newValue(), e.size()));
    if (MemoryOrder.releases(e.order())) {
      order.release(e.thread(), e.address());
    }
  }

  @Override
  public void casFailed(Event e) {
    fence(e.thread());
    order.atomicLoad(e);
  }

  @Override
  public void flush(Event e) {
    if (e.address() < base || e.address() >= end) {
      return;
    }
    Area area = area(e.address());
    int index = (int) ((e.address() - base) % RandomPmProgram.AREA) / LINE;
    Line line = area.lines.get(index);
    if (line != null) {
      line.flushed.put(e.thread(), line.open.size());
      if (e.info() == EventInfo.FLUSH_CLFLUSH) {
        persist(area, index, line.open.size());
      }
    }
  }

  @Override
  public void fence(Event e) {
    fence(e.thread());
  }

  @Override
  public void acquire(Event e) {
    lockFence(e);
    order.acquire(e.thread(), e.address());
  }

  @Override
  public void release(Event e) {
    lockFence(e);
    order.release(e.thread(), e.address());
  }

  @Override
  public void threadCreate(Event e) {
    fence(e.thread());
    order.create(e.thread(), (int) e.value());
  }

  @Override
  public void threadJoin(Event e) {
    fence(e.thread());
    order.join(e.thread(), (int) e.value());
  }

  private void lockFence(Event e) {
    if ((e.info() & EventInfo.LOCK_NO_FENCE) == 0) {
      fence(e.thread());
    }
  }

  private void fence(int thread) {
    for (Area area : areas.values()) {
      for (int index : List.copyOf(area.lines.keySet())) {
        Integer count = area.lines.get(index).flushed.remove(thread);
        if (count != null) {
          persist(area, index, count);
        }
      }
    }
  }

  private static void persist(Area area, int index, int count) {
    Line line = area.lines.get(index);
    for (Write write : line.open.subList(0, count)) {
      apply(write, area.persisted);
    }
    line.open.subList(0, count).clear();
    line.flushed.replaceAll((thread, flushed) -> Math.max(0, flushed - count));
    if (line.open.isEmpty()) {
      area.lines.remove(index);
    }
  }

  private Area area(long address) {
    return areas.computeIfAbsent((address - base) / RandomPmProgram.AREA, a -> new Area());
  }

  private void write(Event e, byte[] bytes) {
    long address = e.address();
    if (address < base || address >= end || bytes.length == 0) {
      return;
    }
    Area area = area(address);
    if (area.made.isEmpty()) {
      area.explained.add(reachable(area, new byte[RandomPmProgram.AREA]));
    }
    int start = (int) ((address - base) % RandomPmProgram.AREA);
    Map<Integer, Integer> before = order.store(e.thread());
    int index = before.getOrDefault(e.thread(), 0);
    Made store = new Made(e.thread(), index, before, start, bytes);
    area.made.add(store);
    for (int at = 0; at < bytes.length; ) {
      int length = Math.min(bytes.length - at, LINE - (start + at) % LINE);
      Write part = new Write(start + at, Arrays.copyOfRange(bytes, at, at + length));
      area.lines.computeIfAbsent((start + at) / LINE, l -> new Line()).open.add(part);
      at += length;
    }
    explain(area, store);
    crash(area, List.copyOf(area.lines.values()), 0, area.persisted.clone(), new int[1]);
  }

  /**
   * Adds what could be reached after this store: with everything that happens before it, and with
   * any number of the stores of other threads that do not. (At most two threads share an area.)
   */
  private void explain(Area area, Made latest) {
    int others = (int) area.made.stream().filter(m -> isFree(m, latest)).count();
    for (int taken = 0; taken <= others; taken++) {
      byte[] memory = new byte[RandomPmProgram.AREA];
      int left = taken;
      for (Made made : area.made) {
        boolean free = isFree(made, latest);
        if (!free || left-- > 0) {
          System.arraycopy(made.bytes(), 0, memory, made.offset(), made.bytes().length);
        }
      }
      area.explained.add(reachable(area, memory));
    }
  }

  private static boolean isFree(Made made, Made latest) {
    return made != latest && !made.isBefore(latest);
  }

  private void crash(Area area, List<Line> lines, int from, byte[] image, int[] count) {
    if (count[0] >= MOST_IMAGES) {
      return;
    }
    if (from == lines.size()) {
      count[0]++;
      images++;
      String seen = reachable(area, image);
      if (!area.explained.contains(seen)) {
        wrong.add("a crash may leave " + seen + " which no order of the stores explains");
      }
      return;
    }
    byte[] next = image.clone();
    crash(area, lines, from + 1, next, count);
    for (Write write : lines.get(from).open) {
      apply(write, next);
      crash(area, lines, from + 1, next.clone(), count);
    }
  }

  private static void apply(Write write, byte[] memory) {
    System.arraycopy(write.bytes(), 0, memory, write.offset(), write.bytes().length);
  }

  /** The words of an area, and the nodes that its root leads to. */
  private String reachable(Area area, byte[] memory) {
    ByteBuffer view = ByteBuffer.wrap(memory).order(ByteOrder.LITTLE_ENDIAN);
    long start = base + number(area) * RandomPmProgram.AREA;
    StringBuilder text = new StringBuilder("area " + number(area) + ":");
    for (int i = 0; i < RandomPmProgram.WORDS; i++) {
      text.append(' ').append(view.getLong(i * Long.BYTES));
    }
    long node = view.getLong(RandomPmProgram.ROOT);
    for (int i = 0; i <= RandomPmProgram.NODE_COUNT && node != 0; i++) {
      long offset = node - start;
      long first = RandomPmProgram.NODES;
      boolean inside = offset >= first && offset + RandomPmProgram.NODE <= RandomPmProgram.AREA;
      if (!inside || (offset - first) % RandomPmProgram.NODE != 0) {
        return text.append(" -> nowhere").toString();
      }
      text.append(" -> ").append((offset - first) / RandomPmProgram.NODE).append('(');
      for (int w = 0; w < RandomPmProgram.NEXT; w += Long.BYTES) {
        text.append(view.getLong((int) offset + w)).append(' ');
      }
      text.append(')');
      node = view.getLong((int) offset + RandomPmProgram.NEXT);
    }
    return text.toString();
  }

  private long number(Area area) {
    return areas.entrySet().stream()
        .filter(entry -> entry.getValue() == area)
        .findFirst()
        .orElseThrow()
        .getKey();
  }

  private static byte[] bytes(long value, int size) {
    byte[] bytes = new byte[Long.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(value);
    return Arrays.copyOf(bytes, size);
  }
}
