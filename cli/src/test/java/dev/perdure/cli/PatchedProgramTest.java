package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of a plain compiler behave under Perdure as they do alone. */
class PatchedProgramTest {
  private static final String EXCEPTIONS =
      """
      #include <csignal>
      #include <cstdio>
      #include <stdexcept>
      #include <string>
      #include <sys/time.h>
      #include <vector>
      static void tick(int) {}
      struct Node { virtual ~Node() {} virtual int eval(int d) = 0; };
      struct Leaf : Node {
        int v;
        Leaf(int x) : v(x) {}
        int eval(int d) override {
          if (v % 7 == 0) throw std::runtime_error("seven " + std::to_string(v));
          return v + d;
        }
      };
      struct Sum : Node {
        std::vector<Node *> parts;
        int eval(int d) override {
          int s = 0;
          for (auto *p : parts) {
            try {
              s += p->eval(d + 1);
            } catch (std::runtime_error &e) {
              s += (int)std::string(e.what()).size() + d;
              if (d > 2) throw;
            }
          }
          return s;
        }
      };
      static Node *make(int depth, int seed) {
        if (depth == 0) return new Leaf(seed);
        auto *s = new Sum;
        for (int i = 0; i < 4; i++) s->parts.push_back(make(depth - 1, seed * 5 + i));
        return s;
      }
      int main() {
        signal(SIGALRM, tick);
        itimerval t = {{0, 100}, {0, 100}};
        setitimer(ITIMER_REAL, &t, nullptr);
        long total = 0;
        for (int r = 0; r < 20; r++) total += make(5, r)->eval(0);
        std::printf("%ld\\n", total);
      }
      """;

  @TempDir private Path folder;
  private PerdureProcess perdure;

  @BeforeEach
  void setUp() {
    perdure = new PerdureProcess(folder);
  }

  @Test
  void shouldCatchExceptionsUnderTimerSignals() throws Exception {
    Path program = perdure.compile("g++", EXCEPTIONS, "program", "-O2");
    Process alone = new ProcessBuilder(program.toString()).start();
    String expected = new String(alone.getInputStream().readAllBytes());

    var result = perdure.run("run", "--", program.toString());

    assertThat(result.out()).isEqualTo(expected).isNotBlank();
    assertThat(result.exit()).isZero();
  }

  /** Hundreds of jump targets two bytes apart leave no room for any jump in their midst. */
  private static final String TRAPS =
      """
      #include <signal.h>
      #include <stdio.h>
      long first(const char *from);
      __asm__(".text\\n.globl first\\n.type first, @function\\nfirst:\\nxor %eax, %eax\\n"
              ".macro step n\\nat_\\\\n: addb (%rdi), %al\\n.pushsection .data.rel.ro, \\"aw\\"\\n.quad at_\\\\n\\n.popsection\\n.endm\\n"
              ".altmacro\\n.set i, 0\\n.rept 300\\nstep %i\\n.set i, i + 1\\n.endr\\nret\\n.size first, .-first\\n");
      int main(void) {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, 0);
        printf("%ld\\n", first("\\001"));
        return 0;
      }
      """;

  @Test
  void shouldTrapAlsoWhereTheProgramBlocksSignals() throws Exception {
    perdure.compile("gcc", TRAPS, "program", "-O1");

    var result = perdure.run("run", "--", "./program");
    var table = perdure.run("doctor", "./program");

    assertThat(result.out()).isEqualTo("44\n");
    assertThat(result.exit()).isZero();
    assertThat(table.out()).containsPattern("\nprogram( +[0-9]+){5} +[1-9][0-9]* +0\n");
  }

  @Test
  void shouldRunProgramsInWhichThereIsNothingToPatch() throws Exception {
    Path program = perdure.compile("gcc", "int main() { return 0; }", "program", "-O1");

    var result = perdure.run("run", "--", program.toString());

    assertThat(result.exit()).isZero();
    assertThat(result.err()).doesNotContain("unobserved");
  }

  @Test
  void shouldRefuseStaticPrograms() throws Exception {
    Path program = perdure.compile("gcc", "int main() { return 0; }", "program", "-static");

    var result = perdure.run("run", "--", program.toString());

    assertThat(result.exit()).isEqualTo(3);
    assertThat(result.err()).contains("is linked statically").doesNotContain("\tat ");
  }
}
