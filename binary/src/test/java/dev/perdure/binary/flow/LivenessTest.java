package dev.perdure.binary.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.binary.decode.Decoder;
import dev.perdure.binary.decode.Instruction;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class LivenessTest {
  private static final int RAX = 1;
  private static final int RCX = 1 << 1;
  private static final int RBX = 1 << 3;
  private static final int R11 = 1 << 11;

  private static Function function(String... instructions) {
    byte[] bytes = HexFormat.of().parseHex(String.join("", instructions));
    Decoder decoder = new Decoder(bytes, 0x1000);
    List<Instruction> code = new ArrayList<>();
    for (long at = 0x1000; at < 0x1000 + bytes.length; at = code.get(code.size() - 1).end()) {
      code.add(decoder.at(at).orElseThrow());
    }
    return new Function(0x1000, 0x1000 + bytes.length, code);
  }

  private static int before(int index, Function function) {
    return Liveness.of(function).before(index);
  }

  @Test
  void shouldKillFlagsAndRegistersThatAreOverwritten() {
    // mov rax, [rdi]; mov ecx, 1; add ecx, ecx; ret
    Function f = function("488b07", "b901000000", "01c9", "c3");

    assertThat(before(0, f) & RCX).isZero();
    assertThat(before(0, f) & Liveness.FLAGS).isZero();
    assertThat(before(0, f) & RAX).isZero();
    assertThat(before(0, f) & RBX).isNotZero();
  }

  @Test
  void shouldKeepFlagsThatABranchBehindTheAccessReads() {
    // cmp eax, ecx; mov rdx, [rdi]; je ret; ret
    Function f = function("39c8", "488b17", "7400", "c3");

    assertThat(before(1, f) & Liveness.FLAGS).isNotZero();
    assertThat(before(0, f) & Liveness.FLAGS).isZero();
  }

  @Test
  void shouldFollowLoops() {
    // mov r11d, 0; top: mov rax, [rdi]; add r11, rax; dec ecx; jne top; ret
    Function f = function("41bb00000000", "488b07", "4901c3", "ffc9", "75f6", "c3");

    assertThat(before(1, f) & R11).isNotZero();
    assertThat(before(1, f) & RCX).isNotZero();
    assertThat(before(0, f) & R11).isZero();
  }

  @Test
  void shouldTakeNoPartialWriteForAKill() {
    // mov al, [rdi]; ret: the rest of rax stays
    Function f = function("8a07", "c3");

    assertThat(before(0, f) & RAX).isNotZero();
  }

  @Test
  void shouldTakeACallForAUseOfEveryRegisterButNotOfFlags() {
    // call next; mov ebx, 1; ret
    String[] code = {"e800000000", "bb01000000", "c3"};

    assertThat(before(0, function(code))).isEqualTo(0xffff);
  }

  @Test
  void shouldTakeAJumpOutOfTheFunctionForAUseOfEverything() {
    // mov ecx, [rdi]; jmp far away
    Function f = function("8b0f", "e900010000");

    assertThat(before(1, f)).isEqualTo(0xffff | Liveness.FLAGS);
  }

  @Test
  void shouldKeepFlagsAcrossAJumpByATable() {
    // test r15, r15; mov rcx, [rdi]; jmp [rsi * 8 + table]; je ret; ret
    Function f = function("4d85ff", "488b0f", "ff24f500100000", "7400", "c3");

    assertThat(before(1, f) & Liveness.FLAGS).isNotZero();
    assertThat(before(0, f) & Liveness.FLAGS).isZero();
  }
}
