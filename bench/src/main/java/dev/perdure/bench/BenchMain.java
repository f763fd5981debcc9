package dev.perdure.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The command {@code perdure bench}. */
public final class BenchMain {
  private static final String USAGE =
      "usage: perdure bench speed|binary|regions|fix|crash|planted|fuzz [--quick], perdure bench"
          + " fix [--quick] INDEX…, perdure bench fuzz [--quick|--long] [first] [tiers]"
          + " [operations] [executions] [taint]";

  private BenchMain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> words = Arrays.asList(args);
    Path home = Path.of(System.getProperty("perdure.home"));
    boolean quick = words.size() == 2 && words.get(1).equals("--quick");
    String what = words.size() == 1 || quick ? words.get(0) : "";
    if (what.equals("speed")) {
      new SpeedBenchmark(home, quick).run();
      return;
    }
    if (what.equals("binary")) {
      new PlainBenchmark(home, quick).run();
      return;
    }
    if (what.equals("regions")) {
      new RegionsBenchmark(home, quick).run();
      return;
    }
    if (!words.isEmpty() && words.get(0).equals("fix") && fix(home, words)) {
      return;
    }
    if (what.equals("crash")) {
      new CrashBenchmark(home, quick).run();
      return;
    }
    if (what.equals("planted")) {
      System.exit(new PlantedBugs(home, quick).run() ? 0 : 1);
    }
    if (!words.isEmpty() && words.get(0).equals("fuzz") && fuzz(home, words)) {
      return;
    }
    if (words.contains("--help") || words.contains("-h")) {
      System.out.println(USAGE);
      return;
    }
    System.err.println(
        words.isEmpty() || !words.get(0).equals("eval")
            ? "perdure: " + USAGE
            : "perdure: 'bench eval' is not available in this version");
    System.exit(2);
  }

  /** Returns false if an index is named that does not exist. */
  private static boolean fix(Path home, List<String> words)
      throws IOException, InterruptedException {
    boolean quick = words.size() > 1 && words.get(1).equals("--quick");
    List<String> names = words.subList(quick ? 2 : 1, words.size());
    List<IndexExample> indexes =
        IndexExample.ALL.stream()
            .filter(index -> names.isEmpty() || names.contains(index.name()))
            .toList();
    if (!names.isEmpty() && indexes.size() < names.size()) {
      return false;
    }
    new FixBenchmark(home, quick, indexes).run();
    return true;
  }

  /** Returns false if a part is named that does not exist. */
  private static boolean fuzz(Path home, List<String> words)
      throws IOException, InterruptedException {
    String option = words.size() > 1 && words.get(1).startsWith("--") ? words.get(1) : "";
    List<String> names = words.subList(option.isEmpty() ? 1 : 2, words.size());
    List<FuzzBenchmark.Part> parts = FuzzBenchmark.Part.named(names);
    FuzzBenchmark.Length length =
        switch (option) {
          case "" -> FuzzBenchmark.Length.NORMAL;
          case "--quick" -> FuzzBenchmark.Length.QUICK;
          case "--long" -> FuzzBenchmark.Length.LONG;
          default -> null;
        };
    if (length == null || parts.size() < names.size()) {
      return false;
    }
    Set<FuzzBenchmark.Part> wanted =
        parts.isEmpty() ? EnumSet.allOf(FuzzBenchmark.Part.class) : EnumSet.copyOf(parts);
    new FuzzBenchmark(home, length, wanted).run();
    return true;
  }
}
