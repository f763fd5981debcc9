package dev.perdure.bench;

import dev.perdure.fuzz.input.GrammarException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The search of {@code perdure fuzz} on examples/table, after figures 8, 9 and 10 and table 4 of
 * PMRace, and what following data costs.
 */
final class FuzzBenchmark {
  private final Path home;
  private final Length length;
  private final Set<Part> parts;

  /** What can be measured by itself. */
  enum Part {
    FIRST,
    TIERS,
    OPERATIONS,
    EXECUTIONS,
    TAINT;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    static List<Part> named(List<String> labels) {
      return Arrays.stream(values()).filter(p -> labels.contains(p.label())).toList();
    }
  }

  /**
   * How much of the evening it takes.
   *
   * @param seeds of the searches for the first inconsistency
   * @param firstLimit their seconds
   * @param tierSeeds of the searches that tell what tiers contribute
   * @param tierSeconds their seconds
   * @param rounds of the program with its data followed
   */
  record Length(int seeds, int firstLimit, int tierSeeds, int tierSeconds, int rounds) {
    static final Length QUICK = new Length(3, 30, 1, 10, 3);
    static final Length NORMAL = new Length(10, 30, 3, 60, 7);
    static final Length LONG = new Length(10, 120, 1, 600, 7);
  }

  FuzzBenchmark(Path home, Length length, Set<Part> parts) {
    this.home = home;
    this.length = length;
    this.parts = parts;
  }

  void run() throws IOException, InterruptedException {
    try (BenchFolder folder = BenchFolder.create()) {
      TableSearches searches = TableSearches.prepare(home, folder.path());
      for (Part part : Part.values()) {
        if (parts.contains(part)) {
          measure(part, searches);
        }
      }
    } catch (GrammarException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private void measure(Part part, TableSearches searches)
      throws IOException, InterruptedException, GrammarException {
    switch (part) {
      case FIRST -> new FirstInconsistency(searches, length.seeds(), length.firstLimit()).measure();
      case TIERS -> new TierCoverage(searches, length.tierSeeds(), length.tierSeconds()).measure();
      case OPERATIONS -> ValidOperations.measure(home);
      case EXECUTIONS -> new ExecutionRate(searches).measure();
      case TAINT -> new FollowedData(searches, length.rounds()).measure();
    }
    System.out.println();
  }
}
