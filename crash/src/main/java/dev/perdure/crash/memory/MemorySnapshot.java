package dev.perdure.crash.memory;

import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.Optional;
import java.util.function.BiConsumer;

/** The pages that a run had written at one of its moments. */
public final class MemorySnapshot {
  private final Long2ObjectOpenHashMap<MemoryPage> pages;
  private final long latestHash;
  private final long persistentHash;

  MemorySnapshot(Long2ObjectOpenHashMap<MemoryPage> pages, long latestHash, long persistentHash) {
    this.pages = pages;
    this.latestHash = latestHash;
    this.persistentHash = persistentHash;
  }

  /** The {@link ContentHash} of everything that was stored. */
  public long latestHash() {
    return latestHash;
  }

  /** The {@link ContentHash} of what was persistent. */
  public long persistentHash() {
    return persistentHash;
  }

  /** The page of a pool address, if the run has written to it. */
  public Optional<MemoryPage> page(long address) {
    return Optional.ofNullable(pages.get(PoolMemory.pageOf(address)));
  }

  /** Hands over each page with the pool address of its first byte. */
  public void forEachPage(BiConsumer<Long, MemoryPage> action) {
    for (Long2ObjectMap.Entry<MemoryPage> entry : pages.long2ObjectEntrySet()) {
      action.accept(entry.getLongKey(), entry.getValue());
    }
  }
}
