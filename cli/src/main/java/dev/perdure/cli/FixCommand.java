package dev.perdure.cli;

import dev.perdure.llvm.driver.CompilerDriver;
import dev.perdure.llvm.driver.DriverEnvironment;
import dev.perdure.llvm.driver.Mode;
import dev.perdure.llvm.driver.Treatment;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.file.FileReason;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.repair.Insertion;
import dev.perdure.report.finding.FindingList;
import dev.perdure.report.json.InsertionsJson;
import dev.perdure.report.run.AtomicFile;
import dev.perdure.report.run.Coverage;
import dev.perdure.report.run.Ending;
import dev.perdure.report.run.ExitCode;
import dev.perdure.report.run.FailOn;
import dev.perdure.report.run.ReportedFinding;
import dev.perdure.report.run.RunReport;
import dev.perdure.report.run.RunStats;
import dev.perdure.report.run.TargetOutcome;
import dev.perdure.report.source.SourceLines;
import dev.perdure.robust.FixMode;
import dev.perdure.robust.FixOptions;
import dev.perdure.robust.FixResult;
import dev.perdure.robust.FlushInstruction;
import dev.perdure.robust.RobustnessPass;
import dev.perdure.robust.patch.SourcePatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Inserts the flushes and fences that a program lacks. Further words go to the compiler. */
@Command(
    name = "fix",
    description = "Insert the flushes and fences that a program lacks, and build it.",
    customSynopsis =
        "perdure fix [--mode base|opt|flit] [--check] [--list FILE.json] [--diff FILE] [--strip]"
            + " [clang args] FILE.c… -o PROGRAM",
    mixinStandardHelpOptions = true)
final class FixCommand implements Callable<Integer> {
  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description =
          "base: flush and fence every store; opt (default): only what is missing; flit: as opt,"
              + " with counters that spare flushes after atomic loads")
  private String mode = "opt";

  @Option(
      names = "--check",
      description = "report robustness violations, build nothing; exit code 1 if there are any")
  private boolean check;

  @Option(
      names = "--list",
      paramLabel = "FILE.json",
      description = "write what was inserted, where and why, and the violations ('-': here)")
  private String list;

  @Option(
      names = "--diff",
      paramLabel = "FILE",
      description = "write the same as a patch of the sources, for patch -p0 ('-': here)")
  private String diff;

  @Option(
      names = "--strip",
      description = "take the program's own flushes and store fences out first")
  private boolean strip;

  @Option(
      names = "--flush-with",
      paramLabel = "INSTRUCTION",
      description = "clwb, clflushopt or clflush; default: the best that this machine has")
  private String instruction;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "project configuration; default perdure.toml where there is one")
  private Path config;

  @Option(names = "--quiet", description = "only the last line of the report")
  private boolean quiet;

  @Option(names = "--verbose", description = "say how long the analysis took")
  private boolean verbose;

  @Option(names = "--no-color", description = "no colours")
  private boolean noColor;

  private List<String> compilerArguments = List.of();

  static int run(List<String> args) {
    FixCommand fix = new FixCommand();
    CommandLine line = new CommandLine(fix);
    CompilerWords words = CompilerWords.split(args, line.getCommandSpec().optionsMap());
    try {
      line.parseArgs(words.own().toArray(String[]::new));
    } catch (CommandLine.ParameterException e) {
      throw CommandFailure.usage("fix: " + e.getMessage());
    }
    if (line.isUsageHelpRequested()) {
      line.usage(System.out);
      return 0;
    }
    fix.compilerArguments = words.compiler();
    try {
      return fix.call();
    } catch (IOException e) {
      return Main.failed(CommandFailure.usage("fix: " + e.getMessage(), e), fix.verbose);
    }
  }

  /** The best flush instruction of this machine. */
  static FlushInstruction machineInstruction() {
    try {
      return FlushInstruction.ofThisMachine();
    } catch (IOException e) {
      throw CommandFailure.usage(
          "the processor of this machine is not known (/proc/cpuinfo): name the instruction with"
              + " --flush-with",
          e);
    }
  }

  @Override
  public Integer call() throws IOException {
    FixMode how =
        FixMode.byLabel(mode)
            .orElseThrow(
                () ->
                    CommandFailure.usage("--mode " + mode + ": the modes are base, opt and flit"));
    FixOptions options = new FixOptions(how, strip, !check, flushInstruction());
    List<String> inputs = FixInputs.of(compilerArguments, check);
    Configuration configuration = Project.configuration(config);
    RobustnessPass pass =
        new RobustnessPass(configuration, options, findings -> accepted(findings, configuration));
    Treatment treatment =
        new Treatment(Optional.of(pass), check ? Treatment.Product.NONE : Treatment.Product.PLAIN);
    boolean cxx = inputs.stream().anyMatch(FixInputs::isCxx);
    int built =
        new CompilerDriver(DriverEnvironment.ofProcess(Home.ofLauncher().path(), configuration))
            .run(cxx ? Mode.CXX : Mode.C, compilerArguments, treatment);
    if (built != 0 || pass.result().isEmpty()) {
      throw CommandFailure.usage("fix: the program does not compile or link");
    }
    return conclude(pass.result().get(), configuration);
  }

  private FlushInstruction flushInstruction() {
    if (instruction == null) {
      return machineInstruction();
    }
    return FlushInstruction.byLabel(instruction)
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    "--flush-with " + instruction + ": there are clwb, clflushopt and clflush"));
  }

  /** The violations that a suppression of the project covers. */
  static Set<Finding> accepted(List<Finding> findings, Configuration configuration) {
    return FindingList.of(
            findings, configuration.suppressions(), SourceLines.fromFiles(List.of(Path.of(""))), "")
        .findings()
        .stream()
        .filter(finding -> !finding.counts())
        .map(ReportedFinding::finding)
        .collect(Collectors.toSet());
  }

  private int conclude(FixResult result, Configuration configuration) throws IOException {
    RunReport report = report(result, configuration);
    if (list != null) {
      write(list, out -> InsertionsJson.write(result.insertions(), report, out));
    }
    if (diff != null) {
      writePatch(result);
    }
    boolean busy = "-".equals(list) || "-".equals(diff);
    Console console = Console.ofProcess(busy ? System.err : System.out, noColor);
    if (!result.pmFound()) {
      System.err.println(
          "perdure: fix: no pointer to persistent memory was found; if the program has an"
              + " allocator of its own, name it in perdure.toml ([allocators]) or mark its memory"
              + " with PERDURE_PM or PERDURE_ALLOC");
    }
    if (check) {
      Reports.print(report, console, quiet);
    } else {
      console.out().println(summary(result));
    }
    if (verbose) {
      System.err.println("perdure: " + cost(result));
    }
    return check ? ExitCode.of(report, FailOn.DEFAULT) : 0;
  }

  private void writePatch(FixResult result) throws IOException {
    SourcePatch patch = new SourcePatch(Path.of(""));
    byte[] text = patch.of(result.insertions());
    write(diff, out -> out.write(text));
    if (patch.marks() > 0) {
      System.err.println(
          "perdure: fix: where the text does not tell what is stored, the patch has a comment"
              + " (\"perdure: flush here\") to be replaced by hand: "
              + patch.marks());
    }
    if (!patch.outside().isEmpty()) {
      System.err.println(
          "perdure: fix: the patch leaves out files that lie outside this folder: "
              + String.join(", ", patch.outside()));
    }
  }

  /** What the analysis cost beside compiling and code generation. */
  private static String cost(FixResult result) {
    String phases =
        result.phases().entrySet().stream()
            .map(phase -> "%s %.2f".formatted(phase.getKey(), phase.getValue()))
            .collect(Collectors.joining(", "));
    return "analysis: %.2f s of CPU time (%s), %,d MB at most"
        .formatted(result.seconds(), phases, PeakMemory.ofThisProcess() >> 20);
  }

  private static String summary(FixResult result) {
    long flushes =
        result.insertions().stream().filter(i -> i.kind() == Insertion.Kind.FLUSH).count();
    long fences = result.insertions().size() - flushes;
    String inserted =
        "inserted %d flush%s and %d fence%s"
            .formatted(flushes, flushes == 1 ? "" : "es", fences, fences == 1 ? "" : "s");
    return result.stripped() == 0
        ? "fix: " + inserted
        : "fix: took out %d of the program's own flushes and fences, %s"
            .formatted(result.stripped(), inserted);
  }

  private RunReport report(FixResult result, Configuration configuration) {
    List<String> words = new ArrayList<>(List.of("perdure", "fix", "--check"));
    words.addAll(compilerArguments);
    FindingList findings =
        FindingList.of(
            result.violations(),
            configuration.suppressions(),
            SourceLines.fromFiles(List.of(Path.of(""))),
            ShellWords.join(words));
    return new RunReport(
        Version.NUMBER,
        "fix",
        new TargetOutcome(List.of(), OptionalInt.empty(), OptionalInt.empty(), Ending.UNKNOWN),
        true,
        Coverage.NONE,
        new RunStats(0, 0, 0, result.seconds(), PeakMemory.ofThisProcess(), 0),
        findings.findings(),
        List.of(),
        findings.source());
  }

  private static void write(String file, AtomicFile.Content content) {
    try {
      AtomicFile.writeTo(file, content, System.out);
    } catch (IOException e) {
      throw CommandFailure.usage(file + ": cannot be written (" + FileReason.of(e) + ")", e);
    }
  }
}
