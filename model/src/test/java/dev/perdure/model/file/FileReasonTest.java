package dev.perdure.model.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileReasonTest {
  @TempDir Path folder;

  @Test
  void shouldSayWhyAFileCannotBeUsed() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThat(reason(() -> Files.newInputStream(folder.resolve("none"))))
        .isEqualTo("there is no such file or folder");
    assertThat(reason(() -> Files.createDirectory(file)))
        .isEqualTo("there is another file of that name");
    assertThat(reason(() -> Files.createFile(file.resolve("below")))).isEqualTo("Not a directory");
    assertThat(reason(() -> Files.delete(folder))).isEqualTo("the folder is not empty");
    assertThat(reason(() -> Files.readString(folder))).isEqualTo("Is a directory");
  }

  private interface Use {
    void it() throws IOException;
  }

  private static String reason(Use use) {
    return FileReason.of(catchThrowableOfType(IOException.class, use::it));
  }
}
