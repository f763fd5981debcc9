package dev.perdure.bench;

import dev.perdure.bench.CrashExample.Tested;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * One insertion into each map of examples/crash, after figure 12 of XFDetector: how long the test
 * of all its failure points takes, and how that compares to the program by itself. The rate of
 * recovery runs is that of the runs which further insertions add, so that it does not count the
 * start. Times of programs by themselves are those of the processor; opening a pool of libpmemobj
 * is most of such a recovery and stands beside it.
 */
final class CrashBenchmark {
  private static final int NATIVE_RUNS = 11;

  private final Path home;
  private final int more;

  CrashBenchmark(Path home, boolean quick) {
    this.home = home;
    this.more = quick ? 11 : 41;
  }

  void run() throws IOException, InterruptedException {
    System.out.println(
        "| map | front end | points | merged | images | recovery runs | insertion, s | native, ms |"
            + " ratio | recovery natively, ms | its opening, ms | CPU a run, ms | runs/s |");
    System.out.println("|" + " --- |".repeat(13));
    for (boolean plain : new boolean[] {false, true}) {
      for (String name : CrashExample.NAMES) {
        try (BenchFolder folder = BenchFolder.create()) {
          row(new CrashExample(home, folder.path(), name, plain));
        }
      }
    }
  }

  private void row(CrashExample example) throws IOException, InterruptedException {
    example.build(0);
    double insertion = nativeSeconds(example, "insert", "1");
    double recovery = nativeSeconds(example, "recover");
    double opening = nativeSeconds(example, "open");
    Tested one = example.test(1);
    Tested many = example.test(more);
    double rate = (many.runs() - one.runs()) / (many.seconds() - one.seconds());
    double cpu = (many.cpuSeconds() - one.cpuSeconds()) / (many.runs() - one.runs());
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %d | %d | %d | %d | %.2f | %.1f | %.0f | %.1f | %.1f | %.1f | %.0f |%n",
        example.name(),
        example.frontEnd(),
        one.candidates(),
        one.points(),
        one.images(),
        one.runs(),
        one.seconds(),
        insertion * 1e3,
        one.seconds() / insertion,
        recovery * 1e3,
        opening * 1e3,
        cpu * 1e3,
        rate);
  }

  private static double nativeSeconds(CrashExample example, String... arguments)
      throws IOException, InterruptedException {
    double[] seconds = new double[NATIVE_RUNS];
    for (int i = 0; i < NATIVE_RUNS; i++) {
      seconds[i] = example.nativeSeconds(arguments);
    }
    return Measured.median(seconds);
  }
}
