package dev.perdure.testkit.litmus;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs litmus programs and prints one line a program, then {@code N passed, N failed}. Exit code: 0
 * all passed, 1 some failed, 2 wrong usage or no program.
 */
@Command(
    name = "litmus",
    description = "Runs litmus programs through Perdure.",
    sortOptions = false)
public final class LitmusMain implements Callable<Integer> {
  @Option(names = "--suite", paramLabel = "DIR", description = "a folder of programs; repeatable")
  private List<Path> suites = List.of(Path.of("litmus"));

  @Option(names = "--perdure", paramLabel = "PATH", description = "the launcher; default ./perdure")
  private Path perdure = Path.of("perdure");

  @Option(
      names = "--frontend",
      paramLabel = "NAME",
      description = "llvm: build with perdure cc (default); binary: build with a plain compiler")
  private Frontend frontend = Frontend.llvm;

  @Option(
      names = "--cc",
      paramLabel = "COMMAND",
      description = "the plain compiler of --frontend binary; default gcc -g -O1")
  private String compiler = "gcc -g -O1";

  @Option(
      names = "--by-function",
      description = "--frontend binary: run without debug information, judge by functions")
  private boolean byFunction;

  @Option(names = "--filter", paramLabel = "GLOB", description = "only programs that match")
  private String filter = "";

  @Option(names = "--jobs", paramLabel = "N", description = "programs at once; default 1")
  private int jobs = 1;

  @Option(names = "--timeout", paramLabel = "SECONDS", description = "for each; default 60")
  private int timeout = 60;

  /** The names of the option's values. */
  enum Frontend {
    llvm,
    binary
  }

  private final PrintStream out;

  LitmusMain(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] args) {
    System.exit(new CommandLine(new LitmusMain(System.out)).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (byFunction && frontend == Frontend.llvm) {
      System.err.println("litmus: --by-function needs --frontend binary");
      return 2;
    }
    List<Callable<LitmusResult>> work = new ArrayList<>();
    for (Path folder : suites) {
      if (!Files.isDirectory(folder)) {
        System.err.println("litmus: no such suite: " + folder);
        return 2;
      }
      var suite = new LitmusSuite(folder);
      var runner =
          new LitmusRunner(
              List.of(perdure.toAbsolutePath().toString()),
              suite.include(),
              build(suite),
              Duration.ofSeconds(timeout));
      for (Path program : suite.programs(filter)) {
        work.add(() -> runner.run(program, suite.name(program)));
      }
    }
    if (work.isEmpty()) {
      System.err.println("litmus: no program to run");
      return 2;
    }
    return conclude(results(work));
  }

  private ProgramBuild build(LitmusSuite suite) {
    return frontend == Frontend.llvm
        ? new InstrumentedBuild(suite.include())
        : new PlainBuild(
            List.of(compiler.strip().split("\\s+")),
            suite.include(),
            perdure.toAbsolutePath().resolveSibling("native/include"),
            byFunction);
  }

  private List<LitmusResult> results(List<Callable<LitmusResult>> work)
      throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(Math.max(1, jobs));
    try {
      var completion = new ExecutorCompletionService<LitmusResult>(pool);
      work.forEach(completion::submit);
      List<LitmusResult> results = new ArrayList<>();
      for (int i = 0; i < work.size(); i++) {
        LitmusResult result = completion.take().get();
        results.add(result);
        print(result);
      }
      return results;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private void print(LitmusResult result) {
    String verdict = result.passed() ? "PASS" : "FAIL";
    out.println(
        String.format(Locale.ROOT, "%s %s (%.1f s)", verdict, result.name(), result.seconds()));
    result.wrong().forEach(line -> out.println("     " + line));
    out.flush();
  }

  private int conclude(List<LitmusResult> results) {
    long passed = results.stream().filter(LitmusResult::passed).count();
    long failed = results.size() - passed;
    out.println(passed + " passed, " + failed + " failed");
    return failed > 0 ? 1 : 0;
  }
}
