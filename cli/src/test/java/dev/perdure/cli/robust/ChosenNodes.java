package dev.perdure.cli.robust;

import java.util.Random;
import java.util.function.IntSupplier;

/**
 * Statements for {@link RandomPmProgram} in which a reference means one of several nodes: one of
 * two new ones, or a new one or an old one, chosen here, by a function, or by a function that is
 * called through a pointer. What is written lies in another line than what is written when the node
 * is linked, so that no flush of that helps.
 */
final class ChosenNodes {
  /** As many nodes as a statement may use. */
  static final int MOST = 2;

  static final String PROLOGUE =
      """
      __attribute__((noinline)) static struct node *either(struct area *p, int *count, uint64_t v) {
        struct node *n;
        if (p->x[v % 24] & 1) {
          n = new_node(p, count);
          n->a = v;
        } else {
          n = new_node(p, count);
          n->c = v;
        }
        return n;
      }
      __attribute__((noinline)) static struct node *found_or_made(struct area *p, int *count, uint64_t v) {
        struct node *n = p->root;
        if (!(p->x[v % 24] & 1)) {
          n = new_node(p, count);
          n->a = v;
          n->next = p->root;
        }
        return n;
      }
      static struct node *made_by_pointer(struct area *p, int *count, uint64_t v) {
        struct node *n = new_node(p, count);
        n->a = v;
        return n;
      }
      static struct node *(*volatile maker)(struct area *, int *, uint64_t) = made_by_pointer;
      __attribute__((noinline)) static void set_one(struct node *n, struct node *m, uint64_t first, uint64_t v) {
        struct node *one = first & 1 ? n : m;
        one->c = v;
      }
      __attribute__((noinline)) static struct node *one_of(struct node *n, struct node *m, uint64_t first) {
        if (first & 1) return n;
        return m;
      }
      """;

  private final Random random;
  private final IntSupplier value;

  ChosenNodes(Random random, IntSupplier value) {
    this.random = random;
    this.value = value;
  }

  /** One of them, as lines of C. */
  String next() {
    return switch (random.nextInt(7)) {
      case 0 ->
          "{ struct node *n = either(p, count, %d); n->next = p->root; p->root = n; }"
              .formatted(fresh());
      case 1 -> "p->root = found_or_made(p, count, %d);".formatted(fresh());
      case 2 ->
          "{ struct node *n = maker(p, count, %d); n->next = p->root; p->root = n; }"
              .formatted(fresh());
      case 3 ->
          """
          { struct node *n = new_node(p, count), *m = new_node(p, count), *one = p->x[%d] & 1 ? n : m;
            n->a = %d; m->c = %d; m->next = NULL; n->next = p->root; p->root = n; n->next = one; }"""
              .formatted(word(), fresh(), fresh());
      case 4 ->
          """
          { struct node *n = new_node(p, count), *m = new_node(p, count);
            set_one(n, m, p->x[%d], %d); n->next = p->root; m->next = n; p->root = n; p->root = m; }"""
              .formatted(word(), fresh());
      case 5 ->
          """
          { struct node *n = new_node(p, count); n->a = %d; n->next = NULL;
            struct node *one = p->x[%d] & 1 || !p->root ? n : p->root; one->a = %d; p->root = one; }"""
              .formatted(fresh(), word(), fresh());
      default ->
          """
          { struct node *n = new_node(p, count); n->a = %d; n->next = p->root;
            p->root = one_of(n, p->root, p->x[%d]); p->x[%d] = %d; }"""
              .formatted(fresh(), word(), word(), fresh());
    };
  }

  private int fresh() {
    return value.getAsInt();
  }

  private int word() {
    return random.nextInt(RandomPmProgram.WORDS);
  }
}
