package dev.perdure.detect.calm;

import dev.perdure.detect.sync.LongIndex;

/**
 * What visits do, as paths in a tree: a node stands for the steps from the root to it, so that two
 * visits that do the same at the same places end in the same node, and a node says all there is to
 * know of a visit but who made it and when. A program has few of them, however many visits it
 * makes.
 */
final class VisitPaths {
  static final int ROOT = 0;
  static final int NONE = -1;

  static final int LOAD = 0;
  static final int STORE = 1;
  static final int FLUSH = 2;
  static final int ORDERED_FLUSH = 3;
  static final int FENCE = 4;

  /** Steps of the longest path. */
  static final int LONGEST = 32;

  static final int NODE_BITS = 20;

  private static final int MOST = 1 << NODE_BITS;

  /** No step of any path. */
  private static final long NO_STEP = -1;

  private long[] steps = new long[64];
  private int[] parents = new int[64];
  private int[] lengths = new int[64];

  /** The child that was taken last. */
  private int[] likely = new int[64];

  private long[] touched = new long[64];
  private long[] stored = new long[64];
  private int[] stores = new int[64];
  private int count = 1;

  /** Nodes by parent and step: an open-addressed table, 0 for none. */
  private int[] table = new int[128];

  VisitPaths() {
    steps[ROOT] = NO_STEP;
  }

  /** A step: what was done to which bytes of the line, at a place in the program. */
  static long step(int origin, int kind, int offset, int size) {
    return (long) origin << 32 | kind << 16 | size << 8 | offset;
  }

  static int origin(long step) {
    return (int) (step >>> 32);
  }

  static int kind(long step) {
    return (int) step >>> 16;
  }

  static int offset(long step) {
    return (int) step & 0xff;
  }

  static int size(long step) {
    return (int) step >>> 8 & 0xff;
  }

  /** The bytes of the line that the step reaches. */
  static long bytes(long step) {
    return (1L << size(step)) - 1 << offset(step);
  }

  /** The path that is longer by a step, or {@link #NONE} where there is room for no more. */
  int next(int path, long step) {
    int child = likely[path];
    return child != ROOT && steps[child] == step ? child : find(path, step);
  }

  private int find(int path, long step) {
    int slot = slot(path, step);
    while (table[slot] != ROOT) {
      int child = table[slot];
      if (parents[child] == path && steps[child] == step) {
        likely[path] = child;
        return child;
      }
      slot = slot + 1 & table.length - 1;
    }
    return lengths[path] == LONGEST || count == MOST ? NONE : add(path, step);
  }

  private int add(int path, long step) {
    int child = count++;
    steps = LongIndex.fit(steps, child);
    parents = LongIndex.fit(parents, child);
    lengths = LongIndex.fit(lengths, child);
    likely = LongIndex.fit(likely, child);
    touched = LongIndex.fit(touched, child);
    stored = LongIndex.fit(stored, child);
    stores = LongIndex.fit(stores, child);
    steps[child] = step;
    parents[child] = path;
    lengths[child] = lengths[path] + 1;
    int kind = kind(step);
    touched[child] = touched[path] | (kind <= STORE ? bytes(step) : 0);
    stored[child] = stored[path] | (kind == STORE ? bytes(step) : 0);
    stores[child] = stores[path] + (kind == STORE ? 1 : 0);
    likely[path] = child;
    if (2 * count > table.length) {
      table = new int[2 * table.length];
      for (int node = 1; node < child; node++) {
        insert(node);
      }
    }
    insert(child);
    return child;
  }

  private void insert(int node) {
    int slot = slot(parents[node], steps[node]);
    while (table[slot] != ROOT) {
      slot = slot + 1 & table.length - 1;
    }
    table[slot] = node;
  }

  private int slot(int path, long step) {
    long h = (step + path) * 0x9E3779B97F4A7C15L;
    return (int) ((h ^ h >>> 29) * 0x9E3779B97F4A7C15L >>> 40) & table.length - 1;
  }

  /** The bytes that are loaded or stored on the path. */
  long touched(int path) {
    return touched[path];
  }

  /** The bytes that are stored on the path. */
  long stored(int path) {
    return stored[path];
  }

  /** How many stores are made on the path. */
  int stores(int path) {
    return stores[path];
  }

  /** The last step of the path; that of the root is like no other. */
  long last(int path) {
    return steps[path];
  }

  int length(int path) {
    return lengths[path];
  }

  /** All steps of the path, in order. */
  long[] steps(int path) {
    long[] all = new long[lengths[path]];
    int i = all.length;
    for (int node = path; node != ROOT; node = parents[node]) {
      all[--i] = steps[node];
    }
    return all;
  }
}
