package dev.perdure.llvm.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AssemblyEffectsTest {
  private static final Address FIRST = new Address.MemoryOperand(0);
  private static final Address POINTER = new Address.Computed(0, 0, 0, 0);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "clwb $0 | CLWB",
        "clflushopt $0 | CLFLUSHOPT",
        "clflush $0 | CLFLUSH",
        ".byte 0x66; clflush $0 | CLFLUSHOPT",
        ".byte 0x66\\n\\tclflush $0 | CLFLUSHOPT",
        ".byte 0x66; xsaveopt $0 | CLWB",
        "data16 xsaveopt $0 | CLWB",
        ".byte 0x66; xsaveopt ${0:P} | CLWB",
        "CLWB $0 | CLWB",
      })
  void shouldKnowEveryFlushOfAMemoryOperand(String text, Effect.FlushKind kind) {
    assertThat(effects(text.replace("\\n", "\n").replace("\\t", "\t"), "=*m,*m"))
        .containsExactly(new Effect.Flush(kind, FIRST));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "clwb ($0) | CLWB | 0",
        "clwb 64($0) | CLWB | 64",
        "clflushopt -8($0) | CLFLUSHOPT | -8",
        "clflush ${0:a} | CLFLUSH | 0",
      })
  void shouldKnowFlushesOfAddressesInRegisters(String text, Effect.FlushKind kind, long offset) {
    assertThat(effects(text, "r,~{memory}"))
        .containsExactly(new Effect.Flush(kind, new Address.Computed(0, 0, 0, offset)));
  }

  @Test
  void shouldDecodeFlushesAndFencesGivenAsBytes() {
    assertThat(effects(".byte 0x66, 0x0f, 0xae, 0x30", "{ax}"))
        .containsExactly(new Effect.Flush(Effect.FlushKind.CLWB, POINTER));
    assertThat(effects(".byte 0x66,0x0f,0xae,0x3b", "{bx}"))
        .containsExactly(new Effect.Flush(Effect.FlushKind.CLFLUSHOPT, POINTER));
    assertThat(effects(".byte 0x66,0x0f,0xae,0xb8,0x00,0x01,0x00,0x00", "{ax}"))
        .containsExactly(
            new Effect.Flush(Effect.FlushKind.CLFLUSHOPT, new Address.Computed(0, 0, 0, 256)));
    assertThat(effects(".byte 0x66,0x42,0x0f,0xae,0x74,0xc0,0xc0", "{ax},{r8}"))
        .containsExactly(
            new Effect.Flush(Effect.FlushKind.CLWB, new Address.Computed(0, 1, 8, -64)));
    assertThat(effects(".byte 0x0f, 0xae, 0xf8", "")).containsExactly(new Effect.StoreFence());
  }

  @Test
  void shouldKeepTheOrderOfTheText() {
    assertThat(effects("clwb $0\n\tsfence", "=*m,*m"))
        .containsExactly(new Effect.Flush(Effect.FlushKind.CLWB, FIRST), new Effect.StoreFence());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "nop", "pause", "lfence", "# a comment", "lea $0, %rax", "prefetchw $0"})
  void shouldFindNothingInHarmlessText(String text) {
    assertThat(effects(text, "=*m,*m,~{memory}")).isEmpty();
  }

  @Test
  void shouldSeeExchangesAndLockedInstructions() {
    assertThat(effects("xchgb ${0:b},$1", "=q,=*m,0,*m"))
        .containsExactly(new Effect.LockedRmw(Effect.RmwKind.EXCHANGE, FIRST, 1));
    assertThat(effects("xchgq $0, ($1)", "=r,r,0"))
        .containsExactly(new Effect.LockedRmw(Effect.RmwKind.EXCHANGE, POINTER, 8));
    assertThat(effects("lock; cmpxchgl $2,$1", "={ax},=*m,r,0,*m"))
        .containsExactly(new Effect.LockedRmw(Effect.RmwKind.COMPARE_EXCHANGE, FIRST, 4));
    assertThat(effects("lock cmpxchg16b $1", "=q,=*m,*m"))
        .containsExactly(new Effect.LockedRmw(Effect.RmwKind.COMPARE_EXCHANGE, FIRST, 16));
    assertThat(effects(".byte 0xf0; incw $0", "=*m,*m"))
        .containsExactly(new Effect.LockedRmw(Effect.RmwKind.OTHER, FIRST, 2));
  }

  @Test
  void shouldTakeALockedInstructionOnTheStackAsOneWithoutAddress() {
    assertThat(effects("lock; addl $$0, 0(%rsp)", "~{memory}"))
        .containsExactly(new Effect.LockedRmw(Effect.RmwKind.OTHER, new Address.Unknown(), 4));
  }

  @Test
  void shouldNotTakeAnExchangeOfRegistersForALock() {
    assertThat(effects("xchgw %bx, %bx", "")).isEmpty();
  }

  @Test
  void shouldSeeNonTemporalStoresWithTheirValue() {
    assertThat(effects("movnti $1, $0", "=*m,r"))
        .containsExactly(new Effect.Store(FIRST, new Source.Argument(1), 0, true));
    assertThat(effects("movntiq $1, ($0)", "r,r,~{memory}"))
        .containsExactly(new Effect.Store(POINTER, new Source.Argument(1), 8, true));
    assertThat(effects("movnti $1, $0", "*m,r"))
        .containsExactly(new Effect.Store(FIRST, new Source.Argument(1), 0, true));
    assertThat(effects("vmovntdq %ymm0, ($0)", "r"))
        .containsExactly(new Effect.Store(POINTER, new Source.Unknown(), 32, true));
    assertThat(effects("movntdqa $1, $0", "=x,*m")).containsExactly(new Effect.Load(FIRST, 0));
  }

  @Test
  void shouldTellLoadsFromStores() {
    assertThat(effects("movl $1, $0", "=r,*m")).containsExactly(new Effect.Load(FIRST, 4));
    assertThat(effects("movl $$7, $0", "=*m"))
        .containsExactly(new Effect.Store(FIRST, new Source.Constant(7), 4, false));
    assertThat(effects("cmpb $$0, $0", "*m")).containsExactly(new Effect.Load(FIRST, 1));
    assertThat(effects("addq $1, $0", "=*m,r,*m"))
        .containsExactly(
            new Effect.Load(FIRST, 8), new Effect.Store(FIRST, new Source.Unknown(), 8, false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "movsd %xmm0, ($0) | 8",
        "vmovss %xmm0, ($0) | 4",
        "movhpd %xmm0, ($0) | 8",
        "movdqu %xmm0, ($0) | 16",
        "fstpt ($0) | 10",
        "fistpll ($0) | 8",
        "fnstcw ($0) | 2",
        "fxsave ($0) | 512",
      })
  void shouldKnowSizesOfStoresFromVectorsAndOldUnits(String text, int size) {
    assertThat(effects(text, "r"))
        .containsExactly(new Effect.Store(POINTER, new Source.Unknown(), size, false));
  }

  @Test
  void shouldNotTrustAnInputThatTheTextMayHaveChanged() {
    assertThat(effects("addq $$1, $0\n movq $0, ($1)", "=r,r,0"))
        .containsExactly(new Effect.Store(POINTER, new Source.Unknown(), 8, false));
  }

  @Test
  void shouldSeeRepeatedStringInstructions() {
    assertThat(effects("rep stosb", "={di},={cx},{ax},0,1"))
        .containsExactly(new Effect.Fill(new Address.Computed(1, 0, 0, 0), 2, 1));
    assertThat(effects("rep; movsq", "={di},={si},={cx},0,1,2"))
        .containsExactly(new Effect.Copy(POINTER, new Address.Computed(1, 0, 0, 0), 2, 8));
  }

  @Test
  void shouldReadIntelSyntax() {
    List<Effect> effects = AssemblyEffects.of("mov qword ptr [$0 + 8], $1", "r,r", true).effects();

    assertThat(effects)
        .containsExactly(
            new Effect.Store(new Address.Computed(0, 0, 0, 8), new Source.Argument(1), 8, false));
  }

  @Test
  void shouldSeeIndexedAddressesAndOffsetsOfOperands() {
    assertThat(effects("movq ($0,$1,8), %rax", "r,r,~{rax}"))
        .containsExactly(new Effect.Load(new Address.Computed(0, 1, 8, 0), 8));
    assertThat(effects("movq $1, 8+$0", "=*m,r"))
        .containsExactly(
            new Effect.Store(new Address.Computed(0, 0, 0, 8), new Source.Argument(1), 8, false));
  }

  @Test
  void shouldNoticeJumps() {
    assertThat(AssemblyEffects.of("1: lock; decb $0; jns 1b", "=*m,*m", false).jumps()).isTrue();
    assertThat(AssemblyEffects.of("lock; decb $0", "=*m,*m", false).jumps()).isFalse();
  }

  @Test
  void shouldUseTheVariantForTheDialect() {
    assertThat(effects("$(clwb $0$|clwb [$0]$)", "=*m,*m"))
        .containsExactly(new Effect.Flush(Effect.FlushKind.CLWB, FIRST));
  }

  private static List<Effect> effects(String text, String constraints) {
    return AssemblyEffects.of(text, constraints, false).effects();
  }
}
