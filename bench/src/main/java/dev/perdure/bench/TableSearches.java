package dev.perdure.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Searches of examples/table, in a folder of their own. */
final class TableSearches {
  private final Path home;
  private final Path folder;
  private final Path example;
  private final Path grammar;

  private TableSearches(Path home, Path folder) {
    this.home = home;
    this.folder = folder;
    this.example = home.resolve("examples/table");
    this.grammar = example.resolve("table.grammar");
  }

  static TableSearches prepare(Path home, Path folder) throws IOException, InterruptedException {
    TableSearches searches = new TableSearches(home, folder);
    String source = searches.example.resolve("table.c").toString();
    searches.require("cc", "-O1", "-g", "-pthread", source, "-o", "table");
    return searches;
  }

  Path home() {
    return home;
  }

  Path folder() {
    return folder;
  }

  /** The inputs that the example comes with. */
  Path seeds() {
    return example.resolve("seeds");
  }

  /** How the last search grew. */
  List<String> plot() throws IOException {
    return Files.readAllLines(folder.resolve("run/plot"));
  }

  Measured require(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(home.resolve("perdure").toString()));
    command.addAll(List.of(words));
    return Measured.require(folder, command);
  }

  Map<String, String> search(int seconds, long seed, Path inputs, String... options)
      throws IOException, InterruptedException {
    Path out = folder.resolve("run");
    Measured.require(folder, List.of("rm", "-rf", out.toString()));
    List<String> words =
        new ArrayList<>(
            List.of("fuzz", "--quiet", "--fail-on", "never", "--minimise", "no", "--pm", "pool"));
    words.addAll(List.of("--out", out.toString(), "--grammar", grammar.toString()));
    words.addAll(List.of("--seeds", inputs.toString(), "--seed", "" + seed));
    words.addAll(List.of("--time", seconds + "s"));
    words.addAll(List.of(options));
    words.addAll(List.of("--", "./table", "pool", "@@", "{threads}"));
    require(words.toArray(String[]::new));
    Map<String, String> figures = new HashMap<>();
    for (String line : Files.readAllLines(out.resolve("stats"))) {
      String[] parts = line.split(" : ", 2);
      figures.put(parts[0], parts[1]);
    }
    return figures;
  }

  /** A folder with one input of so many operations. */
  Path inputs(String name, int count, long seed, boolean putsOnly) throws IOException {
    Path inputs = Files.createDirectories(folder.resolve(name));
    Files.write(inputs.resolve("operations"), operations(count, seed, putsOnly));
    return inputs;
  }

  private static byte[] operations(int count, long seed, boolean putsOnly) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      int key = random.nextInt(256);
      switch (putsOnly ? 0 : random.nextInt(4)) {
        case 0, 1 -> text.append("put %d %d\n".formatted(key, i + 1));
        case 2 -> text.append("get %d\n".formatted(key));
        default -> text.append("update %d %d\n".formatted(key, i + 1));
      }
    }
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  static double number(Map<String, String> figures, String name) {
    return Double.parseDouble(figures.get(name));
  }
}
