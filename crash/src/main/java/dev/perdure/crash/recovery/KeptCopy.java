package dev.perdure.crash.recovery;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A private copy of a large pool that stays from run to run. The runtime marks each page before the
 * target can write to it, in a file of marks: between two runs only those pages, and those in which
 * the two images differ, are written. Where marks do not tell (the target wrote to the file past
 * its mappings, replaced it or lives on), the copy is made anew.
 */
final class KeptCopy {
  private static final int PAGE = PoolImage.PAGE;

  /** The mark before that of the first page says that marks are not enough. */
  private static final int FIRST_PAGE = 1;

  private record Identity(Object file, long size, Set<PosixFilePermission> permissions) {
    static Identity of(Path file) throws IOException {
      PosixFileAttributes attributes =
          Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return new Identity(attributes.fileKey(), attributes.size(), attributes.permissions());
    }
  }

  private final Path own;
  private final Path marks;
  private final Identity identity;
  private Map<Long, byte[]> laid;

  /**
   * @param own a copy that was just made, with the pages of the image in it
   * @param folder where the runtime looks for marks
   */
  KeptCopy(Path own, Path folder, PoolImage pool) throws IOException {
    this.own = own;
    this.identity = Identity.of(own);
    Files.createDirectories(folder);
    this.marks = folder.resolve(Files.getAttribute(own, "unix:ino").toString());
    this.laid = byOffset(pool);
    clearMarks();
  }

  private static Map<Long, byte[]> byOffset(PoolImage pool) {
    Map<Long, byte[]> pages = new HashMap<>();
    pool.pages().stream()
        .filter(p -> p.offset() < pool.size())
        .forEach(p -> pages.put(p.offset(), p.content()));
    return pages;
  }

  private void clearMarks() throws IOException {
    try (FileChannel out =
        FileChannel.open(
            marks,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      out.write(ByteBuffer.allocate(1), FIRST_PAGE + (identity.size() + PAGE - 1) / PAGE);
    }
  }

  /**
   * Makes it the copy of another image.
   *
   * @return the pages that have to be written for that; none at all if it must be made anew
   */
  Optional<List<PoolImage.Page>> changeTo(PoolImage pool, Optional<FileChannel> original)
      throws IOException {
    if (pool.size() != identity.size()
        || !Files.isRegularFile(own, LinkOption.NOFOLLOW_LINKS)
        || !Identity.of(own).equals(identity)) {
      return Optional.empty();
    }
    byte[] marked = Files.readAllBytes(marks);
    if (marked[0] != 0) {
      return Optional.empty();
    }
    Map<Long, byte[]> next = byOffset(pool);
    TreeSet<Long> candidates = new TreeSet<>(next.keySet());
    candidates.addAll(laid.keySet());
    for (int i = FIRST_PAGE; i < marked.length; i++) {
      if (marked[i] != 0) {
        candidates.add((long) (i - FIRST_PAGE) * PAGE);
      }
    }
    List<PoolImage.Page> pages = new ArrayList<>();
    for (long offset : candidates) {
      boolean touched = marked[(int) (offset / PAGE) + FIRST_PAGE] != 0;
      byte[] wanted = next.get(offset);
      if (touched || !Arrays.equals(wanted, laid.get(offset))) {
        pages.add(
            new PoolImage.Page(offset, wanted != null ? wanted : originalPage(original, offset)));
      }
    }
    laid = next;
    clearMarks();
    return Optional.of(pages);
  }

  private static byte[] originalPage(Optional<FileChannel> original, long offset)
      throws IOException {
    ByteBuffer page = ByteBuffer.allocate(PAGE);
    if (original.isPresent()) {
      OriginalContents.fill(original.get(), page, offset);
    }
    return page.array();
  }

  void discard() throws IOException {
    Files.deleteIfExists(marks);
    Files.deleteIfExists(own);
  }
}
