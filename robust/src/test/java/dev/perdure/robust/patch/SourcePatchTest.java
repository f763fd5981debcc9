package dev.perdure.robust.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import dev.perdure.model.repair.Insertion;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In the sources of these tests, $ stands before a store to be flushed, # before a fence. */
class SourcePatchTest {
  @TempDir Path folder;

  @Test
  void shouldWriteFlushBehindStoreAndFenceBeforeTheNext() throws Exception {
    String patch =
        patch(
            """
            // Käse
            #include <stdint.h>
            void set(uint64_t *x, uint64_t *y) {
              *x $= 1; // first
              *y #$= 2;
            #}
            """);

    assertThat(patch)
        .isEqualTo(
            """
            --- a.c
            +++ a.c
            @@ -1,6 +1,11 @@
             // Käse
            +#include <perdure_flush.h>
             #include <stdint.h>
             void set(uint64_t *x, uint64_t *y) {
               *x = 1; // first
            +  perdure_flush(&(*x), sizeof(*x));
            +  perdure_fence();
               *y = 2;
            +  perdure_flush(&(*y), sizeof(*y));
            +  perdure_fence();
             }
            """);
  }

  @Test
  void shouldGiveBracesToBodiesWithoutThem() {
    assertThat(
            patched(
                """
                void f(struct p *p) {
                  if (p)
                    p->x $= 1;
                  else if (q) #p->y $= 2;
                  for (int i = 0; i < n; i++) p->item[i] #$= i;
                }
                """))
        .isEqualTo(
            """
            void f(struct p *p) {
              if (p)
                {
                p->x = 1;
                perdure_flush(&(p->x), sizeof(p->x));
                }
              else if (q) { perdure_fence(); p->y = 2; perdure_flush(&(p->y), sizeof(p->y)); }
              for (int i = 0; i < n; i++) { perdure_fence(); p->item[i] = i; perdure_flush(&(p->item[i]), sizeof(p->item[i])); }
            }
            """);
  }

  @Test
  void shouldKeepConditionsAndLoopHeadsWhole() {
    assertThat(
            patched(
                """
                int f(struct p *p) {
                  while (#$atomic_exchange(&p->l, 1)) wait();
                  for (int i = 0; #p->x < 3; p->n#$++) go(p);
                  if ((p->a $= g()) != 0) return #h(p);
                  do { go(p); } while (#more(p));
                  if (p) #return (int)$++p->n;
                  #return h(p);
                }
                """))
        .isEqualTo(
            """
            int f(struct p *p) {
              while (perdure_fence(), PERDURE_FLUSHED(atomic_exchange(&p->l, 1), &p->l, sizeof *(&p->l))) wait();
              for (int i = 0; perdure_fence(), p->x < 3; perdure_fence(), p->n++, perdure_flush(&(p->n), sizeof(p->n))) go(p);
              if ((PERDURE_FLUSHED(p->a = g(), &(p->a), sizeof(p->a))) != 0) { perdure_fence(); return h(p); }
              do { go(p); } while (perdure_fence(), more(p));
              if (p) return PERDURE_FENCED((int)PERDURE_FLUSHED(++p->n, &(p->n), sizeof(p->n)));
              return PERDURE_FENCED(h(p));
            }
            """);
  }

  @Test
  void shouldFenceEveryWayOutOfAFunction() {
    assertThat(
            patched(
                """
                int f(int x) {
                  if (x) return 1;
                  switch (x) { case 1: { return g(x); } default: break; }
                  return 0;
                #}
                void g(void) { p->x $= 1; #}
                """))
        .isEqualTo(
            """
            int f(int x) {
              if (x) { perdure_fence(); return 1; }
              switch (x) { case 1: { return PERDURE_FENCED(g(x)); } default: break; }
              perdure_fence();
              return 0;
            }
            void g(void) { p->x = 1; perdure_flush(&(p->x), sizeof(p->x)); perdure_fence(); }
            """);
  }

  @Test
  void shouldReadLambdasLabelsAndLiterals() {
    assertThat(
            patched(
                """
                const char *s[] = {"};", "{"}; // };
                void f() {
                  run([&] { p->x $= 1; });
                again:
                  p->c $= '}'; goto again;
                #}
                """))
        .isEqualTo(
            """
            const char *s[] = {"};", "{"}; // };
            void f() {
              run([&] { p->x = 1; perdure_flush(&(p->x), sizeof(p->x)); });
            again:
              p->c = '}'; perdure_flush(&(p->c), sizeof(p->c)); goto again; perdure_fence();
            }
            """);
  }

  @Test
  void shouldStayOutOfComments() {
    assertThat(patched("void f() {\n  g(); p->x $= 1; // done\n}\n"))
        .contains("p->x = 1; perdure_flush(&(p->x), sizeof(p->x)); // done\n");
  }

  @Test
  void shouldEvaluateOnceWhatHasEffects() {
    assertThat(patched("void f() {\n  next(p)->x #$+= 1; // x\n}\n"))
        .isEqualTo(
            """
            void f() {
              perdure_fence();
              { __typeof__(next(p)->x) *perdure_at = &(next(p)->x); (*perdure_at) += 1; // x
              perdure_flush(perdure_at, sizeof *perdure_at); }
            }
            """);
  }

  @Test
  void shouldFenceOutsideOfWhatIsEvaluatedOnce() {
    assertThat(patched("void f() {\n  while (a) #next(p)->x $= 1;\n}\n"))
        .contains("{ perdure_fence(); { __typeof__(next(p)->x) *perdure_at = &(next(p)->x); ");
  }

  @Test
  void shouldMarkStoresBeforeTheBodyOfAConstructor() {
    assertThat(patched("struct S { S(long a) : $a(a) { b $= 2; } };\n"))
        .isEqualTo(
            "struct S { S(long a) : a(a) { /* perdure: flush here what is stored */"
                + " b = 2; perdure_flush(&(b), sizeof(b)); } };\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          p->a.b[i] $+= 3;                                 | perdure_flush(&(p->a.b[i]), sizeof(p->a.b[i]));
          $memcpy(p->text, from(a, b), n);                 | perdure_flush(p->text, n);
          $snprintf(t[i].s, 9, "%d,", x);                  | perdure_flush(t[i].s, strlen(t[i].s) + 1);
          $__atomic_store_n(&p->x, 1, __ATOMIC_RELEASE);   | perdure_flush(&p->x, sizeof *(&p->x));
          p->count$++;                                     | perdure_flush(&(p->count), sizeof(p->count));
          $--p->count;                                     | perdure_flush(&(p->count), sizeof(p->count));
          D_RW(r)->n $= 1;                                 | perdure_flush(&(D_RW(r)->n), sizeof(D_RW(r)->n));
          int old = $atomic_fetch_add(&p->n, 1);           | perdure_flush(&p->n, sizeof *(&p->n));
          struct { int used : 1; } *p; p->used $= 1;       | perdure_flush(p, sizeof *(p));
          print(p->m[i].$v, 1);                            | perdure_flush(&(p->m[i].v), sizeof(p->m[i].v));
          x = q->$head;                                    | perdure_flush(&(q->head), sizeof(q->head));
          x = $*flag;                                      | perdure_flush(&(*flag), sizeof(*flag));
          $strncpy(n, s, 64);                              | perdure_flush(n, 64);
          *to++ $= x;                                      | perdure_flush(perdure_at, sizeof *perdure_at); }
          y = *to++ $= x;                                  | /* perdure: flush here what is stored */
          $store_it(p);                                    | /* perdure: flush here what is stored */
          """)
  void shouldReadWhatAStatementStoresTo(String statement, String flush) {
    assertThat(patched("void f() { " + statement + " }\n")).endsWith("; " + flush + " }\n");
  }

  private record Marked(String text, List<Insertion> insertions) {}

  /** Takes the marks out. */
  private static Marked read(String marked) {
    StringBuilder text = new StringBuilder();
    List<Insertion> insertions = new ArrayList<>();
    String bytes = new String(marked.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    int line = 1;
    int column = 1;
    for (int i = 0; i < bytes.length(); i++) {
      char c = bytes.charAt(i);
      if (c == '$' || c == '#' && !bytes.startsWith("#include", i)) {
        insertions.add(
            new Insertion(
                c == '$' ? Insertion.Kind.FLUSH : Insertion.Kind.FENCE,
                new Site(List.of(new Frame("f", "a.c", line))),
                column,
                "because"));
        continue;
      }
      text.append(c);
      line += c == '\n' ? 1 : 0;
      column = c == '\n' ? 1 : column + 1;
    }
    insertions.sort((a, b) -> a.kind().compareTo(b.kind()));
    return new Marked(text.toString(), insertions);
  }

  private String patch(String marked) throws Exception {
    Marked source = read(marked);
    Files.writeString(folder.resolve("a.c"), source.text(), StandardCharsets.ISO_8859_1);
    return new String(new SourcePatch(folder).of(source.insertions()), StandardCharsets.UTF_8);
  }

  private static String patched(String marked) {
    Marked source = read(marked);
    PatchedFile file = new PatchedFile(new SourceText(source.text()));
    source.insertions().forEach(file::insert);
    Map<Integer, List<String>> replacements = file.byLine();
    StringBuilder text = new StringBuilder();
    List<String> lines = source.text().lines().toList();
    for (int i = 1; i <= lines.size(); i++) {
      replacements
          .getOrDefault(i, List.of(lines.get(i - 1)))
          .forEach(line -> text.append(line).append('\n'));
    }
    return text.toString();
  }
}
