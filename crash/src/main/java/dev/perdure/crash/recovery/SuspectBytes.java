package dev.perdure.crash.recovery;

import dev.perdure.crash.image.Suspect;
import dev.perdure.crash.image.SuspectRange;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.List;

/** The suspect bytes that recovery has neither read nor overwritten yet. */
final class SuspectBytes {
  private static final int LINE = 64;

  private static final class Line {
    long mask;
    final Suspect[] suspects = new Suspect[LINE];
  }

  /** Takes a suspect byte that was read. */
  interface Reader {
    void read(long address, Suspect suspect);
  }

  private final Long2ObjectOpenHashMap<Line> lines = new Long2ObjectOpenHashMap<>();

  SuspectBytes(List<SuspectRange> ranges) {
    for (SuspectRange range : ranges) {
      for (int i = 0; i < range.length(); i++) {
        long at = range.address() + i;
        Line line = lines.computeIfAbsent(at & -LINE, l -> new Line());
        line.mask |= 1L << at;
        line.suspects[(int) at & LINE - 1] = range.suspect();
      }
    }
  }

  void overwrite(long address, long length) {
    take(address, length, (at, suspect) -> {});
  }

  /** Hands over the suspect bytes of a range, each only once. */
  void take(long address, long length, Reader reader) {
    if (lines.isEmpty()) {
      return;
    }
    for (long start = address & -LINE; start < address + length; start += LINE) {
      Line line = lines.get(start);
      if (line != null) {
        long from = Math.max(address, start);
        long to = Math.min(address + length, start + LINE);
        for (long at = from; at < to; at++) {
          if ((line.mask & 1L << at) != 0) {
            line.mask &= ~(1L << at);
            reader.read(at, line.suspects[(int) at & LINE - 1]);
          }
        }
      }
    }
  }
}
