package dev.perdure.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.model.code.CallStack;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import java.util.List;
import org.junit.jupiter.api.Test;

class LibraryFramesTest {
  private static final Frame MAIN = new Frame("main", "main.c", 7).in("prog");
  private static final Frame COMMIT = Frame.at("pmemobj_tx_commit", "libpmemobj.so.1", 0x34);
  private static final Frame INSIDE = Frame.at("libpmemobj.so.1", 0x1234);
  private static final Frame PERSIST = Frame.at("pmem_persist", "libpmem.so.1", 2);

  @Test
  void shouldFoldFramesOfALibraryIntoTheFunctionThatWasCalled() {
    Place folded =
        LibraryFrames.folded(
            new Place(
                new Site(List.of(PERSIST)), new CallStack(List.of(INSIDE, INSIDE, COMMIT, MAIN))));

    assertThat(folded.frame().function()).isEqualTo("[pm] pmemobj_tx_commit");
    assertThat(folded.callers().frames()).containsExactly(MAIN);
    assertThat(FrameText.shown(Role.STORE, folded)).isEqualTo(MAIN);
  }

  @Test
  void shouldLeaveTheProgramAsItIs() {
    Place callback =
        new Place(new Site(List.of(MAIN)), new CallStack(List.of(INSIDE, COMMIT, MAIN)));

    Place folded = LibraryFrames.folded(callback);

    assertThat(folded.site()).isEqualTo(callback.site());
    assertThat(folded.callers().frames())
        .extracting(Frame::function)
        .containsExactly("[pm] pmemobj_tx_commit", "main");
  }

  @Test
  void shouldKeepAFoldedFrameThatNobodyCalled() {
    Place folded = LibraryFrames.folded(new Place(new Site(List.of(COMMIT)), CallStack.EMPTY));

    assertThat(FrameText.shown(Role.STORE, folded)).isEqualTo(folded.frame());
  }
}
