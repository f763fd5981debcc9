package dev.perdure.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The command {@code perdure bench}. */
public final class BenchMain {
  private BenchMain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> words = Arrays.asList(args);
    if (words.equals(List.of("speed")) || words.equals(List.of("speed", "--quick"))) {
      new SpeedBenchmark(Path.of(System.getProperty("perdure.home")), words.contains("--quick"))
          .run();
      return;
    }
    if (words.contains("--help") || words.contains("-h")) {
      System.out.println("usage: perdure bench speed [--quick]");
      return;
    }
    System.err.println(
        words.isEmpty() || !words.get(0).equals("eval")
            ? "perdure: usage: perdure bench speed [--quick]"
            : "perdure: 'bench eval' is not available in this version");
    System.exit(2);
  }
}
