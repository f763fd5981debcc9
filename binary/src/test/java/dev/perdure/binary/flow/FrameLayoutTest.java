package dev.perdure.binary.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameLayoutTest {
  private static final int ADVANCE_4 = 0x44;
  private static final int DEF_CFA = 0x0c;
  private static final int DEF_CFA_OFFSET = 0x0e;
  private static final int DEF_CFA_OFFSET_SF = 0x13;
  private static final int OFFSET_EXTENDED_SF = 0x11;
  private static final int OFFSET_RBP = 0x86;
  private static final int RBP = 6;
  private static final int RBX = 3;

  private static List<FrameRow> rows(int... own) {
    byte[] bytes = new byte[own.length];
    for (int i = 0; i < own.length; i++) {
      bytes[i] = (byte) own[i];
    }
    return FrameLayout.of(
        List.of(new UnwindEntry(0x1000, 0x20, 0, new CallFrameProgram(1, -8, new byte[0], bytes))));
  }

  @Test
  void shouldFollowAFrameWithRbp() {
    assertThat(rows(ADVANCE_4, DEF_CFA_OFFSET, 16, OFFSET_RBP, 2, ADVANCE_4, DEF_CFA, RBP, 16))
        .containsExactly(
            new FrameRow(0x1000, FrameRow.Base.RSP, 8, 0),
            new FrameRow(0x1004, FrameRow.Base.RSP, 16, 16),
            new FrameRow(0x1008, FrameRow.Base.RBP, 16, 16),
            FrameRow.unknown(0x1020));
  }

  @Test
  void shouldNotKnowFramesCountedFromOtherRegisters() {
    assertThat(rows(ADVANCE_4, DEF_CFA, RBX, 16)).contains(FrameRow.unknown(0x1004));
  }

  @ParameterizedTest
  @ValueSource(ints = {DEF_CFA_OFFSET_SF, OFFSET_EXTENDED_SF})
  void shouldNotKnowFramesThatLieBelowTheirBase(int operation) {
    int[] program =
        operation == DEF_CFA_OFFSET_SF
            ? new int[] {ADVANCE_4, operation, 1}
            : new int[] {ADVANCE_4, operation, RBP, 0x7f};

    assertThat(rows(program)).contains(FrameRow.unknown(0x1004));
  }

  @Test
  void shouldUnpackWhatItPacked() {
    for (FrameRow.Base base : FrameRow.Base.values()) {
      FrameRow row = new FrameRow(0, base, 524_280, 2040);
      assertThat(FrameRow.unpacked(0, row.packed())).isEqualTo(row);
    }
  }
}
