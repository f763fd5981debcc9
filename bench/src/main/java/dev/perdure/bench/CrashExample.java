package dev.perdure.bench;

import dev.perdure.model.finding.FindingKind;
import dev.perdure.report.json.FindingsFormatException;
import dev.perdure.report.json.FindingsJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A map of examples/crash, as a program of one of the front ends.
 *
 * @param home Perdure's own folder
 * @param folder takes the program and its pool
 * @param plain whether an ordinary compiler builds it
 */
record CrashExample(Path home, Path folder, String name, boolean plain) {
  static final List<String> NAMES =
      List.of("btree", "ctree", "rbtree", "hashmap_tx", "hashmap_atomic");

  private static final int KEYS_BEFORE = 12;
  private static final Pattern BUG = Pattern.compile("/\\* BUG (\\d+), ([a-z-]+): (.*?) \\*/");
  private static final Pattern CPU = Pattern.compile("cpu (\\d+\\.\\d+) (\\d+\\.\\d+)\\s*$");
  private static final Pattern POINTS =
      Pattern.compile(
          "(\\d+) failure points, (\\d+) after merging; (\\d+) images; (\\d+) recovery runs");

  /** A mistake that the source can be built with, and what it must be found as. */
  record Bug(int number, FindingKind kind, String what) {}

  /** What a crash test said, and the time it took: on the clock, and of the processors. */
  record Tested(
      double seconds,
      double cpuSeconds,
      int candidates,
      int points,
      int images,
      int runs,
      Set<FindingKind> kinds) {}

  private Path source() {
    return home.resolve("examples/crash/" + name + ".c");
  }

  private String pool() {
    return folder.resolve(name + ".pool").toString();
  }

  String frontEnd() {
    return plain ? "binary" : "llvm";
  }

  /** The mistakes that stand in the source. */
  List<Bug> bugs() throws IOException {
    List<Bug> bugs = new ArrayList<>();
    Matcher m = BUG.matcher(Files.readString(source()));
    while (m.find()) {
      FindingKind kind =
          FindingKind.byLabel(m.group(2))
              .orElseThrow(() -> new IOException(source() + ": unknown kind in " + m.group()));
      bugs.add(new Bug(Integer.parseInt(m.group(1)), kind, m.group(3)));
    }
    return bugs;
  }

  /** Builds it with a mistake, 0 for none, and makes a pool with a few keys. */
  void build(int bug) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    if (plain) {
      command.addAll(List.of("gcc", "-I", home.resolve("native/include").toString()));
    } else {
      command.addAll(List.of(home.resolve("perdure").toString(), "cc"));
    }
    command.addAll(List.of("-g", "-O1", "-DBUG=" + bug, source().toString()));
    command.addAll(List.of("-o", name, "-lpmemobj"));
    Measured.require(folder, command);
    Files.deleteIfExists(Path.of(pool()));
    require("./" + name, pool(), "insert", String.valueOf(KEYS_BEFORE));
  }

  /** Processor seconds of the program by itself, its pool left as it was. */
  double nativeSeconds(String... arguments) throws IOException, InterruptedException {
    Path before = folder.resolve("before");
    Files.copy(Path.of(pool()), before);
    List<String> words = new ArrayList<>(List.of("./" + name, pool()));
    words.addAll(List.of(arguments));
    double seconds = cpu(require(words.toArray(String[]::new)));
    Files.delete(Path.of(pool()));
    Files.move(before, Path.of(pool()));
    return seconds;
  }

  private Measured require(String... words) throws IOException, InterruptedException {
    return Measured.require(folder, timed(List.of(words)));
  }

  private static List<String> timed(List<String> words) {
    List<String> command =
        new ArrayList<>(List.of("bash", "-c", "TIMEFORMAT='cpu %U %S'; time \"$@\"", "-"));
    command.addAll(List.of("env", "PMEM_IS_PMEM_FORCE=1"));
    command.addAll(words);
    return command;
  }

  private static double cpu(Measured measured) throws IOException {
    Matcher m = CPU.matcher(measured.output());
    if (!m.find()) {
      throw new IOException("no processor time:\n" + measured.output());
    }
    return Double.parseDouble(m.group(1)) + Double.parseDouble(m.group(2));
  }

  /** A crash test of some insertions. */
  Tested test(int insertions) throws IOException, InterruptedException {
    Path findings = folder.resolve("findings.json");
    List<String> command =
        List.of(
            home.resolve("perdure").toString(),
            "crash",
            "--frontend",
            frontEnd(),
            "--fail-on",
            "never",
            "--out",
            folder.resolve("out").toString(),
            "--json",
            findings.toString(),
            "--pm",
            pool(),
            "--recover",
            "./" + name + " {pm} recover",
            "--",
            "./" + name,
            pool(),
            "insert",
            String.valueOf(insertions));
    Measured measured = Measured.require(folder, timed(command));
    Matcher m = POINTS.matcher(measured.output());
    if (!m.find()) {
      throw new IOException("no count of failure points:\n" + measured.output());
    }
    return new Tested(
        measured.wallSeconds(),
        cpu(measured),
        Integer.parseInt(m.group(1)),
        Integer.parseInt(m.group(2)),
        Integer.parseInt(m.group(3)),
        Integer.parseInt(m.group(4)),
        kinds(findings));
  }

  private static Set<FindingKind> kinds(Path findings) throws IOException {
    try {
      return FindingsJson.read(findings).findings().stream()
          .map(f -> f.finding().kind())
          .collect(Collectors.toSet());
    } catch (FindingsFormatException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
