package dev.perdure.testkit.litmus;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Mangled C++ names as reports write them: without parameters. */
final class ReadableNames {
  private ReadableNames() {}

  /** Asks {@code c++filt}; names that are not mangled stay as they are. */
  static Map<String, String> of(List<String> names) throws IOException {
    Process process =
        new ProcessBuilder("c++filt", "--no-params")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var in = process.getOutputStream()) {
      in.write((String.join("\n", names) + "\n").getBytes(StandardCharsets.UTF_8));
    }
    List<String> readable =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    Map<String, String> map = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      map.put(names.get(i), readable.get(i));
    }
    return map;
  }
}
