package dev.perdure.detect;

import dev.perdure.detect.shadow.FileViews;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventBatch;
import dev.perdure.trace.event.EventConsumer;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.format.Layout;

/**
 * Rewrites events of files that are mapped more than once as if they had been mapped once: the same
 * byte has the same address. What spans places that are not neighbours there becomes several
 * events.
 */
final class ViewedEvents {
  private final FileViews views = new FileViews();
  private final Event whole = new Event();
  private final Event piece = new Event();

  /** Whether events can be taken as they are, but for mappings. */
  boolean areNone() {
    return views.isEmpty();
  }

  static boolean isMapping(int kind) {
    return kind == EventKind.MAP || kind == EventKind.UNMAP;
  }

  /** Hands on all events of a batch. */
  void rewrite(EventBatch batch, int from, EventConsumer out) {
    for (int i = from; i < batch.size(); i++) {
      batch.get(i, whole);
      rewrite(whole, out);
    }
  }

  void rewrite(Event e, EventConsumer out) {
    if (e.kind() == EventKind.MAP) {
      long file = e.payloadLong(0);
      if (file < Layout.MAX_FILES) {
        views.map(e.address(), e.value(), file, e.payloadLong(8));
      } else {
        views.unmap(e.address(), e.value());
      }
    } else if (e.kind() == EventKind.UNMAP) {
      views.unmap(e.address(), e.value());
      if (views.isViewed(e.address(), e.value())) {
        return;
      }
    }
    if (views.isEmpty() || e.address() == 0) {
      out.accept(e);
      return;
    }
    long length = isRange(e.kind()) ? e.value() : 0;
    long run = views.run(e.address());
    if (length <= run) {
      handOn(e, 0, 0, out);
      return;
    }
    for (long done = 0; done < length; done += run) {
      run = Math.min(length - done, views.run(e.address() + done));
      handOn(e, done, run, out);
    }
  }

  private void handOn(Event e, long from, long length, EventConsumer out) {
    long value = length == 0 ? e.value() : length;
    piece.set(
        e.kind(),
        e.info(),
        e.thread(),
        e.time(),
        views.home(e.address() + from),
        e.site(),
        e.stack(),
        value);
    if (e.payloadLength() > 0) {
      int bytes = length == 0 || e.kind() == EventKind.MAP ? e.payloadLength() : (int) length;
      int start = e.kind() == EventKind.MAP ? 0 : (int) from;
      System.arraycopy(e.payload(), start, piece.resizePayload(bytes), 0, bytes);
    }
    out.accept(piece);
  }

  private static boolean isRange(int kind) {
    return switch (kind) {
      case EventKind.LOAD_BLOCK,
          EventKind.STORE_BLOCK,
          EventKind.STORE_NT_BLOCK,
          EventKind.FLUSH,
          EventKind.PERSIST,
          EventKind.MAP,
          EventKind.UNMAP,
          EventKind.PM_RANGE,
          EventKind.ALLOC,
          EventKind.FREE,
          EventKind.REGION_START ->
          true;
      default -> false;
    };
  }
}
