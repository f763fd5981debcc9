package dev.perdure.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.crash.ImageGroups.Content;
import dev.perdure.crash.recovery.ImageCheck;
import dev.perdure.model.code.CallStack;
import dev.perdure.model.code.Site;
import dev.perdure.model.finding.Place;
import java.util.List;
import org.junit.jupiter.api.Test;

class ImageGroupsTest {
  private static final Place PLACE = new Place(Site.UNKNOWN, CallStack.EMPTY);

  private final ImageGroups groups = new ImageGroups();

  private void add(int point, String image, long hash, long size) {
    groups.add(
        new Content(hash, List.of(size)),
        List::of,
        new ImageCheck(point, image, List.of(), List.of()),
        PLACE);
  }

  @Test
  void shouldRunOnceForImagesOfEqualContent() {
    add(1, "latest", 7, 64);
    add(1, "persisted", 5, 64);
    add(2, "persisted", 7, 64);
    ImageGroups.Group first = groups.next(true).orElseThrow();
    assertThat(first.checks()).extracting(ImageCheck::point).containsExactly(1, 2);
    assertThat(first.failures()).hasSize(2);
    assertThat(groups.next(true).orElseThrow().checks())
        .extracting(ImageCheck::image)
        .containsExactly("persisted");
    assertThat(groups.next(true)).isEmpty();
  }

  @Test
  void shouldTellPoolsOfDifferentSizesApart() {
    add(1, "latest", 7, 64);
    add(2, "latest", 7, 128);
    assertThat(groups.next(true).orElseThrow().checks()).hasSize(1);
  }

  @Test
  void shouldKeepOnlySoManyWaiting() {
    for (int i = 0; i < 64; i++) {
      add(i, "latest", i, 64);
    }
    assertThat(groups.next(false)).isEmpty();
    add(64, "latest", 64, 64);
    assertThat(groups.next(false).orElseThrow().checks())
        .extracting(ImageCheck::point)
        .containsExactly(0);
    assertThat(groups.next(false)).isEmpty();
  }
}
