package dev.perdure.crash.image;

import dev.perdure.crash.memory.ContentHash;
import dev.perdure.crash.memory.MemoryPage;
import dev.perdure.crash.memory.PoolRange;
import dev.perdure.crash.memory.StoreLog;
import dev.perdure.crash.memory.StoreUnit;
import dev.perdure.crash.point.CommitWrites;
import dev.perdure.crash.point.FailurePoint;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/** One possible content of persistent memory after a failure. */
public final class CrashImage {
  private final String label;
  private final FailurePoint point;
  private final boolean everything;
  private final Map<Long, List<StoreUnit>> chosen;

  private CrashImage(
      String label, FailurePoint point, boolean everything, Map<Long, List<StoreUnit>> chosen) {
    this.label = label;
    this.point = point;
    this.everything = everything;
    this.chosen = chosen;
  }

  static CrashImage latest(FailurePoint point) {
    return new CrashImage(ImageKind.LATEST.label(), point, true, Map.of());
  }

  static CrashImage persisted(FailurePoint point) {
    return new CrashImage(ImageKind.PERSISTED.label(), point, false, Map.of());
  }

  /** What is persistent, and the given stores by the address of their line. */
  static CrashImage mixed(int number, FailurePoint point, Map<Long, List<StoreUnit>> chosen) {
    return new CrashImage(ImageKind.ALL.label() + ":" + number, point, false, chosen);
  }

  /** Its name in reports. */
  public String label() {
    return label;
  }

  /** Hands over the content of each page that the run has written, by pool address. */
  public void forEachPage(BiConsumer<Long, byte[]> action) {
    Map<Long, List<Long>> linesByPage =
        chosen.keySet().stream().collect(Collectors.groupingBy(l -> l & -MemoryPage.SIZE));
    point
        .memory()
        .forEachPage(
            (address, page) ->
                action.accept(
                    address,
                    everything
                        ? page.latest()
                        : with(page.persisted(), linesByPage.getOrDefault(address, List.of()))));
  }

  private byte[] with(byte[] page, List<Long> lines) {
    if (lines.isEmpty()) {
      return page;
    }
    byte[] content = page.clone();
    for (long line : lines) {
      int start = (int) line & MemoryPage.SIZE - 1;
      chosen.get(line).forEach(unit -> unit.writeTo(content, start));
    }
    return content;
  }

  /** The {@link ContentHash} of what it holds. */
  public long contentHash() {
    if (everything) {
      return point.memory().latestHash();
    }
    long hash = point.memory().persistentHash();
    for (Map.Entry<Long, List<StoreUnit>> line : chosen.entrySet()) {
      hash += changeOf(line.getKey(), line.getValue());
    }
    return hash;
  }

  private long changeOf(long line, List<StoreUnit> units) {
    byte[] persisted = point.memory().page(line).orElseThrow().persisted();
    int start = (int) line & MemoryPage.SIZE - 1;
    byte[] content = Arrays.copyOfRange(persisted, start, start + 64);
    units.forEach(unit -> unit.writeTo(content, 0));
    long change = 0;
    for (int b = 0; b < content.length; b++) {
      change += ContentHash.change(line + b, persisted[start + b], content[b]);
    }
    return change;
  }

  /** How many writes of a commit variable are in the image, the start of the run among them. */
  int writesOf(CommitWrites writes, StoreLog stores) {
    if (everything) {
      return writes.positions().length;
    }
    PoolRange variable = writes.variable().range();
    long newest = writes.positions()[writes.persisted() - 1];
    for (long line = variable.address() & -64; line < variable.end(); line += 64) {
      for (StoreUnit unit : chosen.getOrDefault(line, List.of())) {
        int bit = Long.numberOfTrailingZeros(unit.mask());
        if (variable.contains(line + bit)) {
          newest = Math.max(newest, stores.position(unit.store()));
        }
      }
    }
    return writes.upTo(newest);
  }
}
