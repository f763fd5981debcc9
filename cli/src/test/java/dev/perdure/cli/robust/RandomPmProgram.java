package dev.perdure.cli.robust;

import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A C program with many small random functions on persistent memory, hardly a flush in them. Each
 * function has an area of the pool of its own: words in three cache lines, and a list of nodes that
 * are written while nobody can reach them and then published. In the two-threaded ones the first
 * half of the words is for a mutex, the second half for atomic accesses, and the list grows by
 * exchanges.
 */
final class RandomPmProgram {
  /** Bytes of an area, and where in it things are. */
  static final int AREA = 1024;

  static final int WORDS = 24;
  static final int ROOT = 192;
  static final int NODES = 256;
  static final int NODE = 128;
  static final int NODE_COUNT = 6;
  static final int NEXT = 72;

  private static final String PROLOGUE =
      """
      #define _GNU_SOURCE
      #include <fcntl.h>
      #include <perdure.h>
      #include <pthread.h>
      #include <stdint.h>
      #include <stdlib.h>
      #include <string.h>
      #include <sys/mman.h>
      #include <unistd.h>
      #define pm_flush(p) __asm__ volatile("clflushopt %0" : "+m"(*(volatile char *)(p)) : : "memory")
      #define pm_fence() __asm__ volatile("sfence" : : : "memory")
      struct node { _Alignas(64) uint64_t a; uint64_t c; char text[48]; uint64_t b; struct node *next; };
      struct area { _Alignas(64) uint64_t x[24]; _Alignas(64) struct node *root; struct node node[6]; };
      static int used[COUNT];
      static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
      static struct node *new_node(struct area *p, int *count) {
        struct node *n = &p->node[__atomic_fetch_add(count, 1, __ATOMIC_RELAXED)];
        PERDURE_ALLOC(n, sizeof *n);
        return n;
      }
      __attribute__((noinline)) static void set(uint64_t *x, uint64_t v) { *x = v; }
      __attribute__((noinline)) static void set_b(struct node *n, uint64_t v) { n->b = v; }
      __attribute__((noinline)) static void insert(struct area *p, struct node *n) {
        n->next = p->root;
        p->root = n;
      }
      __attribute__((noinline)) static void adopt(struct area *p, struct node *n, struct node *same) {
        n->next = p->root;
        p->root = same;
      }
      __attribute__((noinline)) static uint64_t look(uint64_t *x) { return __atomic_load_n(x, __ATOMIC_ACQUIRE); }
      __attribute__((noinline)) static uint64_t seen_in_vain(uint64_t *x) {
        uint64_t old = 0;
        __atomic_compare_exchange_n(x, &old, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
        return old;
      }
      __attribute__((noinline)) static void add_to(uint64_t *to, uint64_t *x, uint64_t v) {
        v += __atomic_load_n(x, __ATOMIC_ACQUIRE);
        __atomic_store_n(to, v, __ATOMIC_RELEASE);
      }
      __attribute__((noinline)) static struct node *next_of(struct node *n) { return n->next; }
      __attribute__((noinline)) static uint64_t is_odd(uint64_t v) { return v & 1; }
      __attribute__((noinline)) static void persist(void *x) { pm_flush(x); pm_fence(); }
      static void push(struct area *p, struct node *n) {
        struct node *top = __atomic_load_n(&p->root, __ATOMIC_ACQUIRE);
        do { n->next = top; } while (!__atomic_compare_exchange_n(&p->root, &top, n, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
      }
      static void (*volatile through)(uint64_t *, uint64_t) = set;
      __attribute__((noinline)) static uint64_t *pick(uint64_t *x, uint64_t *y, uint64_t first) { return first & 1 ? x : y; }
      __attribute__((noinline)) static void set_both(uint64_t *x, uint64_t *y, uint64_t v) { *x = v; *y = v + 1; }
      __attribute__((noinline)) static struct node *made(struct area *p, int *count, uint64_t v) {
        struct node *n = new_node(p, count);
        n->a = v;
        n->c = v + 1;
        return n;
      }
      __attribute__((noinline)) static void flush_range(const void *p, size_t n) {
        for (uintptr_t a = (uintptr_t)p & ~(uintptr_t)63; a < (uintptr_t)p + n; a += 64) pm_flush(a);
      }
      static struct area *current;
      static uint64_t touched = 100000;
      static int touch(const void *x, const void *y) {
        current->x[9] = ++touched;
        current->x[17] = ++touched;
        return *(const int *)x - *(const int *)y;
      }
      static const uint64_t source[8] = {11, 12, 13, 14, 15, 16, 17, 18};
      """;

  /** Ways to read a word that another thread has written. */
  private static final List<String> SEEN =
      List.of(
          "look(&p->x[%d])",
          "__atomic_load_n(&p->x[%d], __ATOMIC_ACQUIRE)",
          "seen_in_vain(&p->x[%d])",
          "*(volatile uint64_t *)&p->x[%d]");

  private final Random random;
  private final StringBuilder text = new StringBuilder();
  private int value;
  private int nodes;

  private final UncommonStatements uncommon;
  private final ChosenNodes chosen;
  private final Optional<CxxStatements> cxx;

  private RandomPmProgram(Random random, boolean cxx) {
    this.random = random;
    this.uncommon = new UncommonStatements(random, () -> value += 10);
    this.chosen = new ChosenNodes(random, () -> value += 10);
    this.cxx = cxx ? Optional.of(new CxxStatements(random, () -> value += 10)) : Optional.empty();
  }

  /**
   * The source text with so many functions, the last third of them run by two threads each.
   *
   * @param cxx whether it may use what only C++ has
   * @param late how many more pairs of threads there are in which one stores without a flush, and
   *     the other has to flush what it has read
   */
  static String generate(long seed, int count, int late, boolean cxx) {
    RandomPmProgram program = new RandomPmProgram(new Random(seed), cxx);
    StringBuilder calls = new StringBuilder();
    for (int i = 0; i < count; i++) {
      boolean shared = i >= count - count / 3;
      program.nodes = 0;
      program.function(i, shared);
      calls.append(
          shared
              ? "  pair(run%d, &pool[%d]);%n".formatted(i, i)
              : "  run%d(&pool[%d]);%n".formatted(i, i));
    }
    for (int i = count; i < count + late; i++) {
      program.late(i);
      calls.append("  both(write%d, run%d, &pool[%d]);%n".formatted(i, i, i));
    }
    return "#define COUNT %d%n".formatted(count + late)
        + PROLOGUE
        + UncommonStatements.PROLOGUE
        + ChosenNodes.PROLOGUE
        + (cxx ? CxxStatements.PROLOGUE : "")
        + program.text
        + """
        static void both(void *(*f)(void *), void *(*g)(void *), struct area *p) {
          pthread_t a, b;
          if (pthread_create(&a, NULL, f, p) || pthread_create(&b, NULL, g, p)) exit(9);
          pthread_join(a, NULL);
          pthread_join(b, NULL);
          p->x[3] = 1;
        }
        static void pair(void *(*f)(void *), struct area *p) { both(f, f, p); }
        int main(int argc, char **argv) {
          int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
          if (argc < 2 || fd < 0 || ftruncate(fd, COUNT * sizeof(struct area))) return 9;
          struct area *pool = (struct area *)mmap(NULL, COUNT * sizeof(struct area), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
          if (pool == MAP_FAILED) return 9;
        """
        + calls
        + "  return 0;\n}\n";
  }

  private void function(int index, boolean shared) {
    text.append("static void *run%d(void *area) {%n".formatted(index));
    text.append(
        "  struct area *p = (struct area *)area;\n  int *count = &used[%d];%n".formatted(index));
    int statements = 3 + random.nextInt(5);
    for (int i = 0; i < statements; i++) {
      if (shared) {
        sharedStatement();
      } else {
        statement(1);
      }
    }
    text.append("  return p;\n}\n");
  }

  /** A thread that leaves its store unflushed, and one that relies on it. */
  private void late(int index) {
    int word = WORDS / 2 + random.nextInt(4);
    int other = WORDS - 1 - random.nextInt(4);
    text.append("static int written%d;%n".formatted(index));
    text.append("static void *write%d(void *area) {%n".formatted(index));
    line("struct area *p = (struct area *)area;");
    line("PERDURE_RELAXED_BEGIN();");
    line("__atomic_store_n(&p->x[%d], %d, __ATOMIC_RELEASE);", word, ++value);
    line("PERDURE_RELAXED_END();");
    line("__atomic_store_n(&written%d, 1, __ATOMIC_RELEASE);", index);
    text.append("  return p;\n}\nstatic void *run%d(void *area) {%n".formatted(index));
    line("struct area *p = (struct area *)area;");
    line("int *count = &used[%d];", index);
    line("while (!__atomic_load_n(&written%d, __ATOMIC_ACQUIRE)) {}", index);
    line("uint64_t seen = %s;", SEEN.get(random.nextInt(SEEN.size())).formatted(word));
    switch (index % 7) {
      case 0 -> line("p->x[%d] = seen;", other);
      case 1 -> line("set(&p->x[%d], seen);", other);
      case 2 -> line("__atomic_fetch_add(&p->x[%d], seen, __ATOMIC_ACQ_REL);", other);
      case 3 -> line("pthread_exit((void *)seen);");
      case 4 -> line("add_to(&p->x[%d], &p->x[0], seen);", other);
      case 5 -> {
        line("if (is_odd(seen) > 1) return p;");
        line("p->x[%d] = seen;", other);
      }
      default -> {
        nodes = 0;
        lockFreePush();
      }
    }
    text.append("  return p;\n}\n");
  }

  /** A statement of a function that two threads run. */
  private void sharedStatement() {
    int mine = WORDS / 2 + random.nextInt(WORDS / 2);
    int other = WORDS / 2 + random.nextInt(WORDS / 2);
    switch (random.nextInt(8)) {
      case 0, 1 -> {
        line("pthread_mutex_lock(&lock);");
        for (int i = 0; i <= random.nextInt(2); i++) {
          line("p->x[%d] = %d;", random.nextInt(WORDS / 2), ++value);
        }
        if (random.nextBoolean()) {
          line(
              "set(&p->x[%d], p->x[%d] + 1);",
              random.nextInt(WORDS / 2), random.nextInt(WORDS / 2));
        }
        line("pthread_mutex_unlock(&lock);");
      }
      case 2 -> line("__atomic_store_n(&p->x[%d], %d, __ATOMIC_RELEASE);", mine, ++value);
      case 3 ->
          line(
              "if (__atomic_load_n(&p->x[%d], __ATOMIC_ACQUIRE) > %d) __atomic_store_n(&p->x[%d], %d, __ATOMIC_RELEASE);",
              mine, random.nextInt(value + 1), other, ++value);
      case 4 -> line("__atomic_fetch_add(&p->x[%d], %d, __ATOMIC_ACQ_REL);", mine, ++value);
      case 5 ->
          compareExchange("__atomic_load_n(&p->x[%d], __ATOMIC_ACQUIRE)".formatted(mine), mine);
      case 6 ->
          line(
              "if (look(&p->x[%d]) > %d) __atomic_store_n(&p->x[%d], %d, __ATOMIC_RELEASE);",
              mine, random.nextInt(value + 1), other, ++value);
      default -> {
        if (nodes < NODE_COUNT / 2) {
          lockFreePush();
        }
      }
    }
  }

  private void statement(int depth) {
    if (cxx.isPresent() && random.nextInt(3) == 0) {
      if (nodes < NODE_COUNT && random.nextBoolean()) {
        cxx.get().withNode(nodes++).lines().forEach(one -> line("%s", one));
      } else {
        cxx.get().next().lines().forEach(one -> line("%s", one));
      }
      return;
    }
    switch (random.nextInt(36)) {
      case 0, 1 -> line("p->x[%d] = %d;", word(), ++value);
      case 2 ->
          line(
              "for (int i = 0; i < %d; i++) p->x[i * %d] = %d + i;",
              2 + random.nextInt(3), 1 + random.nextInt(6), value += 10);
      case 3 -> line("set(&p->x[%d], %d);", word(), ++value);
      case 4 -> {
        line("__atomic_store_n(&p->x[%d], %d, __ATOMIC_RELEASE);", word(), ++value);
        line("p->x[%d] = %d;", word(), ++value);
      }
      case 5 -> {
        int x = word();
        line("p->x[%d] = %d;", x, ++value);
        line(random.nextBoolean() ? "pm_flush(&p->x[%d]);" : "persist(&p->x[%d]);", x);
        line("p->x[%d] = %d;", word(), ++value);
      }
      case 6 -> line("through(&p->x[%d], %d);", word(), ++value);
      case 7 -> branch(depth);
      case 8 -> line("if (p->root) p->root->a = %d;", ++value);
      case 9 ->
          line(
              "if (p->root && p->root->next) { p->root->next->b = %d; p->root->c = %d; }",
              ++value, ++value);
      case 10 -> line("__atomic_fetch_add(&p->x[%d], %d, __ATOMIC_SEQ_CST);", word(), ++value);
      case 11 ->
          line(
              "{ int i = (int)(p->x[%d] & 7); p->x[i] = %d; i += %d; p->x[i] = %d; }",
              word(), ++value, 1 + random.nextInt(9), ++value);
      case 12 ->
          line(
              "{ uint64_t *q = &p->x[%d]; q += %d; *q = %d; q[-1] = %d; }",
              random.nextInt(8), 1 + random.nextInt(12), ++value, ++value);
      case 13 ->
          line(
              "memcpy(&p->x[%d], source, 8 * (1 + (p->x[%d] & 7)));",
              8 * random.nextInt(WORDS / 8), word());
      case 14 -> compareExchange(random.nextBoolean() ? "p->x[%d]".formatted(word()) : "1", word());
      case 15 -> rangeFlush();
      case 16 -> {
        line("*pick(&p->x[%d], &p->x[%d], p->x[%d]) = %d;", word(), word(), word(), ++value);
        line("p->x[%d] = %d;", word(), ++value);
      }
      case 17 -> line("set_both(&p->x[%d], &p->x[%d], %d);", word(), word(), value += 2);
      case 18 -> line("{ int two[] = {2, 1}; current = p; qsort(two, 2, sizeof *two, touch); }");
      case 19, 20, 21 -> publish();
      case 22, 23 -> publishTwo();
      case 24, 25, 26, 27 -> publishChosen();
      default -> uncommon.next().lines().forEach(one -> line("%s", one));
    }
  }

  /** Both edges of a compare-and-swap store somewhere else. */
  private void compareExchange(String expected, int word) {
    line(
        "{ uint64_t old = %s; if (__atomic_compare_exchange_n(&p->x[%d], &old, %d, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))",
        expected, word, ++value);
    line(
        "  __atomic_store_n(&p->x[%d], %d, __ATOMIC_RELEASE);",
        WORDS / 2 + random.nextInt(WORDS / 2), ++value);
    line(
        "else __atomic_store_n(&p->x[%d], %d, __ATOMIC_RELEASE); }",
        WORDS / 2 + random.nextInt(WORDS / 2), ++value);
  }

  /** The program flushes a range by itself: all that it stored, or less. */
  private void rangeFlush() {
    int first = random.nextInt(8);
    int count = 1 + random.nextInt(16);
    line("for (int i = 0; i < %d; i++) p->x[%d + i] = %d;", 1 + random.nextInt(16), first, ++value);
    if (random.nextBoolean()) {
      line("flush_range(&p->x[%d], %d);", first, 8 * count);
    } else {
      line(
          "for (char *c = (char *)&p->x[%d]; c < (char *)&p->x[%d]; c += 64) pm_flush(c);",
          first, first + count);
    }
    line("pm_fence();");
    line("p->x[%d] = %d;", word(), ++value);
  }

  private void branch(int depth) {
    if (depth == 0) {
      line("p->x[%d] = %d;", word(), ++value);
      return;
    }
    line("if (p->x[%d] > %d) {", word(), random.nextInt(value + 1));
    statement(depth - 1);
    line("} else {");
    statement(depth - 1);
    line("}");
  }

  private void publish() {
    if (nodes >= NODE_COUNT) {
      line("p->x[%d] = %d;", word(), ++value);
      return;
    }
    int n = nodes++;
    if (random.nextBoolean()) {
      line("struct node *n%d = made(p, count, %d);", n, value += 2);
    } else {
      line("struct node *n%d = new_node(p, count);", n);
    }
    fill(n);
    meanwhile();
    if (random.nextInt(3) == 0) {
      oldOrNew(n);
    }
    switch (random.nextInt(4)) {
      case 0 -> line("insert(p, n%d);", n);
      case 1 -> line("adopt(p, n%d, n%d);", n, n);
      case 2 -> line("n%d->next = p->root; p->root = n%d;", n, n);
      default -> {
        line("n%d->next = NULL;", n);
        line("if (p->root) p->root->next = n%d; else p->root = n%d;", n, n);
      }
    }
    if (random.nextBoolean()) {
      line("n%d->a = %d; n%d->b = %d;", n, ++value, n, ++value);
    }
  }

  /** A node that is new on one way only is stored to. */
  private void oldOrNew(int n) {
    line("struct node *q%d = n%d;", n, n);
    line("if (p->root && p->x[%d] < %d) q%d = p->root;", word(), random.nextInt(value + 1), n);
    line("q%d->a = %d; q%d->b = %d; p->x[%d] = %d;", n, ++value, n, ++value, word(), ++value);
  }

  /** Two nodes, of which one leads to the other; the list finds both by one of them. */
  private void publishTwo() {
    if (nodes + 2 > NODE_COUNT) {
      line("p->x[%d] = %d;", word(), ++value);
      return;
    }
    int inner = nodes++;
    int outer = nodes++;
    line("struct node *n%d = new_node(p, count);", inner);
    line("struct node *n%d = made(p, count, %d);", outer, value += 2);
    fill(inner);
    meanwhile();
    line("n%d->next = %s;", inner, random.nextBoolean() ? "p->root" : "NULL");
    line("n%d->next = n%d;", outer, inner);
    switch (random.nextInt(7)) {
      case 0 -> line("n%d->b = %d;", inner, ++value);
      case 1 -> line("n%d->next->b = %d;", outer, ++value);
      case 2 -> line("p->root = n%d->next; p->x[%d] = %d;", outer, word(), ++value);
      case 3 -> line("set_b(n%d, %d);", inner, ++value);
      case 4 -> line("{ struct node copy = *n%d; p->root = copy.next; }", outer);
      case 5 -> {
        line("p->root = next_of(n%d);", outer);
        line("n%d->b = %d; n%d->c = %d;", inner, ++value, inner, ++value);
      }
      default -> fill(outer);
    }
    line(random.nextBoolean() ? "p->root = n%d;" : "insert(p, n%d);", outer);
    if (random.nextBoolean()) {
      line("n%d->a = %d; p->x[%d] = %d;", inner, ++value, word(), ++value);
    }
  }

  private void publishChosen() {
    if (nodes + ChosenNodes.MOST > NODE_COUNT) {
      line("p->x[%d] = %d;", word(), ++value);
      return;
    }
    nodes += ChosenNodes.MOST;
    chosen.next().lines().forEach(one -> line("%s", one));
  }

  /** Something else is stored while a new node is written and not yet published. */
  private void meanwhile() {
    switch (random.nextInt(6)) {
      case 0 -> line("p->x[%d] = %d;", word(), ++value);
      case 1 -> line("set_both(&p->x[%d], &p->x[%d], %d);", word(), word(), value += 2);
      case 2 -> uncommon.next().lines().forEach(one -> line("%s", one));
      default -> {}
    }
  }

  private void lockFreePush() {
    int n = nodes++;
    line("struct node *n%d = new_node(p, count);", n);
    fill(n);
    line("push(p, n%d);", n);
  }

  private void fill(int n) {
    if (random.nextBoolean()) {
      line("n%d->a = %d;", n, ++value);
    }
    if (random.nextBoolean()) {
      line(
          "memset(n%d->text, %d, (size_t)(%d + (*count & 1)));",
          n, ++value % 100, 1 + random.nextInt(40));
    }
    if (random.nextBoolean()) {
      line("set_b(n%d, %d);", n, ++value);
    }
    line("n%d->c = %d;", n, ++value);
  }

  private int word() {
    return random.nextInt(WORDS);
  }

  private void line(String format, Object... arguments) {
    text.append("  ").append(format.formatted(arguments)).append('\n');
  }
}
