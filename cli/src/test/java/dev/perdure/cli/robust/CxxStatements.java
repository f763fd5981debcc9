package dev.perdure.cli.robust;

import java.util.Random;
import java.util.function.IntSupplier;

/**
 * Statements for {@link RandomPmProgram} that only C++ has: constructors and destructors, virtual
 * calls, exceptions that are caught here or by a caller, closures.
 */
final class CxxStatements {
  static final String PROLOGUE =
      """
      #include <new>
      #include <vector>
      struct scope {
        uint64_t *x, v;
        scope(uint64_t *x, uint64_t v) : x(x), v(v) { *x = v; }
        ~scope() { *x = v + 1; }
      };
      struct shape {
        virtual void draw(struct area *p, uint64_t v) { p->x[v % 12] = v; p->x[12 + v % 12] = v + 1; }
        virtual ~shape() {}
      };
      struct round : virtual shape {
        uint64_t *kept;
        round(uint64_t *x) : kept(x) {}
        void draw(struct area *p, uint64_t v) override { *kept = v; p->x[v % 24] = v; }
      };
      struct both : round {
        both(uint64_t *x) : round(x) {}
        void draw(struct area *p, uint64_t v) override { p->x[3] = v; round::draw(p, v); p->x[20] = v; }
      };
      struct leaf : node {
        leaf(uint64_t v) { a = v; c = v + 1; next = nullptr; }
        void finish(uint64_t v) { b = v; }
      };
      __attribute__((noinline)) static shape *shaped(struct area *p, uint64_t k) {
        return k % 3 == 0 ? new shape : k % 3 == 1 ? new round(&p->x[k % 24]) : new both(&p->x[k % 24]);
      }
      __attribute__((noinline)) static void refuse(uint64_t *x, uint64_t v) {
        *x = v;
        if (v & 1) throw v;
        x[1] = v;
      }
      __attribute__((noinline)) static void never(uint64_t *x, uint64_t v) {
        *x = v;
        throw v;
      }
      __attribute__((noinline)) static void guarded(struct area *p, int i, uint64_t v) {
        scope s(&p->x[i], v);
        p->x[8] = v;
        refuse(&p->x[16], v);
        p->x[9] = v;
      }
      __attribute__((noinline)) static void passing(struct area *p, int i, uint64_t v) {
        p->x[i] = v;
        refuse(&p->x[(i + 8) % 23], v);
        p->x[(i + 16) % 24] = v;
      }
      __attribute__((noinline)) static void published(struct area *p, struct node *n, uint64_t v) {
        n->next = p->root;
        p->root = n;
        if (v & 1) throw v;
      }
      __attribute__((noinline)) static void written(struct node *n, uint64_t v) {
        n->a = v;
        if (v & 1) {
          n->b = v;
          throw v;
        }
        n->c = v;
      }
      __attribute__((noinline)) static void too_long(uint64_t *x, std::vector<int> &all, uint64_t v) {
        *x = v;
        x[8] = v;
        all.reserve(v & 1 ? ~0ul : 1);
      }
      """;

  private final Random random;
  private final IntSupplier value;

  CxxStatements(Random random, IntSupplier value) {
    this.random = random;
    this.value = value;
  }

  /** One that stores to words of the area. */
  String next() {
    return switch (random.nextInt(10)) {
      case 0 ->
          "{ scope s(&p->x[%d], %d); p->x[%d] = %d; }".formatted(word(), fresh(), word(), fresh());
      case 1 ->
          "{ shape *s = shaped(p, %d); s->draw(p, %d); p->x[%d] = %d; s->draw(p, %d); delete s; }"
              .formatted(fresh(), fresh(), word(), fresh(), fresh());
      case 2 ->
          "try { refuse(&p->x[%d], %d); } catch (uint64_t v) { p->x[%d] = v; p->x[%d] = %d; }"
              .formatted(word(23), fresh(), word(), word(), fresh());
      case 3 ->
          "try { guarded(p, %d, %d); } catch (...) { p->x[%d] = %d; p->x[%d] = %d; }"
              .formatted(word(), fresh(), word(), fresh(), word(), fresh());
      case 4 ->
          "try { passing(p, %d, %d); } catch (...) { p->x[%d] = %d; }"
              .formatted(word(), fresh(), word(), fresh());
      case 5 ->
          """
          try {
            try { p->x[%d] = %d; throw 1; } catch (int) { p->x[%d] = %d; throw; }
          } catch (...) { p->x[%d] = %d; }"""
              .formatted(word(), fresh(), word(), fresh(), word(), fresh());
      case 6 ->
          "{ auto f = [=](uint64_t v) { p->x[%d] = v; p->x[%d] = v + 1; }; f(%d); p->x[%d] = %d; }"
              .formatted(word(), word(), fresh(), word(), fresh());
      case 7 ->
          "try { std::vector<int> all; too_long(&p->x[%d], all, %d); } catch (...) { p->x[%d] = %d; }"
              .formatted(word(16), fresh(), word(), fresh());
      case 8 ->
          "try { never(&p->x[%d], %d); } catch (uint64_t v) { p->x[%d] = v; p->x[%d] = %d; }"
              .formatted(word(), fresh(), word(), word(), fresh());
      default ->
          "{ round r(&p->x[%d]); shape &s = r; s.draw(p, %d); p->x[%d] = %d; }"
              .formatted(word(), fresh(), word(), fresh());
    };
  }

  /** One that writes and publishes a node. */
  String withNode(int n) {
    return switch (random.nextInt(3)) {
      case 0 ->
          """
          leaf *n%1$d = new (new_node(p, count)) leaf(%2$d);
          n%1$d->finish(%3$d); n%1$d->next = p->root; p->root = n%1$d; n%1$d->b = %4$d;"""
              .formatted(n, fresh(), fresh(), fresh());
      case 1 ->
          """
          struct node *n%1$d = new_node(p, count); n%1$d->a = %2$d; n%1$d->c = %3$d;
          try { published(p, n%1$d, %4$d); } catch (...) { n%1$d->b = %5$d; n%1$d->a = %6$d; }
          p->x[%7$d] = %8$d;"""
              .formatted(n, fresh(), fresh(), fresh(), fresh(), fresh(), word(), fresh());
      default ->
          """
          struct node *n%1$d = new_node(p, count); n%1$d->next = p->root;
          try { written(n%1$d, %2$d); } catch (uint64_t v) { %3$s }
          p->root = n%1$d;"""
              .formatted(n, fresh(), random.nextBoolean() ? "" : "p->x[%d] = v;".formatted(word()));
    };
  }

  /** Even and odd alike. */
  private int fresh() {
    return value.getAsInt() + random.nextInt(2);
  }

  private int word() {
    return word(RandomPmProgram.WORDS);
  }

  private int word(int below) {
    return random.nextInt(below);
  }
}
