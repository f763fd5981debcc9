package dev.perdure.detect;

import dev.perdure.detect.finding.RaceFindings;
import dev.perdure.detect.sync.AtomicWord;
import dev.perdure.detect.sync.AtomicWords;
import dev.perdure.detect.sync.LockRegistry;
import dev.perdure.detect.sync.ThreadState;
import dev.perdure.trace.event.MemoryOrder;
import java.util.ArrayList;
import java.util.List;

/** Atomic words: happens-before through them, and which of them are locks or declared as such. */
final class Synchronisation {
  private record Declared(long start, long end) {}

  private final AtomicWords words = new AtomicWords();
  private final LockRegistry registry;
  private final List<Declared> declared = new ArrayList<>();

  Synchronisation(LockRegistry registry) {
    this.registry = registry;
  }

  void declare(long address, long size) {
    declared.add(new Declared(address, address + Math.max(1, size)));
  }

  void load(ThreadState t, long address, long value, int order) {
    if (MemoryOrder.atomic(order)) {
      words.load(t, address, value, order);
    }
  }

  /** A store of any order; returns whether the address has an atomic location now. */
  boolean store(ThreadState t, long address, int size, long value, int order) {
    AtomicWord word = words.store(t, address, size, value, order);
    if (word == AtomicWord.NONE) {
      return false;
    }
    word.lock().stored(t, value, registry);
    return true;
  }

  /** The read half of a read-modify-write. */
  AtomicWord read(ThreadState t, long address, int size, long old, int order) {
    AtomicWord word = words.at(address, size);
    word.read(t, old, MemoryOrder.acquires(order));
    return word;
  }

  /** The write half, by the instruction at the site. */
  void write(
      ThreadState t, int site, AtomicWord word, long old, long value, boolean takes, int order) {
    word.lock().modified(t, site, old, value, takes, registry);
    word.replace(t, old, value, order);
  }

  /** A store that is no atomic one, of some bytes of a word of PM that has atomic locations. */
  void overwrote(ThreadState t, long address, int mask, long value) {
    for (int offset = 0; offset < 8; offset++) {
      AtomicWord word = words.find(address + offset);
      if (word == AtomicWord.NONE || !overlaps(word, offset, mask)) {
        continue;
      }
      if (offset + word.size() > 8) {
        word.lock().damaged(registry);
        continue;
      }
      long merged = word.value() << 8 * offset;
      for (int i = offset; i < offset + word.size(); i++) {
        if ((mask & 1 << i) != 0) {
          merged = merged & ~(0xffL << 8 * i) | value & 0xffL << 8 * i;
        }
      }
      long own = merged >>> 8 * offset;
      own = word.size() == 8 ? own : own & (1L << 8 * word.size()) - 1;
      store(t, word.address(), word.size(), own, MemoryOrder.PLAIN);
    }
  }

  private static boolean overlaps(AtomicWord word, int offset, int mask) {
    return (mask & (1 << Math.min(word.size(), 8 - offset)) - 1 << offset) != 0;
  }

  /** The bytes are freed or allocated: what lay there is gone, and was a lock or was not. */
  void forget(long address, int mask, RaceFindings findings) {
    for (int offset = 0; offset < 8; offset++) {
      AtomicWord word = (mask & 1 << offset) == 0 ? AtomicWord.NONE : words.find(address + offset);
      if (word != AtomicWord.NONE) {
        if (word.lock().isRecognised(registry)) {
          findings.dropAddresses(word.address(), word.address() + word.size());
        }
        words.forget(word);
      }
    }
  }

  List<RecognisedLock> recognisedLocks() {
    return words.all().stream()
        .filter(w -> w.lock().isRecognised(registry))
        .map(
            w ->
                new RecognisedLock(
                    w.address(), w.size(), w.lock().freeValue(), w.lock().stateBits()))
        .toList();
  }

  /** Whether a byte belongs to a word that is declared or recognised as a lock. */
  boolean isLock(long address) {
    for (Declared d : declared) {
      if (address >= d.start && address < d.end) {
        return true;
      }
    }
    for (long a = address; a > address - 16; a--) {
      AtomicWord word = words.find(a);
      if (word != AtomicWord.NONE && word.covers(address) && word.lock().isRecognised(registry)) {
        return true;
      }
    }
    return false;
  }
}
