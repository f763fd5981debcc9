package dev.perdure.detect.trace;

import dev.perdure.detect.Detection;
import dev.perdure.detect.DetectionOptions;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import dev.perdure.model.finding.Evidence;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.Role;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.event.MemoryOrder;
import dev.perdure.trace.event.Symbols;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A trace written down event by event. Time is the position; a site is a line of {@code t.c}, given
 * by a number or, for what does not matter, left at 0.
 */
public final class Trace {
  /** Where persistent memory starts. */
  public static final long PM = 0x200000000000L;

  private final List<Event> events = new ArrayList<>();
  private final Map<Integer, long[]> stacks = new HashMap<>();
  private int thread = 1;
  private int site;
  private int stack;

  /** The thread of the events that follow. */
  public Trace on(int number) {
    thread = number;
    return this;
  }

  /** The site of the next event only. */
  public Trace at(int line) {
    site = line;
    return this;
  }

  /** The call sites above the next event, the nearest first. */
  public Trace calledFrom(int... lines) {
    int number = 0;
    for (int i = lines.length - 1; i >= 0; i--) {
      number = intern(number, lines[i]);
    }
    stack = number;
    return this;
  }

  private int intern(int parent, int line) {
    for (var e : stacks.entrySet()) {
      if (e.getValue()[0] == parent && e.getValue()[1] == line) {
        return e.getKey();
      }
    }
    stacks.put(stacks.size() + 1, new long[] {parent, line});
    return stacks.size();
  }

  public List<Event> events() {
    return events;
  }

  /** Adds an event of another trace. */
  Trace add(Event e) {
    Event copy =
        new Event()
            .set(
                e.kind(),
                e.info(),
                e.thread(),
                events.size(),
                e.address(),
                e.site(),
                e.stack(),
                e.value());
    System.arraycopy(e.payload(), 0, copy.resizePayload(e.payloadLength()), 0, e.payloadLength());
    events.add(copy);
    return this;
  }

  /** A region is announced. */
  public Trace announce(boolean store, long address, long length) {
    int kind = store ? EventInfo.REGION_STORE : EventInfo.REGION_LOAD;
    return event(EventKind.REGION_START, kind, address, length);
  }

  public Trace event(int kind, int info, long address, long value, byte... payload) {
    Event e = new Event().set(kind, info, thread, events.size(), address, site, stack, value);
    System.arraycopy(payload, 0, e.resizePayload(payload.length), 0, payload.length);
    events.add(e);
    site = 0;
    stack = 0;
    return this;
  }

  public Trace load(long address, int size, long value) {
    return load(address, size, value, MemoryOrder.PLAIN);
  }

  public Trace load(long address, int size, long value, int order) {
    return event(EventKind.LOAD, MemoryOrder.info(size, order), address, value);
  }

  public Trace store(long address, int size, long value) {
    return store(address, size, value, MemoryOrder.PLAIN);
  }

  public Trace store(long address, int size, long value, int order) {
    return event(EventKind.STORE, MemoryOrder.info(size, order), address, value);
  }

  public Trace storeNt(long address, int size, long value) {
    return event(EventKind.STORE_NT, MemoryOrder.info(size, 0), address, value);
  }

  public Trace storeBlock(long address, byte... bytes) {
    return event(EventKind.STORE_BLOCK, 0, address, bytes.length, bytes);
  }

  public Trace loadBlock(long address, int length) {
    return event(EventKind.LOAD_BLOCK, 0, address, length);
  }

  public Trace cas(long address, int size, long old, long value, int order) {
    return rmw(EventInfo.RMW_CAS, address, size, old, value, order);
  }

  public Trace exchange(long address, int size, long old, long value, int order) {
    return rmw(EventInfo.RMW_EXCHANGE, address, size, old, value, order);
  }

  public Trace rmw(int operation, long address, int size, long old, long value, int order) {
    ByteBuffer payload = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
    payload.putLong(0, old).putLong(16, value);
    return event(EventKind.RMW, MemoryOrder.info(size, order), address, operation, payload.array());
  }

  public Trace casFailed(long address, int size, long value, int order) {
    return event(EventKind.CAS_FAILED, MemoryOrder.info(size, order), address, value);
  }

  public Trace clwb(long address) {
    return event(EventKind.FLUSH, EventInfo.FLUSH_CLWB, address, 1);
  }

  public Trace flush(int how, long address, long length) {
    return event(EventKind.FLUSH, how, address, length);
  }

  public Trace sfence() {
    return fence(EventInfo.FENCE_SFENCE);
  }

  public Trace fence(int how) {
    return event(EventKind.FENCE, how, 0, 0);
  }

  /** Flush of one line, and fence. */
  public Trace persist(long address) {
    int line = site;
    return clwb(address).at(line).sfence();
  }

  public Trace persistCall(int how, long address, long length) {
    return event(EventKind.PERSIST, how, address, length);
  }

  public Trace lock(long address) {
    return event(EventKind.ACQUIRE, 0, address, 0);
  }

  /** Of a robust lock whose holder has ended. */
  public Trace lockOfTheDead(long address) {
    return event(EventKind.ACQUIRE, EventInfo.LOCK_OWNER_DIED, address, 0);
  }

  public Trace lockShared(long address) {
    return event(EventKind.ACQUIRE, EventInfo.LOCK_SHARED, address, 0);
  }

  public Trace unlock(long address) {
    return event(EventKind.RELEASE, 0, address, 0);
  }

  public Trace create(int number) {
    return event(EventKind.THREAD_CREATE, 0, 0, number);
  }

  /** Creates threads and lets them begin. */
  public Trace start(int... numbers) {
    int creator = thread;
    for (int number : numbers) {
      on(creator).create(number).on(number).begin(creator);
    }
    return on(creator);
  }

  public Trace begin(int creator) {
    return event(EventKind.THREAD_BEGIN, creator == 0 ? 1 : 0, creator, thread);
  }

  public Trace end() {
    return event(EventKind.THREAD_END, 0, 0, 0);
  }

  public Trace join(int number) {
    return event(EventKind.THREAD_JOIN, 0, 0, number);
  }

  public Trace mark(int kind) {
    return event(kind, 0, 0, 0);
  }

  public Trace alloc(long address, long size) {
    return event(EventKind.ALLOC, 0, address, size);
  }

  public Trace free(long address) {
    return event(EventKind.FREE, 0, address, 0);
  }

  public Trace map(long address, long length, long file, long offset) {
    ByteBuffer payload = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
    payload.putLong(0, file).putLong(8, offset);
    return event(EventKind.MAP, 0, address, length, payload.array());
  }

  public Trace unmap(long address, long length) {
    return event(EventKind.UNMAP, 0, address, length);
  }

  /** Runs the detectors over the trace. */
  public Detection detect(DetectionOptions options) {
    Detection detection = new Detection(options);
    for (Event e : events) {
      detection.accept(e);
    }
    return detection;
  }

  public List<Finding> findings(DetectionOptions options, boolean complete) {
    return detect(options).finish(symbols(), complete, ticks -> ticks);
  }

  /** The findings of a complete run, one line each. */
  public Set<String> findings() {
    return describe(findings(DetectionOptions.standard(), true));
  }

  public Set<String> findings(DetectionOptions options) {
    return describe(findings(options, true));
  }

  public static Set<String> describe(List<Finding> findings) {
    Set<String> lines = new TreeSet<>();
    for (Finding f : findings) {
      StringBuilder line = new StringBuilder(f.kind().label());
      boolean isRace = !f.evidence().isEmpty();
      for (Role role : Role.values()) {
        if (f.place(role).isPresent() && !(isRace && role == Role.PERSIST)) {
          line.append(' ').append(role.label()).append('=');
          line.append(f.place(role).get().frame().line());
        }
      }
      if (isRace) {
        line.append(' ');
        line.append(
            f.evidence().stream().sorted().map(Evidence::label).collect(Collectors.joining(",")));
      }
      lines.add(line.toString());
    }
    return lines;
  }

  public Symbols symbols() {
    return new Symbols() {
      @Override
      public Site site(int number) {
        return number == 0 ? Site.UNKNOWN : new Site(List.of(new Frame("f", "t.c", number)));
      }

      @Override
      public int topSite(int number) {
        return number == 0 ? 0 : (int) stacks.get(number)[1];
      }

      @Override
      public int parent(int number) {
        return number == 0 ? 0 : (int) stacks.get(number)[0];
      }
    };
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Event e : events) {
      text.append(
          "%3d T%d %s info=%d addr=%x value=%x site=%d%s%n"
              .formatted(
                  e.time(),
                  e.thread(),
                  EventKind.name(e.kind()),
                  e.info(),
                  e.address(),
                  e.value(),
                  e.site(),
                  e.kind() == EventKind.RMW
                      ? " %x -> %x".formatted(e.oldValue(), e.newValue())
                      : ""));
    }
    return text.toString();
  }
}
