package dev.perdure.crash.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.crash.memory.LinePersistence;
import dev.perdure.crash.memory.LinePersistence.Order;
import dev.perdure.crash.memory.MemoryPage;
import dev.perdure.crash.memory.StoreLog;
import dev.perdure.crash.point.FailurePoint;
import dev.perdure.crash.point.LoggedRanges;
import dev.perdure.model.code.CallStack;
import dev.perdure.model.code.Site;
import dev.perdure.model.finding.Place;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CrashImagesTest {
  private final StoreLog stores = new StoreLog();
  private final LinePersistence memory =
      new LinePersistence(page -> new byte[MemoryPage.SIZE], stores, true);

  private void store(long address, int value, Order order) {
    int number = stores.add(1, 0, 1, stores.site(0) + address, 0);
    memory.store(address, new byte[] {(byte) value}, 0, 1, number, 1, order);
  }

  private FailurePoint point() {
    return new FailurePoint(
        1,
        1,
        new Place(Site.UNKNOWN, CallStack.EMPTY),
        memory.snapshot(),
        memory.openLines(),
        new LoggedRanges(),
        List.of(),
        List.of(),
        new long[] {4096});
  }

  /** The bytes at 0, 8 and 64 of every image. */
  private Set<String> contents(CrashImages images) {
    Set<String> contents = new TreeSet<>();
    for (CrashImage image : images.of(point())) {
      image.forEachPage((address, page) -> contents.add("" + page[0] + page[8] + page[64]));
    }
    return contents;
  }

  private static CrashImages choose(ImageKind kind, int most) {
    return new CrashImages(Set.of(kind), most, 1);
  }

  @Test
  void shouldHoldEverythingOrOnlyWhatIsPersistent() {
    store(0, 1, Order.IN_LINE);
    memory.persist(0, 1);
    store(8, 2, Order.IN_LINE);
    assertThat(contents(choose(ImageKind.LATEST, 9))).containsExactly("120");
    assertThat(contents(choose(ImageKind.PERSISTED, 9))).containsExactly("100");
  }

  @Test
  void shouldKeepTheOrderOfStoresWithinALine() {
    store(0, 1, Order.IN_LINE);
    store(8, 2, Order.IN_LINE);
    store(64, 3, Order.IN_LINE);
    assertThat(contents(choose(ImageKind.ALL, 99)))
        .containsExactly("000", "003", "100", "103", "120", "123");
  }

  @Test
  void shouldLetNonTemporalStoresOvertake() {
    store(0, 1, Order.IN_LINE);
    store(8, 2, Order.NON_TEMPORAL);
    assertThat(contents(choose(ImageKind.ALL, 99))).containsExactly("000", "020", "100", "120");
  }

  @Test
  void shouldSayHowManyImagesWereLeftOut() {
    for (int line = 0; line < 8; line++) {
      store(line * 64L, 1, Order.IN_LINE);
    }
    CrashImages images = choose(ImageKind.ALL, 20);
    assertThat(images.of(point())).hasSizeBetween(18, 22);
    assertThat(images.leftOut()).isBetween(234L, 240L);
  }

  @Test
  void shouldGiveEqualImagesOnce() {
    store(0, 1, Order.IN_LINE);
    memory.persist(0, 64);
    CrashImages images = new CrashImages(Set.of(ImageKind.LATEST, ImageKind.PERSISTED), 9, 1);
    assertThat(images.of(point())).hasSize(1);
  }

  @Test
  void shouldGiveEqualContentsTheSameNumber() {
    store(0, 1, Order.IN_LINE);
    store(8, 2, Order.IN_LINE);
    FailurePoint before = point();
    memory.persist(0, 64);
    store(64, 3, Order.IN_LINE);
    FailurePoint after = point();
    assertThat(CrashImage.latest(before).contentHash())
        .isEqualTo(CrashImage.persisted(after).contentHash())
        .isNotEqualTo(CrashImage.latest(after).contentHash())
        .isNotEqualTo(CrashImage.persisted(before).contentHash());
    assertThat(choose(ImageKind.ALL, 99).of(before))
        .extracting(CrashImage::contentHash)
        .doesNotHaveDuplicates();
  }
}
