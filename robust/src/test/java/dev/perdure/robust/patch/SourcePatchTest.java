package dev.perdure.robust.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import dev.perdure.model.repair.Insertion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourcePatchTest {
  @TempDir Path folder;

  @Test
  void shouldWriteFlushBehindStoreAndFenceBeforeTheNext() throws Exception {
    Files.writeString(
        folder.resolve("a.c"),
        """
        #include <stdint.h>
        void set(uint64_t *x, uint64_t *y) {
          *x = 1; // first
          *y = 2;
        }
        """);

    String patch =
        new SourcePatch(folder)
            .of(
                List.of(
                    insertion(Insertion.Kind.FLUSH, 3),
                    insertion(Insertion.Kind.FENCE, 4),
                    insertion(Insertion.Kind.FLUSH, 4),
                    insertion(Insertion.Kind.FENCE, 5)));

    assertThat(patch)
        .isEqualTo(
            """
            --- a.c
            +++ a.c
            @@ -1,5 +1,10 @@
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
  void shouldKeepTheBodyOfALoopTogether() throws Exception {
    Files.writeString(
        folder.resolve("a.c"),
        """
        #include <x.h>
        for (int i = 0; i < n; i++) p->item[i] = i;
        if (p)
          p->x = 1;
        """);

    String patch =
        new SourcePatch(folder)
            .of(List.of(insertion(Insertion.Kind.FLUSH, 2), insertion(Insertion.Kind.FLUSH, 4)));

    assertThat(patch)
        .contains(
            "+for (int i = 0; i < n; i++) p->item[i] = i, "
                + "perdure_flush(&(p->item[i]), sizeof(p->item[i]));\n")
        .contains("+  {\n   p->x = 1;\n+  perdure_flush(&(p->x), sizeof(p->x));\n+  }\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          p->a.b[i] += 3;                                  | perdure_flush(&(p->a.b[i]), sizeof(p->a.b[i]))
          memcpy(p->text, from(a, b), n);                  | perdure_flush(p->text, n)
          __atomic_store_n(&p->x, 1, __ATOMIC_RELEASE);    | perdure_flush(&p->x, sizeof *(&p->x))
          p->count++;                                      | perdure_flush(&(p->count), sizeof(p->count))
          """)
  void shouldReadWhatALineStoresTo(String line, String flush) {
    assertThat(new Statement(line).flush()).contains(flush);
  }

  @Test
  void shouldMarkWhatItCannotRead() throws Exception {
    Files.writeString(folder.resolve("a.c"), "#include <x.h>\nstore_it(p);\n");

    assertThat(new SourcePatch(folder).of(List.of(insertion(Insertion.Kind.FLUSH, 2))))
        .contains("+/* perdure: flush here what the line above stores to */");
  }

  private static Insertion insertion(Insertion.Kind kind, int line) {
    return new Insertion(kind, new Site(List.of(new Frame("set", "a.c", line))), "because");
  }
}
