package dev.perdure.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolSnapshotTest {
  @TempDir Path folder;

  private Path store() {
    return folder.resolve("store");
  }

  @Test
  void shouldPutContentBackWhateverBecameOfTheFile() throws Exception {
    Path changed = Files.writeString(folder.resolve("changed"), "before");
    Path deleted = Files.writeString(folder.resolve("deleted"), "kept");
    Path longer = Files.writeString(folder.resolve("longer"), "x");
    List<Path> all = List.of(changed, deleted, longer);
    try (PoolSnapshot snapshot = PoolSnapshot.take(all, store())) {
      for (int run = 0; run < 2; run++) {
        Files.writeString(changed, "after and longer");
        Files.delete(deleted);
        Files.write(longer, new byte[100_000]);
        snapshot.restore();
        assertThat(changed).hasContent("before");
        assertThat(deleted).hasContent("kept");
        assertThat(longer).hasContent("x");
      }
    }
    assertThat(store()).doesNotExist();
  }

  @Test
  void shouldRemoveWhatDidNotExist() throws Exception {
    Path pool = folder.resolve("pool");
    try (PoolSnapshot snapshot = PoolSnapshot.take(List.of(pool), store())) {
      Files.writeString(pool, "new");
      snapshot.restore();
      assertThat(pool).doesNotExist();
      Files.createDirectories(pool.resolve("deep"));
      Files.writeString(pool.resolve("deep/file"), "new");
      snapshot.restore();
      assertThat(pool).doesNotExist();
    }
  }

  @Test
  void shouldPutFoldersBack() throws Exception {
    Path pools = Files.createDirectories(folder.resolve("pools/inner")).getParent();
    Files.writeString(pools.resolve("inner/a"), "a");
    try (PoolSnapshot snapshot = PoolSnapshot.take(List.of(pools), store())) {
      Files.writeString(pools.resolve("inner/a"), "changed");
      Files.createDirectory(pools.resolve("more"));
      Files.writeString(pools.resolve("more/b"), "b");
      snapshot.restore();
      assertThat(pools.resolve("inner/a")).hasContent("a");
      assertThat(pools.resolve("more")).doesNotExist();
      FileTree.delete(pools);
      snapshot.restore();
      assertThat(pools.resolve("inner/a")).hasContent("a");
    }
  }

  @Test
  void shouldKeepHolesInLargeFiles() throws Exception {
    Path pool = folder.resolve("pool");
    long size = 64L << 20;
    try (RandomAccessFile file = new RandomAccessFile(pool.toFile(), "rw")) {
      file.setLength(size);
      file.seek(size / 2);
      file.write(7);
    }
    try (PoolSnapshot snapshot = PoolSnapshot.take(List.of(pool), store())) {
      try (RandomAccessFile file = new RandomAccessFile(pool.toFile(), "rw")) {
        file.write(new byte[] {1, 2, 3});
      }
      snapshot.restore();
      assertThat(Files.size(pool)).isEqualTo(size);
      assertThat(kilobytes(pool)).isLessThan(1024);
      assertThat(kilobytes(store())).isLessThan(1024);
      try (RandomAccessFile file = new RandomAccessFile(pool.toFile(), "r")) {
        assertThat(file.read()).isZero();
        file.seek(size / 2);
        assertThat(file.read()).isEqualTo(7);
      }
    }
  }

  private static long kilobytes(Path path) throws Exception {
    Process du = new ProcessBuilder("du", "-sk", path.toString()).start();
    return Long.parseLong(new String(du.getInputStream().readAllBytes()).split("\\s+")[0]);
  }

  @Test
  void shouldRefuseDevices() {
    assertThatThrownBy(() -> PoolSnapshot.take(List.of(Path.of("/dev/null")), store()))
        .hasMessageContaining("/dev/null")
        .hasMessageContaining("cannot be put back");
  }
}
