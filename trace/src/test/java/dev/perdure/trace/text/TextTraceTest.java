package dev.perdure.trace.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.model.code.Frame;
import dev.perdure.trace.RandomEvents;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.event.MemoryOrder;
import dev.perdure.trace.format.TraceFormatException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextTraceTest {
  private static TextTrace trace(String text) {
    return new TextTrace(new StringReader(text), "t.txt");
  }

  @Test
  void shouldWriteLinesThatPeopleCanRead() {
    Event e = new Event();
    e.set(
        EventKind.STORE,
        MemoryOrder.info(8, MemoryOrder.RELEASE),
        2,
        123,
        0x200000000040L,
        3,
        7,
        1);
    assertThat(EventText.of(e))
        .isEqualTo(
            "T2 store addr=0x200000000040 size=8 order=release value=0x1 site=3 stack=7 t=123");
    e.set(EventKind.FENCE, EventInfo.FENCE_SFENCE, 1, 5, 0, 4, 0, 0);
    assertThat(EventText.of(e)).isEqualTo("T1 fence how=sfence site=4 t=5");
    e.set(EventKind.ACQUIRE, EventInfo.LOCK_SHARED | EventInfo.LOCK_TRY, 1, 6, 0x10, 0, 0, 0);
    assertThat(EventText.of(e)).isEqualTo("T1 acquire addr=0x10 shared try t=6");
    e.set(EventKind.ACQUIRE, EventInfo.LOCK_OWNER_DIED, 1, 6, 0x10, 0, 0, 0);
    assertThat(EventText.of(e)).isEqualTo("T1 acquire addr=0x10 owner_died t=6");
    e.set(EventKind.THREAD_BEGIN, 0, 2, 7, 1, 0, 0, 2);
    assertThat(EventText.of(e)).isEqualTo("T2 thread_begin creator=1 thread=2 t=7");
    e.set(EventKind.RMW, MemoryOrder.info(4, MemoryOrder.SEQ_CST), 1, 8, 0x20, 0, 0, 2);
    e.resizePayload(32)[16] = 1;
    assertThat(EventText.of(e))
        .isEqualTo("T1 rmw addr=0x20 size=4 order=seq_cst op=cas old=0x0 new=0x1 t=8");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void shouldReadBackWhatItWrites(long seed) throws Exception {
    RandomEvents random = new RandomEvents(seed);
    StringBuilder text = new StringBuilder();
    TextWriter writer = new TextWriter(text, random);
    List<Event> written = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      written.add(random.next());
      writer.append(written.get(i));
    }

    TextTrace read = trace(text.toString());
    Event e = new Event();
    for (Event expected : written) {
      assertThat(read.next(e)).isTrue();
      assertThat(RandomEvents.describe(e)).isEqualTo(RandomEvents.describe(expected));
      assertThat(read.site(e.site())).isEqualTo(random.site(e.site()));
      assertThat(read.callStack(e.stack())).isEqualTo(random.callStack(e.stack()));
    }
    assertThat(read.next(e)).isFalse();
    assertThat(read.files()).isEqualTo(random.files());
    assertThat(read.processes()).isEqualTo(random.processes());
  }

  @Test
  void shouldReadWhatPeopleWrite() throws Exception {
    TextTrace read =
        trace(
            """
            # the store of a put
            site 3 put table.c:785 < main table.c:12

            T2 store value=5 size=8 addr=0x10 site=3
            """);
    Event e = new Event();
    assertThat(read.next(e)).isTrue();
    assertThat(e.value()).isEqualTo(5);
    assertThat(read.site(3).frames())
        .containsExactly(new Frame("put", "table.c", 785), new Frame("main", "table.c", 12));
    assertThat(read.modules()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "T1 sotre addr=0x1|unknown kind of event sotre",
        "T1 store adr=0x1|has no field [adr]",
        "T1 store addr=0xzz|a number is malformed",
        "T1 store size=40|out of range",
        "T1 store_block length=3 bytes=00|3 bytes announced, 1 given",
        "T1 store_block length=5000|at most 4096 bytes",
        "Tx store|a number is malformed",
        "T1|not the line of an event",
        "site 3 put|a site is",
        "site 3 put table.c|file:line expected",
        "site 3 \"put|a quote is not closed",
        "stack 3 parent=1|no field site",
        "process 9999 pid=1 x|too large",
        "hello world again|neither an event nor a definition",
      })
  void shouldSayWhatIsWrongAndWhere(String line, String what) {
    assertThatThrownBy(() -> trace("# first line\n" + line + "\n").next(new Event()))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageStartingWith("t.txt:2: ")
        .hasMessageContaining(what);
  }
}
