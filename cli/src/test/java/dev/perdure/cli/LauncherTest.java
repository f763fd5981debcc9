package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The launcher names methods of the detectors, and no compiler checks them there. */
class LauncherTest {
  private static final Pattern LOOP =
      Pattern.compile("for method in (.*?); do\\s+.*dontinline,([\\w.]+)\\$method", Pattern.DOTALL);

  @Test
  void shouldNameMethodsThatExist() throws Exception {
    Path launcher = Path.of(System.getProperty("perdure.home"), "perdure");
    Matcher loop = LOOP.matcher(Files.readString(launcher));
    assertThat(loop.find()).isTrue();

    for (String name : wordsOf(loop.group(1))) {
      String[] parts = name.split("::");
      Class<?> type = Class.forName(loop.group(2) + parts[0]);
      assertThat(Arrays.stream(type.getDeclaredMethods()))
          .as(name)
          .anyMatch(m -> parts[1].equals("*") || m.getName().equals(parts[1]));
    }
  }

  private static List<String> wordsOf(String bash) throws Exception {
    Process process = new ProcessBuilder("bash", "-c", "printf '%s\\n' " + bash).start();
    List<String> words = process.inputReader().lines().toList();
    assertThat(process.waitFor()).isZero();
    return words;
  }
}
