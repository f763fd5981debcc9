package dev.perdure.model.finding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.model.code.CallStack;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlaceTest {
  private static final Frame ATOMIC = new Frame("store", "/usr/include/c++/12/bits/atomic.h", 464);
  private static final Frame INTRINSIC = new Frame("_mm_stream", "/x/lib/clang/19/mm.h", 7);
  private static final Frame TABLE = new Frame("resize", "src/table.hpp", 30);
  private static final Frame MAIN = new Frame("main", "main.cpp", 3);

  private static Place place(List<Frame> inlined, Frame... callers) {
    return new Place(new Site(inlined), new CallStack(List.of(callers)));
  }

  @Test
  void shouldNameTheAccessItself() {
    assertThat(place(List.of(TABLE), MAIN).ownFrame()).isEqualTo(TABLE);
  }

  @Test
  void shouldNameTheLineThatUsesHeadersOfTheSystem() {
    assertThat(place(List.of(ATOMIC, TABLE), MAIN).ownFrame()).isEqualTo(TABLE);
    assertThat(place(List.of(INTRINSIC), ATOMIC, MAIN).ownFrame()).isEqualTo(MAIN);
  }

  @Test
  void shouldNameTheCallerOfAtomicFunctions() {
    Frame function = Frame.at("libatomic.so.1.2.0", 0x431e);
    assertThat(place(List.of(function), ATOMIC, TABLE, MAIN).ownFrame()).isEqualTo(TABLE);
    assertThat(place(List.of(Frame.at("libtable.so", 0x10)), MAIN).description())
        .isEqualTo("libtable.so+0x10");
  }

  @Test
  void shouldDescribeWithoutLongTemplateArguments() {
    Frame frame = new Frame("Table<unsigned long, std::less<unsigned long>>::put", "src/t.h", 9);
    assertThat(place(List.of(frame), MAIN).description()).isEqualTo("Table<...>::put (t.h:9)");
    assertThat(place(List.of(Frame.UNKNOWN), MAIN).description()).isEqualTo("an unknown function");
  }

  @Test
  void shouldNameTheHeaderWhereNothingElseIsKnown() {
    assertThat(place(List.of(ATOMIC), new Frame("main", "", 0)).ownFrame()).isEqualTo(ATOMIC);
  }
}
