package dev.perdure.testkit.litmus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.perdure.model.finding.Level;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Builds and runs litmus programs with the real command line, each in a folder of its own. */
final class LitmusRunner {
  private static final Set<String> OPTIONS_WITH_PATH =
      Set.of("--seeds", "--grammar", "--config", "--suppress");

  /** What a repaired program must not have. */
  private static final Set<String> AFTER_FIX =
      Set.of("missing-flush", "missing-fence", "persistency-race");

  private static final String SILENCE = "4s";

  private final List<String> perdure;
  private final Path include;
  private final ProgramBuild build;
  private final Duration limit;

  LitmusRunner(List<String> perdure, Path include, ProgramBuild build, Duration limit) {
    this.perdure = List.copyOf(perdure);
    this.include = include;
    this.build = build;
    this.limit = limit;
  }

  LitmusResult run(Path file, String name) {
    long start = System.nanoTime();
    List<String> wrong = new ArrayList<>();
    try {
      LitmusProgram program = LitmusProgram.read(file);
      wrong.addAll(inOwnFolder(program, start));
    } catch (IOException | LitmusFormatException e) {
      wrong.add("error: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      wrong.add("error: interrupted");
    }
    return new LitmusResult(name, wrong, (System.nanoTime() - start) / 1e9);
  }

  private List<String> inOwnFolder(LitmusProgram program, long start)
      throws IOException, LitmusFormatException, InterruptedException {
    Path memory = Path.of("/dev/shm");
    Path folder =
        Files.isWritable(memory)
            ? Files.createTempDirectory(memory, "litmus-")
            : Files.createTempDirectory("litmus-");
    try {
      var command = new PerdureCommand(perdure, folder, include, start + limit.toNanos(), limit);
      return switch (program.command()) {
        case REGIONS -> regions(program, command, folder);
        case FIX -> fix(program, command, folder);
        default -> run(program, command, folder);
      };
    } finally {
      delete(folder);
    }
  }

  private List<String> run(LitmusProgram program, PerdureCommand command, Path folder)
      throws IOException, LitmusFormatException, InterruptedException {
    Path binary = folder.resolve("prog");
    Places places = build.build(program, command, binary);

    Path json = folder.resolve("findings.json");
    List<String> options = shortened(program, options(program));
    String name = program.command().label();
    List<String> run = new ArrayList<>(List.of(name, "--json", json.toString()));
    run.addAll(List.of("--out", folder.resolve("out-" + name).toString()));
    run.addAll(build.runOptions());
    run.addAll(options);
    String pool = folder.resolve("pool").toString();
    run.addAll(List.of("--pm", pool));
    if (!program.setting("recover").isEmpty()) {
      String quoted = "'" + binary.toString().replace("'", "'\\''") + "'";
      run.addAll(List.of("--recover", program.setting("recover").replace("{prog}", quoted)));
    }
    run.addAll(List.of("--", binary.toString(), pool));
    run.addAll(ShellWords.split(program.setting("args")));
    int exit = command.run(run, Set.of(0, 1));
    return judge(program, places, json, exit, !options.contains("--fail-on"));
  }

  private static List<String> regions(LitmusProgram program, PerdureCommand command, Path folder)
      throws IOException, LitmusFormatException, InterruptedException {
    Path json = folder.resolve("regions.json");
    List<String> words = new ArrayList<>(List.of("regions"));
    words.addAll(options(program));
    words.addAll(List.of("--json", json.toString(), program.path().toString()));
    command.run(words, Set.of(0));
    return new RegionJudge(program, new ObjectMapper().readTree(json.toFile())).judge();
  }

  /**
   * Repairs the program and judges what was inserted. For {@code after-fix} it is built once more,
   * repaired and observed, and run.
   */
  private List<String> fix(LitmusProgram program, PerdureCommand command, Path folder)
      throws IOException, LitmusFormatException, InterruptedException {
    Path list = folder.resolve("list.json");
    Path binary = folder.resolve("prog");
    List<String> options = options(program);
    List<String> compiler = new ArrayList<>(List.of("fix"));
    compiler.addAll(options);
    compiler.addAll(List.of("--list", list.toString()));
    compiler.addAll(source(program, binary));
    command.run(compiler, Set.of(0));
    List<String> wrong = new ArrayList<>(FixJudge.of(program, list).judge(program));
    if (program.setting("after-fix").equals("clean")) {
      wrong.addAll(afterFix(program, options, binary, command, folder));
    }
    return wrong;
  }

  private List<String> afterFix(
      LitmusProgram program, List<String> options, Path binary, PerdureCommand command, Path folder)
      throws IOException, LitmusFormatException, InterruptedException {
    int mode = options.indexOf("--mode");
    List<String> compiler = new ArrayList<>(List.of(program.cxx() ? "c++" : "cc"));
    compiler.add(mode < 0 ? "--fix" : "--fix=" + options.get(mode + 1));
    compiler.addAll(source(program, binary));
    command.run(compiler, Set.of(0));
    Path json = folder.resolve("findings.json");
    String pool = folder.resolve("pool").toString();
    List<String> run = new ArrayList<>(List.of("run", "--json", json.toString()));
    run.addAll(List.of("--out", folder.resolve("out-run").toString(), "--pm", pool));
    run.addAll(List.of("--", binary.toString(), pool));
    run.addAll(ShellWords.split(program.setting("args")));
    command.run(run, Set.of(0, 1));
    List<String> wrong = new ArrayList<>();
    for (JsonNode node : new ObjectMapper().readTree(json.toFile()).path("findings")) {
      if (AFTER_FIX.contains(node.path("kind").asText()) && !node.path("suppressed").asBoolean()) {
        wrong.add("after the fix: " + node.path("message").asText());
      }
    }
    return wrong;
  }

  private List<String> source(LitmusProgram program, Path binary) throws LitmusFormatException {
    List<String> words =
        new ArrayList<>(List.of("-g", "-O1", "-pthread", "-I", include.toString()));
    words.addAll(List.of(program.path().toString(), "-o", binary.toString()));
    words.addAll(ShellWords.split(program.setting("libs")));
    return words;
  }

  private static List<String> judge(
      LitmusProgram program, Places places, Path json, int exit, boolean exitCodeTells)
      throws IOException, LitmusFormatException {
    if (!Files.exists(json)) {
      throw new LitmusFormatException("no findings.json was written");
    }
    JsonNode root = new ObjectMapper().readTree(json.toFile());
    if (!root.path("schema").asText().equals("perdure-findings/1")
        || !root.path("findings").isArray()) {
      throw new LitmusFormatException("findings.json is not of the schema perdure-findings/1");
    }
    List<JudgedFinding> found = new ArrayList<>();
    for (JsonNode node : root.path("findings")) {
      var finding = new JudgedFinding(node, places);
      if (!finding.suppressed()) {
        found.add(finding);
      }
    }
    List<String> wrong = new ArrayList<>(Judge.judge(program, found));
    JsonNode ended = root.path("target").path("exit");
    boolean mustSucceed = program.command() == LitmusCommand.RUN;
    if (mustSucceed && ended.isNumber() && ended.asInt() != 0) {
      wrong.add("wrong: the program itself ended with " + ended.asInt());
    }
    long counting = found.stream().filter(JudgedFinding::counts).count();
    if (exitCodeTells && exit != (counting > 0 ? 1 : 0)) {
      wrong.add("wrong: exit code " + exit + " with " + counting + " findings that count");
    }
    return wrong;
  }

  /** A search that is to find nothing would use up its whole time. */
  private static List<String> shortened(LitmusProgram program, List<String> options) {
    List<String> words = new ArrayList<>(options);
    int time = words.indexOf("--time");
    if (program.command() == LitmusCommand.FUZZ && program.expect().isEmpty() && time >= 0) {
      words.set(time + 1, SILENCE);
    } else if (program.command() == LitmusCommand.FUZZ) {
      String level =
          program.expect().stream()
              .map(Rule::atLeast)
              .flatMap(Optional::stream)
              .max(Comparator.naturalOrder())
              .orElse(Level.PROVEN)
              .label();
      words.addAll(List.of("--stop-at", level));
    }
    return words;
  }

  private static List<String> options(LitmusProgram program) throws LitmusFormatException {
    List<String> words = new ArrayList<>(ShellWords.split(program.setting("options")));
    for (int i = 1; i < words.size(); i++) {
      if (OPTIONS_WITH_PATH.contains(words.get(i - 1))) {
        words.set(i, program.path().resolveSibling(words.get(i)).toString());
      }
    }
    return words;
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      files
          .sorted(Comparator.reverseOrder())
          .forEach(
              file -> {
                try {
                  Files.deleteIfExists(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
