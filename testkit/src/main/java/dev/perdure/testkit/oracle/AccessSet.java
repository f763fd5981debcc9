package dev.perdure.testkit.oracle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What each instruction of a run did to a pool. */
final class AccessSet {
  /** An instruction in a module file, and one of the things that it does. */
  record Key(String module, long address, AccessKind kind) {}

  private static final int SHOWN_BYTES = 100;

  private final Map<Key, ByteRanges> accesses =
      new TreeMap<>(
          Comparator.comparing(Key::module)
              .thenComparingLong(Key::address)
              .thenComparing(Key::kind));

  /** An access to bytes of the pool; a flush or a fence has none. */
  void add(Key key, long offset, long size) {
    accesses.computeIfAbsent(key, k -> new ByteRanges()).add(offset, size);
  }

  int instructions() {
    return accesses.size();
  }

  /** One line for each instruction that did something here of which the other set knows nothing. */
  List<String> without(AccessSet other) {
    List<String> lines = new ArrayList<>();
    accesses.forEach(
        (key, bytes) -> {
          ByteRanges known = other.accesses.get(key);
          ByteRanges rest = known == null ? bytes : bytes.without(known);
          if (known == null || !rest.isEmpty()) {
            String text = rest.toString();
            lines.add(
                "%s+0x%x %s %s"
                    .formatted(
                        key.module,
                        key.address,
                        key.kind.label(),
                        text.substring(0, Math.min(SHOWN_BYTES, text.length())))
                    .strip());
          }
        });
    return lines;
  }
}
