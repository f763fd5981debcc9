package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.binary.flow.Processor;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of a plain compiler behave under Perdure as they do alone. */
class PatchedProgramTest {
  /** Most patches are made when the process gets persistent memory. */
  private static final String POOL =
      """
      #include <fcntl.h>
      #include <sys/mman.h>
      #include <unistd.h>
      static long *map_pool(void *at) {
        int fd = open("pool", O_RDWR | O_CREAT, 0600);
        if (ftruncate(fd, 4096) != 0) return 0;
        return (long *)mmap(at, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | (at ? MAP_FIXED : 0), fd, 0);
      }
      """;

  private static final String EXCEPTIONS =
      POOL
          + """
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
        map_pool(nullptr);
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
    Process alone = new ProcessBuilder(program.toString()).directory(folder.toFile()).start();
    String expected = new String(alone.getInputStream().readAllBytes());

    var result = perdure.run("run", "--pm", "pool", "--", program.toString());

    assertThat(result.out()).isEqualTo(expected).isNotBlank();
    assertThat(result.exit()).isZero();
  }

  /** Code beyond a hole, as Node.js has it, and with data between. */
  private static final String SEGMENTS =
      POOL
          + """
      #include <stdio.h>
      __attribute__((section(".between"))) long between = 5;
      __attribute__((section(".far"), noinline)) long far_sum(long *from) {
        return ++between + ++from[1];
      }
      int main(void) {
        long *pool = map_pool(0);
        for (int i = 0; i < 3; i++) pool[0] = far_sum(pool);
        printf("%ld %ld\\n", pool[0], between);
      }
      """;

  @Test
  void shouldPatchSegmentsApartFromEachOther() throws Exception {
    Path program =
        perdure.compile(
            "gcc",
            SEGMENTS,
            "program",
            "-O1",
            "-no-pie",
            "-Wl,--section-start=.between=0x700000,--section-start=.far=0x900000");

    var result = perdure.run("run", "--pm", "pool", "--", program.toString());

    assertThat(result.out()).isEqualTo("11 8\n");
    assertThat(result.err()).contains("far_sum").doesNotContain("not followed");
  }

  /** What gcc makes of a switch whose cases all ask for the same thing first. */
  private static final String TESTED_BEFORE_SWITCH =
      POOL
          + """
      #include <stdio.h>
      long choose(const long *from, long which, long flag);
      __asm__(".text\\n.type choose, @function\\nchoose:\\n.cfi_startproc\\nlea table(%rip), %r8\\ntest %rdx, %rdx\\n"
              "mov (%rdi), %rax\\njmp *(%r8,%rsi,8)\\n"
              "zero: je zero_no\\nadd $100, %rax\\nzero_no: ret\\none: jne one_yes\\nadd $10, %rax\\none_yes: ret\\n"
              ".cfi_endproc\\n.size choose, .-choose\\n"
              ".pushsection .data.rel.ro, \\"aw\\"\\ntable: .quad zero, one\\n.popsection\\n");
      int main(void) {
        long *pool = map_pool(0);
        pool[0] = 1;
        for (int i = 0; i < 4; i++) printf("%ld ", choose(pool, i & 1, i & 2));
      }
      """;

  @Test
  void shouldKeepFlagsAcrossAJumpByATable() throws Exception {
    Path program = perdure.compile("gcc", TESTED_BEFORE_SWITCH, "program", "-O1");

    var result = perdure.run("run", "--pm", "pool", "--", program.toString());

    assertThat(result.out()).isEqualTo("1 11 101 1 ");
  }

  /**
   * Pieces of code at equal distances, as libffi has them, and where only a sum tells where they
   * are.
   */
  private static final String CALCULATED =
      POOL
          + """
      #include <stdio.h>
      long scaled(long *pool, long which);
      long added(long *pool, long which);
      __asm__(".text\\n.macro piece n\\n.balign 8\\nmov 8*\\\\n(%rdi), %rax\\nret\\n.endm\\n"
              ".type scaled, @function\\nscaled:\\n.cfi_startproc\\nlea 0f(%rip), %r11\\ncmp $5, %rsi\\nja 1f\\n"
              "lea (%r11,%rsi,8), %r10\\nmov (%rdi), %rcx\\njmp *%r10\\n.balign 8\\n"
              "0: piece 1\\npiece 2\\npiece 3\\npiece 4\\n1: xor %eax, %eax\\nret\\n.cfi_endproc\\n.size scaled, .-scaled\\n"
              ".type added, @function\\nadded:\\n.cfi_startproc\\nxor %eax, %eax\\nlea (%rsi,%rsi,2), %rcx\\n"
              "lea 2f(%rip), %rdx\\nsub %rcx, %rdx\\njmp *%rdx\\n.rept 5\\nadd (%rdi), %rax\\n.endr\\n2: ret\\n"
              ".cfi_endproc\\n.size added, .-added\\n");
      int main(void) {
        long *pool = map_pool(0);
        for (int i = 0; i < 5; i++) pool[i] = 10 * i + 1;
        for (int i = 0; i < 4; i++) printf("%ld %ld ", scaled(pool, i), added(pool, i + 1));
      }
      """;

  @Test
  void shouldEnterCodeWhereOnlyASumTells() throws Exception {
    Path program = perdure.compile("gcc", CALCULATED, "program", "-O1");

    var result = perdure.run("run", "--pm", "pool", "--", program.toString());

    assertThat(result.out()).isEqualTo("11 1 21 2 31 3 41 4 ");
  }

  /** Assembly without a symbol or a row in .eh_frame: one part is called, one only pointed to. */
  private static final String UNLISTED =
      POOL
          + """
      #include <stdio.h>
      long listed(long *pool);
      extern void (*const pointed)(long *pool);
      __asm__(".text\\n.type listed, @function\\nlisted:\\n.cfi_startproc\\ncall .Lcalled\\nmov 8(%rdi), %rax\\nret\\n"
              ".cfi_endproc\\n.size listed, .-listed\\n.quad 0x0606060606060606\\n"
              ".Lcalled: cmp $0, %rdi\\nje 1f\\nmov $7, %eax\\njmp 2f\\n1: ret\\n.balign 16\\n2: mov %rax, 8(%rdi)\\nret\\n"
              ".quad 0x0606060606060606\\n.Lpointed: movq $9, 64(%rdi)\\nret\\n"
              ".section .data.rel.ro, \\"aw\\"\\n.globl pointed\\npointed: .quad .Lpointed\\n.text\\n");
      int main(void) {
        long *pool = map_pool(0);
        printf("%ld ", listed(pool));
        pointed(pool);
        printf("%ld", pool[8]);
      }
      """;

  @Test
  void shouldObserveSubroutinesThatOnlyCallsTellOfAndNameTheRest() throws Exception {
    Path program = perdure.compile("gcc", UNLISTED, "program", "-O1");

    var result = perdure.run("run", "--verbose", "--pm", "pool", "--", program.toString());

    assertThat(result.out()).isEqualTo("7 9");
    assertThat(result.err()).contains("1 missing-flush", "1 code-outside-functions");
  }

  /** What a function does that may use a transaction, and takes its lock where there are none. */
  private static final String TRANSACTIONS =
      POOL
          + """
      #include <cpuid.h>
      #include <immintrin.h>
      #include <stdio.h>
      static long lock;
      static int has_transactions;
      __attribute__((noinline, target("rtm"))) static void change(long *pool) {
        unsigned began = has_transactions ? _xbegin() : 0;
        if (began != _XBEGIN_STARTED) while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) {}
        pool[1]++;
        if (began == _XBEGIN_STARTED) _xend();
        else __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
      }
      int main(void) {
        unsigned a, b = 0, c, d;
        has_transactions = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_RTM);
        long *pool = map_pool(0);
        for (int i = 0; i < 5; i++) change(pool);
        printf("%ld", pool[1]);
      }
      """;

  @Test
  void shouldObserveFunctionsWithTransactionsWhereTheProcessorHasNone() throws Exception {
    Path program = perdure.compile("gcc", TRANSACTIONS, "program", "-O1");

    var result = perdure.run("run", "--pm", "pool", "--", program.toString());

    assertThat(result.out()).isEqualTo("5");
    assertThat(result.err())
        .contains(Processor.hasTransactions() ? "could not be instrumented" : "1 missing-flush");
  }

  /** V8 jumps into its own code by offsets that stand nowhere in the program. */
  private static final String BUILTINS =
      POOL
          + """
      #include <stdio.h>
      long Builtins_Sum(const long *from);
      __asm__(".text\\n.globl v8_Default_embedded_blob_code_\\nv8_Default_embedded_blob_code_:\\n"
              ".type Builtins_Sum, @function\\nBuiltins_Sum:\\nxor %eax, %eax\\nadd (%rdi), %rax\\nadd (%rdi), %rax\\n"
              "add (%rdi), %rax\\nadd (%rdi), %rax\\nret\\n.size Builtins_Sum, .-Builtins_Sum\\n");
      int main(void) {
        long *pool = map_pool(0);
        volatile int offset = 2;
        pool[0] = 1;
        for (long sum; offset <= 11; offset += 3) {
          char *at = (char *)Builtins_Sum + offset;
          __asm__ volatile("xor %%eax, %%eax; call *%1" : "=&a"(sum) : "r"(at), "D"(pool) : "memory", "cc");
          printf("%ld ", sum);
        }
      }
      """;

  @Test
  void shouldLeaveTheBuiltinsOfV8Alone() throws Exception {
    Path program = perdure.compile("gcc", BUILTINS, "program", "-O1", "-mno-red-zone");

    var result = perdure.run("run", "--pm", "pool", "--", program.toString());

    assertThat(result.out()).isEqualTo("4 3 2 1 ");
    assertThat(result.err()).contains("could not be instrumented");
  }

  /** Hundreds of jump targets two bytes apart leave no room for any jump in their midst. */
  private static final String TRAPS =
      POOL
          + """
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
        map_pool(0);
        printf("%ld\\n", first("\\001"));
        return 0;
      }
      """;

  @Test
  void shouldTrapAlsoWhereTheProgramBlocksSignals() throws Exception {
    perdure.compile("gcc", TRAPS, "program", "-O1");

    var result = perdure.run("run", "--pm", "pool", "--", "./program");
    var table = perdure.run("doctor", "./program");

    assertThat(result.out()).isEqualTo("44\n");
    assertThat(result.exit()).isZero();
    assertThat(table.out()).containsPattern("\nprogram( +[0-9]+){5} +[1-9][0-9]* +0\n");
  }

  /** The load that faults stands behind another instruction that a jump takes the place of. */
  private static final String FAULTS =
      POOL
          + """
      #include <signal.h>
      #include <stdio.h>
      #define AT ((void *)0x123456780000)
      long faults(void *from, long more);
      __asm__(".text\\n.globl faults\\n.type faults, @function\\nfaults:\\n"
              "mov %esi, %ecx\\nmov (%rdi), %eax\\nadd %ecx, %eax\\n mov (%rdi), %edx\\nret\\n.size faults, .-faults\\n");
      static void on_fault(int number) {
        (void)number;
        *map_pool(AT) = 40;
      }
      int main(void) {
        signal(SIGSEGV, on_fault);
        printf("%ld\\n", faults(AT, 2));
        return 0;
      }
      """;

  @Test
  void shouldGoOnWhereAHandlerHasMappedTheMemoryThatWasMissing() throws Exception {
    perdure.compile("gcc", FAULTS, "program", "-O1");

    var result = perdure.run("run", "--pm", "pool", "--", "./program");

    assertThat(result.out()).isEqualTo("42\n");
    assertThat(result.err()).contains("on_fault").contains("missing-flush");
  }

  /** The base register points into another block of 4 GiB than the store goes to. */
  private static final String BEFORE_THE_BLOCK =
      POOL
          + """
      void stores(char *before);
      __asm__(".text\\n.globl stores\\n.type stores, @function\\nstores:\\nmovl $1, 4160(%rdi)\\nret\\n.size stores, .-stores\\n");
      int main(void) {
        stores((char *)map_pool((void *)0x123500000000) - 4096);
        return 0;
      }
      """;

  @Test
  void shouldSeeAStoreWhoseBasePointsBeforeTheBlock() throws Exception {
    perdure.compile("gcc", BEFORE_THE_BLOCK, "program", "-O1");

    var result = perdure.run("run", "--pm", "pool", "--", "./program");

    assertThat(result.err()).contains("the store in stores").contains("SUMMARY: 1 missing-flush");
  }

  private static final String HELD =
      POOL
          + """
      #include <pthread.h>
      static volatile int lock;
      static long *pool;
      static void take(void) { while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE) != 0) {} }
      static void *reads(void *unused) {
        take();
        long *copy = pool + 64;
        *copy = *pool + 1;
        __builtin_ia32_clflush(copy);
        __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
        return unused;
      }
      int main(void) {
        pthread_t thread;
        take();
        pool = map_pool(0);
        pthread_create(&thread, 0, reads, 0);
        *pool = 1;
        __builtin_ia32_clflush(pool);
        __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
        return pthread_join(thread, 0);
      }
      """;

  @Test
  void shouldKnowALockThatWasTakenBeforeThereWasPersistentMemory() throws Exception {
    perdure.compile("gcc", HELD, "program", "-O1", "-pthread");

    var result = perdure.run("run", "--pm", "pool", "--", "./program");

    assertThat(result.err()).contains("SUMMARY: no findings");
    assertThat(result.exit()).isZero();
  }

  private static final String HIDDEN =
      POOL
          + """
      #include <dlfcn.h>
      #include <pthread.h>
      static void *waits(void *unused) { pause(); return unused; }
      int main(void) {
        pthread_t thread;
        int (*create)(pthread_t *, void *, void *(*)(void *), void *) =
            (int (*)(pthread_t *, void *, void *(*)(void *), void *))dlsym(dlopen("libc.so.6", RTLD_NOW), "pthread_create");
        create(&thread, 0, waits, 0);
        return *map_pool(0) != 0;
      }
      """;

  @Test
  void shouldSayThatThreadsOfUnknownOriginAreInTheWay() throws Exception {
    perdure.compile("gcc", HIDDEN, "program", "-O1");

    var result = perdure.run("run", "--pm", "pool", "--", "./program");

    assertThat(result.err()).contains("threads that were started in an unknown way");
    assertThat(result.exit()).isZero();
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
