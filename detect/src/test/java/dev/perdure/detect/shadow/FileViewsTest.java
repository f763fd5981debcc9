package dev.perdure.detect.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.detect.trace.Trace;
import dev.perdure.trace.event.EventInfo;
import org.junit.jupiter.api.Test;

class FileViewsTest {
  private static final long FIRST = Trace.PM;
  private static final long SECOND = Trace.PM + (1L << 40);
  private static final long FAR = 0x7f0000000000L;
  private static final long PAGE = 4096;

  @Test
  void shouldLeadEveryViewToTheFirstMappingOfTheByte() {
    FileViews views = new FileViews();
    views.map(FIRST, 4 * PAGE, 1, 0);
    views.map(SECOND, 2 * PAGE, 1, PAGE);
    assertThat(views.home(FIRST + 5)).isEqualTo(FIRST + 5);
    assertThat(views.home(SECOND + 5)).isEqualTo(FIRST + PAGE + 5);
    assertThat(views.run(SECOND + 5)).isEqualTo(2 * PAGE - 5);
    assertThat(views.home(SECOND + 2 * PAGE)).isEqualTo(SECOND + 2 * PAGE);
  }

  @Test
  void shouldKeepPagesThatOnlyTheSecondMappingShowsWhereTheyAre() {
    FileViews views = new FileViews();
    views.map(FIRST, PAGE, 1, PAGE);
    views.map(SECOND, 3 * PAGE, 1, 0);
    assertThat(views.home(SECOND)).isEqualTo(SECOND);
    assertThat(views.home(SECOND + PAGE)).isEqualTo(FIRST);
    assertThat(views.home(SECOND + 2 * PAGE)).isEqualTo(SECOND + 2 * PAGE);
  }

  @Test
  void shouldNotMixFiles() {
    FileViews views = new FileViews();
    views.map(FIRST, PAGE, 1, 0);
    views.map(SECOND, PAGE, 2, 0);
    assertThat(views.isEmpty()).isTrue();
  }

  @Test
  void shouldForgetAHomeThatAnotherFileIsMappedOver() {
    FileViews views = new FileViews();
    views.map(FAR, PAGE, 1, 0);
    views.map(FAR + 8 * PAGE, PAGE, 1, 0);
    assertThat(views.home(FAR + 8 * PAGE)).isEqualTo(FAR);
    views.map(FAR, PAGE, 2, 0);
    assertThat(views.home(FAR + 8 * PAGE)).isEqualTo(FAR + 8 * PAGE);
  }

  @Test
  void shouldTakeTwoMappingsOfAFileForOneMemory() {
    Trace trace = new Trace().begin(0).map(FIRST, 2 * PAGE, 1, 0).map(SECOND, 2 * PAGE, 1, 0);
    trace.start(2);
    trace.on(1).at(1).store(FIRST, 8, 7);
    trace.on(2).at(2).load(SECOND, 8, 7);
    assertThat(trace.findings())
        .anyMatch(f -> f.startsWith("persistency-race") && f.contains("store=1 load=2"))
        .anyMatch(f -> f.startsWith("missing-flush"));
  }

  @Test
  void shouldPersistThroughTheOtherMappingPieceByPiece() {
    Trace trace = new Trace().begin(0).map(FIRST, PAGE, 1, PAGE).map(SECOND, 3 * PAGE, 1, 0);
    trace.at(1).store(FIRST, 8, 7).at(2).store(SECOND + 2 * PAGE, 8, 7).at(3).store(SECOND, 8, 7);
    trace.at(4).persistCall(EventInfo.PERSIST_MSYNC, SECOND, 3 * PAGE);
    assertThat(trace.findings()).isEmpty();
  }

  @Test
  void shouldKeepAHomeOutsideTheWindowAliveForItsViews() {
    Trace trace = new Trace().begin(0).map(FAR, PAGE, 1, 0).map(FAR + 8 * PAGE, PAGE, 1, 0);
    trace.unmap(FAR, PAGE).at(1).store(FAR + 8 * PAGE, 8, 7);
    assertThat(trace.findings()).containsExactly("missing-flush store=1");
  }
}
