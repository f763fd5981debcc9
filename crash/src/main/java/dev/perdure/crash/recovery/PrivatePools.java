package dev.perdure.crash.recovery;

import dev.perdure.target.FileTree;
import dev.perdure.trace.definition.PmFile;
import dev.perdure.trace.live.PrivateView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A folder with copies of PM files and folders, which a target sees under the paths of the
 * originals. Blocks of zeros take no space in them.
 */
public final class PrivatePools {
  /** To copy less than this anew costs less than to find out what a run has changed. */
  private static final long LARGE = 16 << 20;

  private final Path folder;
  private final List<Path> originals;
  private final List<PrivateView> views = new ArrayList<>();
  private final OriginalContents contents;
  private final PageWriter pages = new PageWriter();
  private final Map<Path, KeptCopy> kept = new HashMap<>();

  /**
   * @param folder where the copies go
   * @param originals what the user calls persistent memory, absolute
   */
  public PrivatePools(Path folder, List<Path> originals) throws IOException {
    this(folder, originals, new OriginalContents());
  }

  PrivatePools(Path folder, List<Path> originals, OriginalContents contents) throws IOException {
    this.folder = folder;
    this.contents = contents;
    this.originals = List.copyOf(originals);
    for (int i = 0; i < originals.size(); i++) {
      String own = folder.resolve("pm" + (i + 1)).toString();
      views.add(new PrivateView(originals.get(i).toString(), own));
      Path real = real(originals.get(i));
      if (!real.equals(originals.get(i))) {
        views.add(new PrivateView(real.toString(), own));
      }
    }
  }

  private static Path real(Path path) throws IOException {
    if (Files.exists(path)) {
      return path.toRealPath();
    }
    Path parent = path.getParent();
    return parent == null ? path : real(parent).resolve(path.getFileName());
  }

  /** For the target's recording. */
  public List<PrivateView> views() {
    return List.copyOf(views);
  }

  /** The private files and folders, to be named as persistent memory. */
  public List<Path> own() {
    return views.stream().map(v -> Path.of(v.own())).distinct().toList();
  }

  /** Makes all copies anew. */
  public void copyOriginals() throws IOException {
    for (int i = 0; i < originals.size(); i++) {
      Path own = folder.resolve("pm" + (i + 1));
      FileTree.delete(own);
      if (Files.exists(originals.get(i))) {
        copyTree(originals.get(i).toRealPath(), own, Set.of());
      }
    }
  }

  /** Puts the pools of an image in place; files that are no pools are copied where they miss. */
  public void put(List<PoolImage> pools) throws IOException {
    for (PoolImage pool : pools) {
      if (pool.size() < 0) {
        forget(ownOf(pool.path()));
      } else if (!change(pool)) {
        copy(pool);
      }
    }
    for (Path original : originals) {
      if (Files.isDirectory(original)) {
        Path own = folder.resolve("pm" + (originals.indexOf(original) + 1));
        Set<Path> done = Set.copyOf(pools.stream().map(p -> ownOf(p.path())).toList());
        copyTree(original.toRealPath(), own, done);
      }
    }
  }

  /** Files that a process may still have mapped are not used any more. */
  void abandon() throws IOException {
    for (Path own : List.copyOf(kept.keySet())) {
      forget(own);
    }
  }

  private void forget(Path own) throws IOException {
    KeptCopy copy = kept.remove(own);
    if (copy != null) {
      copy.discard();
    }
    Files.deleteIfExists(own);
  }

  /** Makes a copy that is there already into that of an image, if that is possible. */
  private boolean change(PoolImage pool) throws IOException {
    Path own = ownOf(pool.path());
    KeptCopy copy = kept.get(own);
    if (copy == null) {
      return false;
    }
    Optional<List<PoolImage.Page>> changes;
    Path original = Path.of(pool.path());
    if (pool.original()) {
      try (FileChannel in = FileChannel.open(original, StandardOpenOption.READ)) {
        changes = copy.changeTo(pool, Optional.of(in));
      }
    } else {
      changes = copy.changeTo(pool, Optional.empty());
    }
    if (changes.isEmpty()) {
      return false;
    }
    try (FileChannel to = FileChannel.open(own, StandardOpenOption.WRITE)) {
      pages.write(pool.with(changes.get()), to, false);
    }
    return true;
  }

  private void copy(PoolImage pool) throws IOException {
    Path own = ownOf(pool.path());
    Path original = Path.of(pool.path());
    forget(own);
    Files.createDirectories(own.getParent());
    long bytes = (long) pool.pages().size() * PoolImage.PAGE;
    try (FileChannel to =
        FileChannel.open(own, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      if (pool.original()) {
        bytes += contents.bytes(original);
        contents.copy(original, to);
      }
      pages.write(pool, to, !pool.original());
      if (to.size() < pool.size()) {
        to.write(ByteBuffer.allocate(1), pool.size() - 1);
      }
    }
    if (bytes >= LARGE) {
      kept.put(own, new KeptCopy(own, folder.resolve("written"), pool));
    }
  }

  /** Whether a file is one of the private ones. */
  public boolean holds(String file) {
    return own().stream().anyMatch(o -> Path.of(file).startsWith(o));
  }

  /** The private file of a user's file. */
  Path ownOf(String path) {
    for (PrivateView view : views) {
      if (path.equals(view.path()) || path.startsWith(view.path() + "/")) {
        return Path.of(view.own() + path.substring(view.path().length()));
      }
    }
    throw new IllegalArgumentException(path + " is no pool");
  }

  /** Where the pools of an image are to be mapped. */
  public List<PmFile> places(List<PoolImage> pools) {
    return pools.stream()
        .map(p -> new PmFile(0, 0, p.address(), p.length(), ownOf(p.path()).toString()))
        .toList();
  }

  private void copyTree(Path from, Path to, Set<Path> done) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path f, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(to.resolve(from.relativize(f)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path own = file.equals(from) ? to : to.resolve(from.relativize(file));
            if (attributes.isRegularFile() && !done.contains(own)) {
              Files.deleteIfExists(own);
              try (FileChannel out =
                  FileChannel.open(own, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                contents.copy(file, out);
              }
              Files.setPosixFilePermissions(own, Files.getPosixFilePermissions(file));
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
