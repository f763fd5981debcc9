package dev.perdure.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What it costs to observe plain binaries: CPU time of the target, start-up included, against
 * native; beside it the same program built with perdure cc, and under valgrind without a tool and
 * with helgrind (which the quick form leaves out). The ways alternate in each round; figures are
 * medians. Native programs run for half a second or more, so that their start does not decide. What
 * a start costs says a program of its own: the time from its creation to main.
 */
final class PlainBenchmark {
  /** bash says what a command has used, and passes on what that prints. */
  private static final String TIMED = "TIMEFORMAT='wall %R cpu %U+%S'; time PMEM_IS_PMEM_FORCE=1 ";

  private static final String SCRIPT =
      """
      words = {}
      for i in range(1200000):
          key = "k%d" % (i * 7919 % 5003)
          words[key] = words.get(key, 0) + len(key)
      print(sum(words.values()))
      """;

  /** Then every access is tested, as in a program that uses persistent memory somewhere. */
  private static final String MAPS_POOL =
      """
      import mmap, os
      file = os.open("pool", os.O_RDWR | os.O_CREAT)
      os.ftruncate(file, 4096)
      pool = mmap.mmap(file, 4096)
      """;

  private static final List<String> WAYS =
      List.of("native", "plain binary", "perdure cc", "valgrind", "helgrind");

  /**
   * @param source a file in bench/src/main/native; empty: an installed program
   * @param command with PROGRAM for what was built, which is given a new pool each time
   * @param options of {@code perdure run}
   */
  private record Workload(
      String name,
      Optional<String> source,
      String flags,
      String command,
      List<String> options,
      String wanted) {
    boolean saysFiguresItself() {
      return wanted.isEmpty();
    }
  }

  private final Path home;
  private final boolean quick;
  private final int rounds;

  PlainBenchmark(Path home, boolean quick) {
    this.home = home;
    this.quick = quick;
    this.rounds = quick ? 1 : 5;
  }

  private List<Workload> workloads() {
    return List.of(
        new Workload(
            "hash table with flushes, 4 threads",
            Optional.of("hashtable.c"),
            "-pthread",
            "PROGRAM pool 4 4000000",
            List.of(),
            "1.8"),
        new Workload(
            "libpmemobj transactions",
            Optional.of("transactions.c"),
            "-lpmemobj",
            "PROGRAM pool 600000",
            List.of(),
            "3.0"),
        new Workload(
            "the same with loads inside of libpmemobj",
            Optional.of("transactions.c"),
            "-lpmemobj",
            "PROGRAM pool 600000",
            List.of("--inside-libraries"),
            "3.0"),
        new Workload(
            "xz -3 of 2 MB",
            Optional.empty(),
            "",
            "/usr/bin/xz -T1 -3 -k -c data",
            List.of(),
            "2.0"),
        new Workload(
            "python3, dictionaries and strings",
            Optional.empty(),
            "",
            "/usr/bin/python3 script.py",
            List.of(),
            "2.0"),
        new Workload(
            "the same with a pool that it never touches",
            Optional.empty(),
            "",
            "/usr/bin/python3 pool.py",
            List.of(),
            "2.0"),
        new Workload(
            "start, to main", Optional.of("start.cpp"), "-lpmemobj", "PROGRAM", List.of(), ""));
  }

  void run() throws IOException, InterruptedException {
    System.out.printf("CPU time of the target against native, medians of %d rounds%n%n", rounds);
    System.out.println(
        "| program | native: CPU s | plain binary | perdure cc | valgrind --tool=none | helgrind | wanted |");
    System.out.println("| --- | --- | --- | --- | --- | --- | --- |");
    for (Workload w : workloads()) {
      try (BenchFolder folder = BenchFolder.create()) {
        if (prepare(w, folder.path())) {
          measure(w, folder.path());
        } else {
          System.out.println("| " + w.name + " | not installed | | | | | |");
        }
      }
    }
  }

  private boolean prepare(Workload w, Path folder) throws IOException, InterruptedException {
    if (w.source.isEmpty()) {
      byte[] data = new byte[2 << 20];
      new java.util.Random(1).nextBytes(data);
      for (int i = 0; i < data.length; i++) {
        data[i] = (byte) (data[i] & 0x1f | (i >> 12) << 5);
      }
      Files.write(folder.resolve("data"), data);
      Files.writeString(folder.resolve("script.py"), SCRIPT);
      Files.writeString(folder.resolve("pool.py"), MAPS_POOL + SCRIPT);
      return Files.isExecutable(Path.of(w.command.split(" ")[0]));
    }
    Path source = home.resolve("bench/src/main/native").resolve(w.source.get());
    boolean cpp = source.toString().endsWith("pp");
    List<String> build =
        new ArrayList<>(List.of(cpp ? "g++" : "gcc", "-O2", "-g", source.toString()));
    build.addAll(List.of("-o", "plain", w.flags));
    if (Measured.run(folder, build).exit() != 0) {
      return false;
    }
    List<String> observed = new ArrayList<>(List.of(home.resolve("perdure").toString()));
    observed.addAll(List.of(cpp ? "c++" : "cc", "-O2", "-g", source.toString()));
    observed.addAll(List.of("-o", "observed", w.flags));
    Measured.require(folder, observed);
    return true;
  }

  private void measure(Workload w, Path folder) throws IOException, InterruptedException {
    double[][] cpu = new double[WAYS.size()][rounds];
    double[][] wall = new double[WAYS.size()][rounds];
    boolean[] works = new boolean[WAYS.size()];
    for (int round = 0; round < rounds; round++) {
      for (int way = 0; way < WAYS.size(); way++) {
        Optional<Measured> m = once(w, WAYS.get(way), folder);
        works[way] = m.isPresent();
        if (m.isPresent()) {
          cpu[way][round] = m.get().ownCpu();
          wall[way][round] = m.get().ownWall();
        }
      }
    }
    StringBuilder line = new StringBuilder("| " + w.name);
    boolean start = w.saysFiguresItself();
    double base = Measured.median(start ? wall[0] : cpu[0]);
    line.append(" | ").append("%.3f".formatted(base));
    for (int way = 1; way < WAYS.size(); way++) {
      double value = Measured.median(start ? wall[way] : cpu[way]);
      line.append(" | ");
      line.append(
          !works[way]
              ? "-"
              : start ? "+%.2f s".formatted(value - base) : "%.2f".formatted(value / base));
    }
    System.out.println(line + " | " + (start ? "at most +0.3 s" : "at most " + w.wanted) + " |");
  }

  private Optional<Measured> once(Workload w, String way, Path folder)
      throws IOException, InterruptedException {
    Files.deleteIfExists(folder.resolve("pool"));
    boolean built = w.source.isPresent();
    if (way.equals("perdure cc") && !built) {
      return Optional.empty();
    }
    String program = way.equals("perdure cc") ? "./observed" : "./plain";
    boolean valgrind = way.equals("valgrind") || way.equals("helgrind");
    if (valgrind && !Files.isExecutable(Path.of("/usr/bin/valgrind"))
        || quick && way.equals("helgrind")) {
      return Optional.empty();
    }
    List<String> words = new ArrayList<>();
    if (way.equals("plain binary") || way.equals("perdure cc")) {
      words.addAll(List.of(home.resolve("perdure").toString(), "run", "--quiet"));
      words.addAll(w.options);
      words.addAll(List.of("--fail-on", "never", "--out", "run", "--pm", "pool", "--"));
    }
    String tool =
        valgrind ? "valgrind -q --tool=" + (way.equals("helgrind") ? way : "none") + " " : "";
    String command = tool + w.command.replace("PROGRAM", program);
    words.addAll(
        w.saysFiguresItself()
            ? List.of(command.split(" "))
            : List.of("bash", "-c", TIMED + command + " > output"));
    Measured m = Measured.run(folder, words);
    return m.exit() == 0 && !m.output().contains("dumped") ? Optional.of(m) : Optional.empty();
  }
}
