package dev.perdure.crash.point;

import dev.perdure.crash.memory.ContentHash;
import dev.perdure.crash.memory.StoreLog;
import it.unimi.dsi.fastutil.longs.Long2IntLinkedOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2IntMap;

/** Which store last gave a lock word each of the states that it has had. */
public final class WordHistory {
  private final SyncWord word;
  private final Long2IntLinkedOpenHashMap storeByState;

  WordHistory(SyncWord word) {
    this(word, new Long2IntLinkedOpenHashMap());
  }

  private WordHistory(SyncWord word, Long2IntLinkedOpenHashMap storeByState) {
    this.word = word;
    this.storeByState = storeByState;
  }

  WordHistory copy() {
    return new WordHistory(word, storeByState.clone());
  }

  public SyncWord word() {
    return word;
  }

  void written(long value, int store) {
    storeByState.put(value & word.bits(), store);
  }

  /** Equal for words that got the same states from the same places. */
  long hash(StoreLog stores) {
    long hash = 0;
    for (Long2IntMap.Entry e : storeByState.long2IntEntrySet()) {
      hash += ContentHash.mix(e.getLongKey(), stores.origin(e.getIntValue()));
    }
    return hash;
  }

  /** The store behind a value's state, 0 if the run has not given it to the word. */
  public int storeOf(long value) {
    return storeByState.get(value & word.bits());
  }
}
