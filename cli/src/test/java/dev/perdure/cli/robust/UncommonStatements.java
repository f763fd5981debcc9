package dev.perdure.cli.robust;

import java.util.Random;
import java.util.function.IntSupplier;

/**
 * Statements for {@link RandomPmProgram} that use less common parts of the language and of the
 * library: all of them store to words of the area, none flushes what has to be flushed.
 */
final class UncommonStatements {
  static final String PROLOGUE =
      """
      #include <setjmp.h>
      #include <stdarg.h>
      #include <stdio.h>
      #include <time.h>
      struct entry { uint64_t key, value; };
      struct place { uint64_t *first, *second; };
      union mixed { uint64_t word; uint32_t half[2]; struct { uint64_t low : 5, high : 59; } bits; };
      struct nest { struct { union mixed m; struct entry e; } inner[3]; };
      static _Thread_local struct area *own;
      __attribute__((noinline)) static void set_next(uint64_t *x, uint64_t v) { x[1] = v; }
      static void (*const table[])(uint64_t *, uint64_t) = {set, set_next};
      __attribute__((noinline)) static void descend(struct area *p, int depth, uint64_t v) {
        p->x[depth * 3] = v + (uint64_t)depth;
        if (depth > 0) descend(p, depth - 1, v);
        p->x[depth * 3 + 1] = v;
      }
      __attribute__((noinline)) static void set_all(int count, uint64_t v, ...) {
        va_list rest;
        va_start(rest, v);
        for (int i = 0; i < count; i++) *va_arg(rest, uint64_t *) = v + (uint64_t)i;
        va_end(rest);
      }
      __attribute__((noinline)) static struct place places(struct area *p, int i, int k) {
        return (struct place){&p->x[i], &p->x[k]};
      }
      __attribute__((noinline)) static void leave(jmp_buf where, uint64_t *x, uint64_t v) {
        *x = v;
        longjmp(where, 1);
      }
      __attribute__((noinline)) static void fill_entry(struct entry *e, uint64_t v) {
        struct entry both = {v, v + 1};
        *e = both;
      }
      """;

  private final Random random;
  private final IntSupplier value;
  private int labels;

  UncommonStatements(Random random, IntSupplier value) {
    this.random = random;
    this.value = value;
  }

  /** One of them, as lines of C. */
  String next() {
    return switch (random.nextInt(20)) {
      case 0 -> "table[p->x[%d] & 1](&p->x[%d], %d);".formatted(word(), word(23), fresh());
      case 1 -> "descend(p, %d, %d);".formatted(random.nextInt(7), fresh());
      case 2 ->
          "set_all(3, %d, &p->x[%d], &p->x[%d], &p->x[%d]);"
              .formatted(fresh(), word(), word(), word());
      case 3 ->
          "{ struct place at = places(p, %d, %d); *at.first = %d; *at.second = %d; }"
              .formatted(word(), word(), fresh(), fresh());
      case 4 ->
          """
          switch (p->x[%d] & 3) {
            case 0: p->x[%d] = %d; break;
            case 1: p->x[%d] = %d; /* goes on */
            default: p->x[%d] = %d;
          }"""
              .formatted(word(), word(), fresh(), word(), fresh(), word(), fresh());
      case 5 -> {
        int label = labels++;
        yield "{ int i = 0; again%d: p->x[i * %d] = %d + i; if (++i < 4) goto again%d; }"
            .formatted(label, 1 + random.nextInt(7), fresh(), label);
      }
      case 6 ->
          "{ jmp_buf back; if (!setjmp(back)) { p->x[%d] = %d; leave(back, &p->x[%d], %d); } p->x[%d] = %d; }"
              .formatted(word(), fresh(), word(), fresh(), word(), fresh());
      case 7 ->
          """
          { struct entry *e = (struct entry *)p->x; int i = (int)(p->x[%d] & 7);
            e[i].key = %d; e[i].value = %d; e[(i + %d) & 7].key = %d; }"""
              .formatted(word(), fresh(), fresh(), 1 + random.nextInt(7), fresh());
      case 8 ->
          """
          { struct nest *n = (struct nest *)&p->x[%d]; int i = (int)(p->x[%d] %% 3);
            n->inner[i].m.half[1] = %d; n->inner[2].e.value = %d; n->inner[i].m.bits.low = 3; n->inner[i].e.key = %d; }"""
              .formatted(random.nextInt(8), word(), fresh(), fresh(), fresh());
      case 9 ->
          "memmove(&p->x[%d], &p->x[%d], 8 * (1 + (p->x[%d] & 3))); p->x[%d] = %d;"
              .formatted(8 * random.nextInt(3), word(20), word(), word(), fresh());
      case 10 ->
          "memset(&p->x[%d], %d, 8 * (size_t)(1 + (p->x[%d] & 7))); p->x[%d] = %d;"
              .formatted(8 * random.nextInt(3), fresh() % 100, word(), word(), fresh());
      case 11 ->
          "snprintf((char *)&p->x[%d], 40, \"%%d and more\", %d); p->x[%d] = %d;"
              .formatted(8 * random.nextInt(3), fresh(), word(), fresh());
      case 12 ->
          "*(volatile uint64_t *)&p->x[%d] = %d; p->x[%d] = %d;"
              .formatted(word(), fresh(), word(), fresh());
      case 13 ->
          "own = p; own->x[%d] = %d; own->x[%d] = %d;".formatted(word(), fresh(), word(), fresh());
      case 14 -> rangeFlush();
      case 15 ->
          "fill_entry((struct entry *)&p->x[%d], %d); p->x[%d] = %d;"
              .formatted(2 * random.nextInt(12), fresh(), word(), fresh());
      case 16 ->
          "{ uint64_t *q = p->x[%d] & 1 ? &p->x[%d] : &p->x[%d]; *q = %d; p->x[%d]++; *q = %d; }"
              .formatted(word(), word(), word(), fresh(), word(), fresh());
      case 17 ->
          "sscanf(\"%d\", \"%%lu\", &p->x[%d]); p->x[%d] = %d;"
              .formatted(fresh(), word(), word(), fresh());
      case 18 ->
          "clock_gettime(CLOCK_REALTIME, (struct timespec *)&p->x[%d]); p->x[%d] = %d;"
              .formatted(2 * random.nextInt(12), word(), fresh());
      default ->
          "for (int i = 0; i < %d; i++) { p->x[i] = %d + i; if (p->x[i + 8] == 7) break; p->x[23 - i] = %d; }"
              .formatted(2 + random.nextInt(8), fresh(), fresh());
    };
  }

  /**
   * A flush, line by line, from a start that is rounded down to a line or not, of just what was
   * stored.
   */
  private String rangeFlush() {
    int first = random.nextInt(8);
    int count = 2 + random.nextInt(14);
    String start =
        random.nextBoolean() ? "(char *)&p->x[%d]" : "(char *)((uintptr_t)&p->x[%d] & -64ul)";
    return """
        p->x[%d] = %d;
        for (char *c = %s; c < (char *)&p->x[%d]; c += 64) pm_flush(c);
        pm_fence();
        p->x[%d] = %d;"""
        .formatted(
            first + count - 1, fresh(), start.formatted(first), first + count, word(), fresh());
  }

  private int fresh() {
    return value.getAsInt();
  }

  private int word() {
    return word(RandomPmProgram.WORDS);
  }

  private int word(int below) {
    return random.nextInt(below);
  }
}
