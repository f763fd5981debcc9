package dev.perdure.crash.memory;

import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.function.LongFunction;

/** All pages that a run has written up to now. */
final class PoolMemory {
  private final LongFunction<byte[]> original;
  private final Long2ObjectOpenHashMap<MemoryPage> pages = new Long2ObjectOpenHashMap<>();
  private int version;

  /**
   * @param original the content of the page that begins at a pool address, before the run; the
   *     array is the caller's to change
   */
  PoolMemory(LongFunction<byte[]> original) {
    this.original = original;
  }

  static long pageOf(long address) {
    return address & -MemoryPage.SIZE;
  }

  static int inPage(long address) {
    return (int) address & MemoryPage.SIZE - 1;
  }

  /** The page, to be read. */
  MemoryPage read(long address) {
    MemoryPage page = pages.get(pageOf(address));
    return page != null ? page : write(address);
  }

  /** The page, to be written. */
  MemoryPage write(long address) {
    long key = pageOf(address);
    MemoryPage page = pages.get(key);
    if (page == null) {
      page = MemoryPage.of(original.apply(key), version);
      pages.put(key, page);
    } else if (page.version != version) {
      page = page.copy(version);
      pages.put(key, page);
    }
    return page;
  }

  MemorySnapshot snapshot(long latestHash, long persistentHash) {
    version++;
    return new MemorySnapshot(pages.clone(), latestHash, persistentHash);
  }
}
