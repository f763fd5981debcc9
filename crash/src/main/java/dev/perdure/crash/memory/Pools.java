package dev.perdure.crash.memory;

import dev.perdure.trace.definition.PmFile;
import dev.perdure.trace.live.PrivateView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The pools of a run: the user's files, which nobody writes to, and where the target has them. */
public final class Pools implements AutoCloseable {
  /**
   * One pool.
   *
   * @param path the user's file
   * @param address where the target had it mapped
   * @param length of that place
   * @param originalSize before the run, negative where there was no file
   * @param finalSize after the run
   */
  public record Pool(Path path, long address, long length, long originalSize, long finalSize) {
    /** Of several places, the largest is that of the whole pool. */
    private Pool in(PmFile file) {
      return file.length() <= length
          ? this
          : new Pool(path, file.address(), file.length(), originalSize, finalSize);
    }

    private Pool startingEmpty() {
      return new Pool(path, address, length, -1, finalSize);
    }
  }

  private final List<Pool> pools = new ArrayList<>();
  private final Map<String, Integer> byFile = new HashMap<>();
  private final List<FileChannel> originals = new ArrayList<>();

  /** Finds the pools of a recorded run among its PM files. */
  public static Pools of(List<PmFile> files, List<PrivateView> views) throws IOException {
    Pools pools = new Pools();
    for (PmFile file : files) {
      for (PrivateView view : views) {
        if (belongs(file.path(), view.own())) {
          Path user = Path.of(view.path() + file.path().substring(view.own().length()));
          pools.add(file, user);
          break;
        }
      }
    }
    return pools;
  }

  private static boolean belongs(String path, String folder) {
    return path.equals(folder) || path.startsWith(folder + "/");
  }

  private void add(PmFile file, Path user) throws IOException {
    Integer known = byFile.get(file.path());
    if (known != null) {
      pools.set(known, pools.get(known).in(file));
      return;
    }
    Path own = Path.of(file.path());
    boolean existed = Files.isRegularFile(user);
    byFile.put(file.path(), pools.size());
    originals.add(existed ? FileChannel.open(user, StandardOpenOption.READ) : null);
    pools.add(
        new Pool(
            user,
            file.address(),
            file.length(),
            existed ? Files.size(user) : -1,
            Files.exists(own) ? Files.size(own) : -1));
  }

  public List<Pool> all() {
    return List.copyOf(pools);
  }

  /** The index of the pool behind a file of the trace, negative for none. */
  public int indexOf(String file) {
    return byFile.getOrDefault(file, -1);
  }

  /** The run has emptied or replaced the user's file before it stored anything in it. */
  public void startEmpty(int pool) throws IOException {
    FileChannel original = originals.set(pool, null);
    if (original != null) {
      original.close();
    }
    pools.set(pool, pools.get(pool).startingEmpty());
  }

  /** A page as it was before the run. */
  public byte[] originalPage(long address) {
    byte[] page = new byte[MemoryPage.SIZE];
    FileChannel original = originals.get(PoolAddress.pool(address));
    if (original != null) {
      read(original, ByteBuffer.wrap(page), PoolAddress.offset(address));
    }
    return page;
  }

  private static void read(FileChannel from, ByteBuffer to, long offset) {
    try {
      long at = offset;
      int n = 0;
      while (to.hasRemaining() && n >= 0) {
        n = from.read(to, at);
        at += n;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    for (FileChannel original : originals) {
      if (original != null) {
        original.close();
      }
    }
  }
}
