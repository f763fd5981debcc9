package dev.perdure.target;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The state of PM files before a run, to be put back before the next. Files and folders that did
 * not exist are removed then. Blocks of zeros take no space, neither here nor in the restored
 * files.
 */
public final class PoolSnapshot implements AutoCloseable {
  private static final int BLOCK = 1 << 16;

  private final List<Path> roots;
  private final Path store;
  private final Map<Path, Path> copies = new TreeMap<>();
  private final Map<Path, Set<PosixFilePermission>> permissions = new TreeMap<>();
  private final Set<Path> folders = new HashSet<>();

  private PoolSnapshot(List<Path> roots, Path store) {
    this.roots = roots;
    this.store = store;
  }

  /**
   * Copies files and folders.
   *
   * @param paths what to keep; they need not exist
   * @param store a folder for the copies, which is made
   */
  public static PoolSnapshot take(List<Path> paths, Path store) throws IOException {
    PoolSnapshot snapshot = new PoolSnapshot(List.copyOf(paths), Files.createDirectories(store));
    for (Path root : snapshot.roots) {
      if (Files.exists(root)) {
        snapshot.keep(root);
      }
    }
    return snapshot;
  }

  private void keep(Path root) throws IOException {
    Files.walkFileTree(
        root.toRealPath(),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            folders.add(folder);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isOther()) {
              throw new IOException(
                  file + ": is a device or the like, whose state cannot be put back");
            }
            if (attributes.isRegularFile()) {
              keepFile(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private void keepFile(Path file) throws IOException {
    Path copy = store.resolve("pool-" + copies.size());
    copySparse(file, copy);
    copies.put(file, copy);
    permissions.put(file, Files.getPosixFilePermissions(file));
  }

  /** Puts everything back. */
  public void restore() throws IOException {
    for (Path root : roots) {
      if (Files.exists(root)) {
        removeNew(root.toRealPath());
      } else {
        Files.deleteIfExists(root);
      }
    }
    for (Path folder : folders.stream().sorted().toList()) {
      Files.createDirectories(folder);
    }
    for (Map.Entry<Path, Path> entry : copies.entrySet()) {
      copySparse(entry.getValue(), entry.getKey());
      Files.setPosixFilePermissions(entry.getKey(), permissions.get(entry.getKey()));
    }
  }

  private void removeNew(Path root) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (!copies.containsKey(file) && attributes.isRegularFile()) {
              Files.delete(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            if (!folders.contains(folder)) {
              FileTree.delete(folder);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static void copySparse(Path from, Path to) throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
    ByteBuffer zeros = ByteBuffer.allocateDirect(BLOCK);
    try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ);
        FileChannel out =
            FileChannel.open(
                to,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
      long size = in.size();
      for (long at = 0; at < size; ) {
        int n = in.read(block.clear(), at);
        if (n <= 0) {
          throw new IOException(from + ": became shorter while it was copied");
        }
        block.flip();
        if (block.mismatch(zeros.clear().limit(n)) >= 0) {
          write(out, block, at);
        }
        at += n;
      }
      if (out.size() < size) {
        write(out, ByteBuffer.allocate(1), size - 1);
      }
    }
  }

  private static void write(FileChannel out, ByteBuffer bytes, long offset) throws IOException {
    for (long at = offset; bytes.hasRemaining(); ) {
      at += out.write(bytes, at);
    }
  }

  /** Deletes the copies. */
  @Override
  public void close() throws IOException {
    FileTree.delete(store);
  }
}
