package dev.perdure.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An index of {@code examples/indexes}.
 *
 * @param ordered whether its keys have an order, so that it can be scanned
 */
record IndexExample(String name, boolean ordered) {
  /** As it is, with flushes placed by hand. */
  static final String HAND = "hand";

  /** What {@code perdure fix} makes of it without them. */
  static final List<String> MODES = List.of("base", "opt", "flit");

  static final List<IndexExample> ALL =
      List.of(
          new IndexExample("hash", false),
          new IndexExample("lockfree_hash", false),
          new IndexExample("log", false),
          new IndexExample("btree", true),
          new IndexExample("ctree", true),
          new IndexExample("rbtree", true),
          new IndexExample("skiplist", true),
          new IndexExample("radix", true));

  static List<String> variants() {
    List<String> all = new ArrayList<>(List.of(HAND));
    all.addAll(MODES);
    return all;
  }

  /** The YCSB-like loads that it can serve, those that change least first. */
  String loads() {
    return ordered ? "ceba" : "cba";
  }

  Path source(Path home) {
    return home.resolve("examples/indexes").resolve(name + ".c");
  }

  String program(String variant) {
    return name + "_" + variant;
  }

  static List<String> arguments(String loads, int keys, int operations, int threads) {
    return List.of("pool", loads, "" + keys, "" + operations, "" + threads);
  }
}
