package dev.perdure.crash.memory;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongLinkedOpenHashSet;
import java.util.Collection;
import java.util.OptionalInt;
import java.util.function.LongFunction;

/**
 * What stores, flushes and fences do to the bytes of pools: the table of SEMANTICS, section 1. A
 * fence makes persistent what a flush found, also where a newer store has come since: that one
 * stays open.
 */
public final class LinePersistence {
  private static final int LINE = MemoryPage.LINE;
  private static final int UNIT = 8;

  private final PoolMemory memory;
  private final StoreLog stores;
  private final boolean needsFlushes;
  private final Long2ObjectOpenHashMap<OpenLine> lines = new Long2ObjectOpenHashMap<>();
  private final Int2ObjectOpenHashMap<LongLinkedOpenHashSet> pending =
      new Int2ObjectOpenHashMap<>();
  private long latestHash;
  private long persistentHash;
  private long windowHash;

  /**
   * @param original the pages of the pools before the run
   * @param needsFlushes whether a store is persistent only after a flush and a fence
   */
  public LinePersistence(LongFunction<byte[]> original, StoreLog stores, boolean needsFlushes) {
    this.memory = new PoolMemory(original);
    this.stores = stores;
    this.needsFlushes = needsFlushes;
  }

  /** How the bytes of a store may become persistent. */
  public enum Order {
    /** In the order of the line's stores. */
    IN_LINE,
    /** In any order: a vector store or a part of a copy. */
    ANY,
    /** In any order, and without a flush. */
    NON_TEMPORAL
  }

  /** A store; the array holds its bytes from the given index on. */
  public void store(
      long address, byte[] bytes, int from, int length, int store, int thread, Order order) {
    for (int done = 0; done < length; ) {
      long at = address + done;
      int part = Math.min(length - done, UNIT - (int) (at & UNIT - 1));
      unit(at, bytes, from + done, part, store, thread, order);
      done += part;
    }
  }

  private void unit(
      long address, byte[] bytes, int from, int length, int store, int thread, Order order) {
    MemoryPage page = memory.write(address);
    int at = PoolMemory.inPage(address);
    int line = at / LINE;
    int inLine = at % LINE;
    long mask = (1L << length) - 1 << inLine;
    byte[] content = new byte[LINE];
    for (int i = 0; i < length; i++) {
      forgetWindow(page, address + i, at + i);
      latestHash += ContentHash.change(address + i, page.latest[at + i], bytes[from + i]);
      page.latest[at + i] = bytes[from + i];
      page.writer[at + i] = store;
      content[inLine + i] = bytes[from + i];
    }
    page.open[line] |= mask;
    for (int i = 0; i < length; i++) {
      windowHash += window(page, address + i, at + i);
    }
    long lineAddress = address - inLine;
    OpenLine open = lines.computeIfAbsent(lineAddress, OpenLine::new);
    open.store(new StoreUnit(store, mask, content, order != Order.IN_LINE));
    if (!needsFlushes) {
      persistLine(open);
    } else if (order == Order.NON_TEMPORAL) {
      open.flush(thread, mask, content);
      pendingOf(thread).add(lineAddress);
    }
  }

  /** The bytes count as stored though they stay as they are. */
  public void allocate(long address, long length, int store, int thread) {
    for (long at = address; at < address + length; ) {
      MemoryPage page = memory.read(at);
      int inPage = PoolMemory.inPage(at);
      int part = (int) Math.min(address + length - at, MemoryPage.SIZE - inPage);
      store(at, page.latest.clone(), inPage, part, store, thread, Order.IN_LINE);
      at += part;
    }
  }

  /** Whether a byte is the same as what was stored there last. */
  public boolean holds(long address, byte value) {
    return memory.read(address).latest[PoolMemory.inPage(address)] == value;
  }

  /** Up to eight bytes as they were stored last, as a number. */
  public long value(PoolRange range) {
    long value = 0;
    for (int i = 0; i < Math.min(8, range.length()); i++) {
      long at = range.address() + i;
      value |= (memory.read(at).latest[PoolMemory.inPage(at)] & 0xffL) << 8 * i;
    }
    return value;
  }

  /** The store that wrote a byte last, 0 for none. */
  public int writer(long address) {
    return memory.read(address).writer[PoolMemory.inPage(address)];
  }

  /** A flush of a line that is not ordered by itself. */
  public void flush(long address, int thread) {
    long line = address & -LINE;
    OpenLine open = lines.get(line);
    if (open != null && open.open() != 0) {
      byte[] content = new byte[LINE];
      MemoryPage page = memory.read(line);
      System.arraycopy(page.latest, PoolMemory.inPage(line), content, 0, LINE);
      open.flush(thread, -1L, content);
      pendingOf(thread).add(line);
    }
  }

  private LongLinkedOpenHashSet pendingOf(int thread) {
    return pending.computeIfAbsent(thread, t -> new LongLinkedOpenHashSet());
  }

  /** Whether a fence of the thread would make anything persistent. */
  public boolean pendingFor(int thread) {
    LongLinkedOpenHashSet waiting = pending.get(thread);
    if (waiting == null) {
      return false;
    }
    for (long line : waiting) {
      OpenLine open = lines.get(line);
      if (open != null && open.pendingFor(thread)) {
        return true;
      }
    }
    return false;
  }

  /** A fence of the thread. */
  public void fence(int thread) {
    LongLinkedOpenHashSet waiting = pending.get(thread);
    if (waiting == null) {
      return;
    }
    for (long line : waiting) {
      OpenLine open = lines.get(line);
      if (open != null) {
        open.fence(thread, (mask, content, current) -> persist(line, mask, content, current));
        if (open.isOver()) {
          lines.remove(line);
        }
      }
    }
    waiting.clear();
  }

  /** All lines of a range become persistent at once. */
  public void persist(long address, long length) {
    long end = address + length;
    if (length / LINE > lines.size()) {
      for (long line : lines.keySet().toLongArray()) {
        if (line + LINE > address && line < end) {
          persistLine(lines.get(line));
        }
      }
      return;
    }
    for (long line = address & -LINE; line < end; line += LINE) {
      OpenLine open = lines.get(line);
      if (open != null) {
        persistLine(open);
      }
    }
  }

  private void persistLine(OpenLine open) {
    long line = open.address;
    byte[] content = new byte[LINE];
    System.arraycopy(memory.read(line).latest, PoolMemory.inPage(line), content, 0, LINE);
    persist(line, open.open(), content, open.open());
    open.close();
    lines.remove(line);
  }

  private void persist(long line, long mask, byte[] content, long current) {
    MemoryPage page = memory.write(line);
    int start = PoolMemory.inPage(line);
    for (long rest = mask; rest != 0; rest &= rest - 1) {
      int b = Long.numberOfTrailingZeros(rest);
      persistentHash += ContentHash.change(line + b, page.persisted[start + b], content[b]);
      page.persisted[start + b] = content[b];
    }
    for (long rest = current; rest != 0; rest &= rest - 1) {
      int b = Long.numberOfTrailingZeros(rest);
      forgetWindow(page, line + b, start + b);
    }
    page.open[start / LINE] &= ~current;
  }

  /** Whether a store to some byte of the range is not persistent. */
  public boolean isOpen(long address, long length) {
    if (length / LINE > lines.size()) {
      return lines.values().stream()
          .anyMatch(l -> l.address + LINE > address && l.address < address + length);
    }
    for (long line = address & -LINE; line < address + length; line += LINE) {
      OpenLine open = lines.get(line);
      if (open != null && (open.open() & maskIn(line, address, length)) != 0) {
        return true;
      }
    }
    return false;
  }

  /** The oldest store to the range that is not persistent. */
  public OptionalInt oldestOpen(PoolRange range) {
    OptionalInt oldest = OptionalInt.empty();
    for (long line = range.address() & -LINE; line < range.end(); line += LINE) {
      OpenLine open = lines.get(line);
      long mask = maskIn(line, range.address(), range.length());
      if (open != null) {
        int before = oldest.orElse(Integer.MAX_VALUE);
        OptionalInt first =
            open.units().stream()
                .filter(u -> (u.mask() & mask) != 0)
                .mapToInt(StoreUnit::store)
                .min();
        oldest = first.isPresent() ? OptionalInt.of(Math.min(before, first.getAsInt())) : oldest;
      }
    }
    return oldest;
  }

  /** Which bytes of a line belong to a range. */
  public static long maskIn(long line, long address, long length) {
    long from = Math.max(0, address - line);
    long to = Math.min(LINE, address + length - line);
    return from >= to ? 0 : (to == LINE ? -1L : (1L << to) - 1) & -1L << from;
  }

  /** Lines with stores that are on their way. */
  public Collection<OpenStores> openLines() {
    return lines.values().stream()
        .filter(l -> l.open() != 0)
        .map(l -> new OpenStores(l.address, l.open(), l.units()))
        .toList();
  }

  /** What was written, as it is now. */
  public MemorySnapshot snapshot() {
    return memory.snapshot(latestHash, persistentHash);
  }

  /** Equal for equal persistent contents, and practically only then. */
  public long persistentHash() {
    return persistentHash;
  }

  /** Equal for equal open windows, and practically only then. */
  public long windowHash() {
    return windowHash;
  }

  private void forgetWindow(MemoryPage page, long address, int at) {
    if ((page.open[at / LINE] & 1L << at % LINE) != 0) {
      windowHash -= window(page, address, at);
    }
  }

  private long window(MemoryPage page, long address, int at) {
    int store = page.writer[at];
    return ContentHash.mix(ContentHash.mix(address, page.latest[at] & 0xff), stores.origin(store));
  }
}
