package dev.perdure.bench;

import dev.perdure.bench.CrashExample.Bug;
import dev.perdure.bench.CrashExample.Tested;
import dev.perdure.model.finding.FindingKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * The maps of examples/crash with each of their planted bugs, and without any: each bug must be
 * found as what its comment says, and the right ones must give nothing (XFDetector, table 5).
 */
final class PlantedBugs {
  private static final int INSERTIONS = 6;
  private static final int QUICK_INSERTIONS = 1;

  private final Path home;
  private final boolean quick;
  private int wrong;

  /**
   * @param quick as plain binaries only, one insertion, and of each map one of the bugs
   */
  PlantedBugs(Path home, boolean quick) {
    this.home = home;
    this.quick = quick;
  }

  /** Prints a line a program; true if all of them were as they should be. */
  boolean run() throws IOException, InterruptedException {
    System.out.println("| map | front end | bug | expected | found |");
    System.out.println("| --- | --- | --- | --- | --- |");
    for (boolean plain : quick ? new boolean[] {true} : new boolean[] {false, true}) {
      for (int i = 0; i < CrashExample.NAMES.size(); i++) {
        try (BenchFolder folder = BenchFolder.create()) {
          test(new CrashExample(home, folder.path(), CrashExample.NAMES.get(i), plain), i);
        }
      }
    }
    System.out.println(wrong == 0 ? "all as expected" : wrong + " not as expected");
    return wrong == 0;
  }

  private void test(CrashExample example, int index) throws IOException, InterruptedException {
    row(example, 0, "none", Set.of());
    List<Bug> bugs = example.bugs();
    List<Bug> chosen = quick ? List.of(bugs.get((index + 1) % bugs.size())) : bugs;
    for (Bug bug : chosen) {
      row(example, bug.number(), bug.number() + ": " + bug.what(), Set.of(bug.kind()));
    }
  }

  private void row(CrashExample example, int bug, String what, Set<FindingKind> expected)
      throws IOException, InterruptedException {
    example.build(bug);
    Tested tested = example.test(quick ? QUICK_INSERTIONS : INSERTIONS);
    boolean right = bug == 0 ? tested.kinds().isEmpty() : tested.kinds().containsAll(expected);
    wrong += right ? 0 : 1;
    System.out.printf(
        "| %s | %s | %s | %s | %s%s |%n",
        example.name(),
        example.frontEnd(),
        what,
        names(expected),
        names(tested.kinds()),
        right ? "" : " (WRONG)");
  }

  private static String names(Set<FindingKind> kinds) {
    return kinds.isEmpty()
        ? "nothing"
        : String.join(", ", kinds.stream().map(FindingKind::label).sorted().toList());
  }
}
