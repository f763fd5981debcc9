package dev.perdure.binary.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.model.code.Frame;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VanishedFunctionsTest {
  private static final String SOURCE =
      """
      static const char *text = "%s"; /* head(list) { x; } */
      static long head(struct list *list) {
        return list->head;
      }
      int empty(struct list *list) { return head(list) == 0; }
      """
          .formatted("{".repeat(100_000));

  @TempDir private Path folder;
  private String file;

  @BeforeEach
  void write() throws Exception {
    file = Files.writeString(folder.resolve("list.c"), SOURCE).toString();
  }

  private Optional<Frame> calledIn(int line, String... known) {
    return new VanishedFunctions()
        .calledIn(new Frame("empty", file, line), Set.of(known)::contains);
  }

  @Test
  void shouldFindTheStatementOfTheFunctionThatALineCalls() {
    assertThat(calledIn(5, "empty")).contains(new Frame("head", file, 3));
  }

  @Test
  void shouldLeaveFunctionsToTheDebugInformationThatItKnows() {
    assertThat(calledIn(5, "empty", "head")).isEmpty();
  }

  @Test
  void shouldFindNothingWhereNoLineIsKnown() {
    assertThat(calledIn(0)).isEmpty();
  }
}
