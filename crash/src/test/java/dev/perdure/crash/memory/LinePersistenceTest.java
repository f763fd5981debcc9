package dev.perdure.crash.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.crash.memory.LinePersistence.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LinePersistenceTest {
  private static final int T1 = 1;
  private static final int T2 = 2;

  private StoreLog stores;
  private LinePersistence memory;

  @BeforeEach
  void start() {
    stores = new StoreLog();
    memory = new LinePersistence(page -> new byte[MemoryPage.SIZE], stores, true);
  }

  private void store(long address, int value, int thread, Order order) {
    int number = stores.add(1, 0, thread, stores.add(1, 0, thread, 0, 0), 0);
    memory.store(address, new byte[] {(byte) value}, 0, 1, number, thread, order);
  }

  private int persisted(long address) {
    return memory.snapshot().page(address).orElseThrow().persisted()[(int) address & 4095];
  }

  private int latest(long address) {
    return memory.snapshot().page(address).orElseThrow().latest()[(int) address & 4095];
  }

  @Test
  void shouldPersistAfterFlushAndFenceOfTheSameThread() {
    store(10, 7, T1, Order.IN_LINE);
    memory.fence(T1);
    assertThat(memory.isOpen(10, 1)).isTrue();
    memory.flush(10, T1);
    memory.fence(T2);
    assertThat(persisted(10)).isZero();
    memory.fence(T1);
    assertThat(persisted(10)).isEqualTo(7);
    assertThat(memory.isOpen(10, 1)).isFalse();
  }

  @Test
  void shouldKeepWhatTheFlushFoundWhereANewerStoreCame() {
    store(10, 7, T1, Order.IN_LINE);
    memory.flush(10, T1);
    store(10, 8, T1, Order.IN_LINE);
    memory.fence(T1);
    assertThat(persisted(10)).isEqualTo(7);
    assertThat(latest(10)).isEqualTo(8);
    assertThat(memory.isOpen(10, 1)).isTrue();
  }

  @Test
  void shouldNeedOnlyAFenceForNonTemporalStores() {
    store(10, 7, T1, Order.NON_TEMPORAL);
    assertThat(memory.pendingFor(T1)).isTrue();
    memory.fence(T1);
    assertThat(persisted(10)).isEqualTo(7);
  }

  @Test
  void shouldLeaveSnapshotsAsTheyAre() {
    store(10, 7, T1, Order.IN_LINE);
    MemorySnapshot before = memory.snapshot();
    store(10, 8, T1, Order.IN_LINE);
    memory.persist(0, 64);
    assertThat(before.page(10).orElseThrow().latest()[10]).isEqualTo((byte) 7);
    assertThat(before.page(10).orElseThrow().persisted()[10]).isZero();
    assertThat(before.page(10).orElseThrow().open(0)).isEqualTo(1L << 10);
  }

  @Test
  void shouldComeBackToTheSameHashesWithTheSameState() {
    store(10, 0, T1, Order.IN_LINE);
    memory.persist(0, 64);
    long persistent = memory.persistentHash();
    long windows = memory.windowHash();
    store(10, 8, T1, Order.IN_LINE);
    assertThat(memory.windowHash()).isNotEqualTo(windows);
    memory.persist(0, 64);
    assertThat(memory.persistentHash()).isNotEqualTo(persistent);
    store(10, 0, T1, Order.IN_LINE);
    memory.persist(0, 64);
    assertThat(memory.persistentHash()).isEqualTo(persistent);
    assertThat(memory.windowHash()).isEqualTo(windows);
  }

  /** Bytes one by one, by the words of SEMANTICS, section 1. */
  private static final class Reference {
    final int[] latest = new int[128];
    final int[] persisted = new int[128];
    final boolean[] open = new boolean[128];
    final List<int[]> flushed = new ArrayList<>();

    void store(int at, int value, int thread, boolean nonTemporal) {
      latest[at] = value;
      open[at] = true;
      flushed.forEach(f -> f[3] = f[1] == at ? 0 : f[3]);
      if (nonTemporal) {
        flushed.add(new int[] {thread, at, value, 1});
      }
    }

    void flush(int line, int thread) {
      for (int at = line * 64; at < line * 64 + 64; at++) {
        if (open[at]) {
          flushed.add(new int[] {thread, at, latest[at], 1});
        }
      }
    }

    void fence(int thread) {
      for (int[] f : List.copyOf(flushed)) {
        if (f[0] == thread && flushed.contains(f)) {
          persisted[f[1]] = f[2];
          flushed.remove(f);
          if (f[3] == 1) {
            open[f[1]] = false;
            flushed.removeIf(g -> g[1] == f[1]);
          }
        }
      }
    }
  }

  @Test
  void shouldAgreeWithTheReferenceOnRandomOperations() {
    for (int seed = 0; seed < 200; seed++) {
      start();
      Random random = new Random(seed);
      Reference reference = new Reference();
      for (int i = 0; i < 120; i++) {
        int thread = 1 + random.nextInt(2);
        int at = random.nextInt(128);
        switch (random.nextInt(5)) {
          case 0, 1 -> {
            store(at, i, thread, Order.IN_LINE);
            reference.store(at, i, thread, false);
          }
          case 2 -> {
            store(at, i, thread, Order.NON_TEMPORAL);
            reference.store(at, i, thread, true);
          }
          case 3 -> {
            memory.flush(at, thread);
            reference.flush(at / 64, thread);
          }
          default -> {
            memory.fence(thread);
            reference.fence(thread);
          }
        }
      }
      store(0, 1, T1, Order.IN_LINE);
      reference.store(0, 1, T1, false);
      for (int at = 0; at < 128; at++) {
        assertThat(memory.isOpen(at, 1))
            .as("seed %d, byte %d", seed, at)
            .isEqualTo(reference.open[at]);
        assertThat(latest(at)).isEqualTo((byte) reference.latest[at]);
        assertThat(persisted(at))
            .as("seed %d, byte %d", seed, at)
            .isEqualTo((byte) reference.persisted[at]);
      }
    }
  }
}
