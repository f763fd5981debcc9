package dev.perdure.detect.sync;

import dev.perdure.trace.event.MemoryOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Happens-before through atomic locations. Each location keeps its last few writes with what they
 * release: loads are stamped after and stores before they take effect, so a load may stand behind a
 * store in the trace whose value it did not take. It synchronises with the newest of these writes
 * that has its value.
 */
public final class AtomicWords {
  /** How many writes of a location are kept. */
  public static final int HISTORY = 4;

  private final LongIndex addresses = new LongIndex();
  private final List<AtomicWord> words = new ArrayList<>();

  /** The location, or an empty one where none was written at that address. */
  public AtomicWord find(long address) {
    int i = addresses.find(address);
    return i == LongIndex.ABSENT ? AtomicWord.NONE : words.get(i);
  }

  public AtomicWord at(long address, int size) {
    int i = addresses.add(address);
    if (i == words.size()) {
      words.add(new AtomicWord(address, size));
    }
    return words.get(i);
  }

  /** All locations that are known. */
  public List<AtomicWord> all() {
    return words.stream().filter(w -> find(w.address()) == w).toList();
  }

  public void forget(AtomicWord word) {
    addresses.remove(word.address());
  }

  /** A load, or a compare-and-swap that failed. */
  public void load(ThreadState thread, long address, long value, int order) {
    AtomicWord word = find(address);
    if (word != AtomicWord.NONE) {
      word.read(thread, value, MemoryOrder.acquires(order));
    }
  }

  /** An atomic store; stores of other orders are told to words that are known already. */
  public AtomicWord store(ThreadState thread, long address, int size, long value, int order) {
    AtomicWord word = find(address);
    if (word == AtomicWord.NONE) {
      if (!MemoryOrder.releases(order) && thread.releaseFence().isEmpty()) {
        return word;
      }
      word = at(address, size);
    }
    word.write(thread, value, order);
    return word;
  }
}
