package dev.perdure.llvm.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObservedTextTest {
  private static final int SITE = 7;
  private static final List<String> KINDS =
      List.of(
          "load",
          "store-ahead",
          "store",
          "flush",
          "fence",
          "rmw-begin",
          "rmw-end",
          "string-begin",
          "string-end");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "clwb $0 | =*m,*m",
        "clwb ($0); sfence | r",
        "movq $1, ($0); clwb ($0); sfence | r,r",
        "lock; decb $0; jns 1f; 1: | =*m,*m",
        "1: lock; cmpxchgl $2, $1; jne 1b | ={ax},=*m,r,0,*m",
        "rep movsb | ={di},={si},={cx},0,1,2",
        "movq $$1, -8(%rsp) | ",
        "cpuid | ={ax},0",
      })
  void shouldLeaveStatementsThatOutsideTellsOf(String text, String constraints) {
    assertThat(text(text, constraints == null ? "" : constraints).isNeeded()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "movq $0, %rax; clwb (%rax) | r,~{rax}",
        "1: clwb ($0); addq $$64, $0; decq $1; jnz 1b | =r,=r,0,1",
        "clwb ($0); addq $$64, $0; clwb ($0) | =r,0",
        "clwb area+8(%rip) | ~{memory}",
        "movdqu %xmm1, ($0); clwb ($0) | r",
        "repe cmpsb | ={si},={di},={cx},0,1,2",
        "stosq | ={di},{ax},0",
        "1: lock; btsl $$0, $0; jnc 3f; 2: testl $$1, $0; jnz 2b; jmp 1b; 3: | =*m,*m",
      })
  void shouldBeNeededWhereTheTextKnowsMore(String text, String constraints) {
    assertThat(text(text, constraints).isNeeded()).isTrue();
  }

  @Test
  void shouldTellFlushesAndFencesBeforeThem() {
    assertThat(calls("movq $0, %rax; clwb 64(%rax); sfence", "r"))
        .containsExactly("movq $0, %rax", "flush 64(%rax)", "clwb 64(%rax)", "fence", "sfence");
  }

  @Test
  void shouldTellStoresOfKnownValuesBeforeThemAndOthersBehind() {
    assertThat(calls("movl %ecx, (%rax); movntiq $1, (%rax); incl (%rax)", "r,r"))
        .containsExactly(
            "store-ahead of %rcx (%rax) size=4",
            "movl %ecx, (%rax)",
            "store-ahead of ${1:q} (%rax) sort=1 size=8",
            "movntiq $1, (%rax)",
            "incl (%rax)",
            "load (%rax) size=4",
            "store (%rax) size=4");
  }

  @Test
  void shouldTellALoadThatReplacesItsAddressBeforeIt() {
    assertThat(calls("movq (%rax), %rax; movq 8(%rcx), %rax", ""))
        .containsExactly(
            "load (%rax) size=8", "movq (%rax), %rax", "movq 8(%rcx), %rax", "load 8(%rcx) size=8");
  }

  @Test
  void shouldBracketLockedInstructionsWithTheirPrefixes() {
    assertThat(calls("lock; xaddq %rcx, (%rax)", ""))
        .containsExactly(
            "rmw-begin (%rax) size=8", "lock; xaddq %rcx, (%rax)", "rmw-end (%rax) size=8");
    assertThat(calls("lock; orq $$0, (%rsp)", ""))
        .containsExactly("fence sort=2", "lock; orq $$0, (%rsp)");
  }

  @Test
  void shouldWriteOperandsThatWereGivenAsBytes() {
    assertThat(calls(".byte 0x66, 0x41, 0x0f, 0xae, 0x74, 0x88, 0x40", ""))
        .containsExactly("flush 64(%r8,%rcx,4)", ".byte 0x66, 0x41, 0x0f, 0xae, 0x74, 0x88, 0x40");
  }

  @Test
  void shouldKeepWhatStringInstructionsCount() {
    assertThat(calls("repne scasb", "={cx},={di},0,1"))
        .containsExactly(
            "string-begin sort=175 size=1", "repne scasb", "string-end sort=175 size=1");
  }

  @Test
  void shouldNotTellOfTheStack() {
    assertThat(text("movq %rax, $0; movq %rax, 8(%rbp)", "=*m").withCalls()).isPresent();
    assertThat(onStack("movq %rax, $0; movq %rax, 8(%rbp)", "=*m")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "movq %rsp, (%rdi); movq (%rsi), %rsp",
        "xchgq %rsp, (%rdi)",
        "popq %rsp; clwb (%rax)",
        "1: clwb (%rax); loop 1b",
        ".intel_syntax noprefix; clwb [rax]; .att_syntax",
      })
  void shouldLeaveTextsThatCallsWouldBreak(String text) {
    assertThat(text(text, "").withCalls()).isEmpty();
  }

  private static ObservedText text(String text, String constraints) {
    return new ObservedText(text, constraints, surroundings(false));
  }

  private static Optional<String> onStack(String text, String constraints) {
    return new ObservedText(text, constraints, surroundings(true)).withCalls();
  }

  /** The instructions and the calls between them. */
  private static List<String> calls(String text, String constraints) {
    String observed = text(text, constraints).withCalls().orElseThrow();
    Pattern call =
        Pattern.compile(
            "leaq -128\\(%rsp\\), %rsp\\n\\t(?:pushq %rdi\\n\\tpushq %rsi\\n\\tpushq %rcx\\n\\t)?"
                + "(?:pushq (?<value>(?!%rdi)\\S+)\\n\\t)?"
                + "(?:pushq %rdi\\n\\tleaq (?<place>.*?), %rdi\\n\\t)?"
                + CALL
                + "(?:popq %rdi\\n\\t)?(?:leaq 1(?:28|36)\\(%rsp\\), %rsp\\n\\t)?"
                + "|"
                + CALL.replace("<what>", "<end>")
                + "leaq 152\\(%rsp\\), %rsp\\n\\t");
    List<String> result = new ArrayList<>();
    Matcher matcher = call.matcher(observed);
    int from = 0;
    while (matcher.find()) {
      addInstruction(observed.substring(from, matcher.start()), result);
      int what =
          Integer.parseInt(
              matcher.group("what") != null ? matcher.group("what") : matcher.group("end"));
      result.add(describe(what, matcher.group("value"), matcher.group("place")));
      from = matcher.end();
    }
    addInstruction(observed.substring(from), result);
    return result;
  }

  private static final String CALL =
      "callq \\*__perdure_inside@GOTPCREL\\(%rip\\)\\n\\t.byte 0x0f, 0x1f, 0x80\\n\\t.long 7\\n\\t"
          + ".byte 0x0f, 0x1f, 0x80\\n\\t.long (?<what>\\d+)\\n\\t"
          + ".byte 0x0f, 0x1f, 0x05\\n\\t.long __perdure_base-.-4\\n\\t";

  private static void addInstruction(String text, List<String> result) {
    String plain = text.strip().replaceAll("^;\\s*|\\s*;$", "");
    if (plain.startsWith("lock")) {
      result.add(plain);
      return;
    }
    for (String part : plain.split(";\\s*|\\n")) {
      if (!part.isBlank()) {
        result.add(part.strip());
      }
    }
  }

  private static String describe(int what, String value, String place) {
    int size = what >> 16;
    int sort = what >> 8 & 0xff;
    boolean flush = KINDS.get(what & 0xff).equals("flush");
    return KINDS.get(what & 0xff)
        + (value == null ? "" : " of " + value)
        + (place == null ? "" : " " + place)
        + (sort == 0 ? "" : " sort=" + sort)
        + (size == 0 || flush ? "" : " size=" + size);
  }

  private static ObservedText.Surroundings surroundings(boolean stack) {
    return new ObservedText.Surroundings() {
      @Override
      public boolean isOnStack(int argument) {
        return stack;
      }

      @Override
      public int size(Effect effect) {
        return effect instanceof Effect.Store store
            ? store.size()
            : effect instanceof Effect.Load load ? load.size() : ((Effect.LockedRmw) effect).size();
      }

      @Override
      public int sort(Effect effect) {
        return effect instanceof Effect.Store store && store.nonTemporal() ? 1 : 0;
      }

      @Override
      public int site() {
        return SITE;
      }

      @Override
      public int lockedFence() {
        return 2;
      }
    };
  }
}
