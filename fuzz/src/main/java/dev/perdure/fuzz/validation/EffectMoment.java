package dev.perdure.fuzz.validation;

import dev.perdure.crash.image.CrashImage;
import dev.perdure.crash.image.CrashImages;
import dev.perdure.crash.image.ImageKind;
import dev.perdure.crash.memory.MemoryPage;
import dev.perdure.crash.memory.PoolAddress;
import dev.perdure.crash.memory.Pools;
import dev.perdure.crash.point.Declarations;
import dev.perdure.crash.point.FailurePoint;
import dev.perdure.crash.point.FailureRun;
import dev.perdure.crash.point.PointRules;
import dev.perdure.crash.recovery.PoolImage;
import dev.perdure.model.finding.DurableEffect;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.file.TraceFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/** Finds an effect in the trace of its campaign, and makes the image of a crash right after it. */
final class EffectMoment {
  private final Path trace;
  private final Pools pools;
  private final boolean needsFlushes;
  private final LongUnaryOperator toNanos;

  EffectMoment(Path trace, Pools pools, boolean needsFlushes, LongUnaryOperator toNanos) {
    this.trace = trace;
    this.pools = pools;
    this.needsFlushes = needsFlushes;
    this.toNanos = toNanos;
  }

  /**
   * The pools with everything that is persistent and the effect; empty where the trace lacks it.
   */
  Optional<List<PoolImage>> image(DurableEffect effect) throws IOException {
    Declarations declarations = declarations();
    List<FailurePoint> points = new ArrayList<>();
    try (TraceFile file = TraceFile.open(trace)) {
      PointRules rules = new PointRules(false, true, Integer.MAX_VALUE, false);
      FailureRun run = new FailureRun(file, pools, declarations, rules, needsFlushes, points::add);
      // No failure but the one that is asked for.
      run.play(mark(EventKind.SKIP_FAILURES_BEGIN, 0));
      Event event = new Event();
      while (file.next(event)) {
        if (is(event, effect)) {
          run.play(mark(EventKind.SKIP_FAILURES_END, event.thread()));
          run.play(mark(EventKind.FAILURE_POINT, event.thread()));
          return points.isEmpty() ? Optional.empty() : after(points.get(0), file, effect);
        }
        run.play(event);
      }
    }
    return Optional.empty();
  }

  private Declarations declarations() throws IOException {
    try (TraceFile file = TraceFile.open(trace)) {
      Declarations declarations = new Declarations(file, pools);
      file.forEach(declarations);
      return declarations;
    }
  }

  private static Event mark(int kind, int thread) {
    return new Event().set(kind, 0, thread, 0, 0, 0, 0, 0);
  }

  private boolean is(Event e, DurableEffect effect) {
    return e.kind() == EventKind.EFFECT
        && e.thread() == effect.thread()
        && e.address() == effect.address()
        && toNanos.applyAsLong(e.time()) == effect.time();
  }

  private Optional<List<PoolImage>> after(FailurePoint point, TraceFile rest, DurableEffect effect)
      throws IOException {
    CrashImages images = new CrashImages(EnumSet.of(ImageKind.PERSISTED), 1, 1);
    CrashImage persisted = images.of(point).get(0);
    List<PoolImage> content = PoolImage.of(pools, point.sizes(), persisted);
    Event event = new Event();
    while (rest.next(event)) {
      if (event.thread() == effect.thread() && event.address() == effect.address()) {
        byte[] bytes = written(event);
        if (bytes.length > 0) {
          return Optional.of(with(content, effect.address(), bytes));
        }
      }
    }
    return Optional.empty();
  }

  private static byte[] written(Event e) {
    return switch (e.kind()) {
      case EventKind.STORE, EventKind.STORE_NT -> bytes(e.value(), e.size());
      case EventKind.RMW -> bytes(e.newValue(), Math.min(8, e.size()));
      case EventKind.STORE_BLOCK, EventKind.STORE_NT_BLOCK ->
          java.util.Arrays.copyOf(e.payload(), e.payloadLength());
      default -> new byte[0];
    };
  }

  private static byte[] bytes(long value, int size) {
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) (value >>> 8 * i);
    }
    return bytes;
  }

  private List<PoolImage> with(List<PoolImage> content, long address, byte[] bytes) {
    List<PoolImage> changed = new ArrayList<>();
    for (int i = 0; i < content.size(); i++) {
      PoolImage pool = content.get(i);
      boolean here = address >= pool.address() && address < pool.address() + pool.length();
      changed.add(here ? with(pool, i, address - pool.address(), bytes) : pool);
    }
    return changed;
  }

  private PoolImage with(PoolImage pool, int index, long offset, byte[] bytes) {
    List<PoolImage.Page> pages = new ArrayList<>(pool.pages());
    for (int i = 0; i < bytes.length; i++) {
      long page = offset + i & -MemoryPage.SIZE;
      if (pages.stream().noneMatch(p -> p.offset() == page)) {
        pages.add(
            new PoolImage.Page(page, pools.originalPage(PoolAddress.of(index, page)).clone()));
      }
    }
    List<PoolImage.Page> written = new ArrayList<>();
    for (PoolImage.Page page : pages) {
      byte[] content = page.content().clone();
      for (int i = 0; i < bytes.length; i++) {
        long at = offset + i - page.offset();
        if (at >= 0 && at < content.length) {
          content[(int) at] = bytes[i];
        }
      }
      written.add(new PoolImage.Page(page.offset(), content));
    }
    return new PoolImage(
        pool.path(), pool.address(), pool.length(), pool.size(), pool.original(), written);
  }
}
