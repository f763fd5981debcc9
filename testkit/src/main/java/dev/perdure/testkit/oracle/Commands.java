package dev.perdure.testkit.oracle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Starts a program that must succeed. */
final class Commands {
  private Commands() {}

  /** Runs it; otherwise the message has what it said. */
  static void run(Path folder, List<String> words, Map<String, String> environment)
      throws IOException, InterruptedException {
    var builder = new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exit = process.waitFor();
    if (exit != 0) {
      throw new IOException(String.join(" ", words) + " ended with " + exit + ": " + said.strip());
    }
  }
}
