package dev.perdure.cli;

import dev.perdure.binary.plan.ModuleCoverage;
import dev.perdure.binary.plan.NamedFunctions;
import dev.perdure.binary.plan.PlanCache;
import dev.perdure.binary.plan.PmLibraries;
import dev.perdure.binary.plan.ProgramPlans;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.file.FileReason;
import dev.perdure.target.ProgramFile;
import dev.perdure.target.TargetCommand;
import dev.perdure.target.TargetStartException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How the events of a program are obtained: by its own hooks, or by patching it. */
record FrontEnd(Optional<ProgramPlans> plans) {
  private static final FrontEnd LLVM = new FrontEnd(Optional.empty());

  private interface Search {
    ProgramFile find(String name, Path directory, String searchPath) throws TargetStartException;
  }

  /** The same without announcements of regions. */
  static FrontEnd choose(
      String wanted, String program, Configuration configuration, boolean insideLibraries) {
    return choose(wanted, program, configuration, insideLibraries, false);
  }

  /**
   * Chooses, and plans the patches where that is needed.
   *
   * @param wanted what the user asks for, or null
   * @param configuration names functions whose calls are events
   * @param insideLibraries whether PM libraries are code under test
   * @param announcing whether regions are announced where they start
   */
  static FrontEnd choose(
      String wanted,
      String program,
      Configuration configuration,
      boolean insideLibraries,
      boolean announcing) {
    return choose(
        wanted,
        program,
        configuration,
        insideLibraries ? PmLibraries.OBSERVED : PmLibraries.WITHOUT_LOADS,
        announcing,
        ProgramFile::find);
  }

  /** Plans the patches of a program or of a shared library, and of the libraries that it needs. */
  static FrontEnd ofModule(String module, Configuration configuration) {
    return choose(
        null, module, configuration, PmLibraries.OBSERVED, false, ProgramFile::findModule);
  }

  private static FrontEnd choose(
      String wanted,
      String program,
      Configuration configuration,
      PmLibraries pmLibraries,
      boolean announcing,
      Search search) {
    if ("llvm".equals(wanted)) {
      return LLVM;
    }
    try {
      String searchPath = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
      ProgramFile file = search.find(program, Path.of("").toAbsolutePath(), searchPath);
      boolean forced = "binary".equals(wanted);
      NamedFunctions functions = new NamedFunctions(configuration, ReadableNames::of);
      ProgramPlans plans =
          new ProgramPlans(
              PlanCache.ofUser(),
              forced,
              pmLibraries,
              functions,
              announcing ? Optional.of(configuration) : Optional.empty(),
              ReadableNames::of);
      if (file.elf().isPresent()) {
        checkDynamic(program, file);
        plans.prepare(file.elf().get(), Map.of());
      }
      return new FrontEnd(Optional.of(plans));
    } catch (TargetStartException e) {
      throw CommandFailure.target(e.getMessage());
    } catch (IOException e) {
      throw CommandFailure.usage(program + ": cannot be read (" + FileReason.of(e) + ")", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandFailure.internal("interrupted", e);
    }
  }

  /**
   * Chooses for a recovery command.
   *
   * @param configuration names functions whose calls are events
   * @param insideLibraries whether PM libraries are code under test
   */
  static FrontEnd ofRecovery(
      String wanted, String program, Configuration configuration, boolean insideLibraries) {
    try {
      return choose(
          wanted,
          program,
          configuration,
          insideLibraries ? PmLibraries.OBSERVED : PmLibraries.LEFT_ALONE,
          false,
          ProgramFile::find);
    } catch (CommandFailure e) {
      throw CommandFailure.target("--recover: " + e.getMessage());
    }
  }

  /** Its name: plain programs are patched, and others have hooks of their own. */
  String label() {
    return plans.isEmpty() || plans.get().sawInstrumented() ? "llvm" : "binary";
  }

  /** Adds to a command what observing it takes. */
  TargetCommand.Builder prepare(TargetCommand.Builder command) {
    return plans.map(command::plans).orElse(command);
  }

  /** Says for each module how it is patched. */
  void describe(RunLog log) {
    log.say("front end: " + label());
    coverage().forEach((module, c) -> log.say(module + ": " + c.counts()));
    gaps().forEach(gap -> log.say("not observed: " + gap));
  }

  /** How each module is covered, by its path. */
  Map<Path, ModuleCoverage> coverage() {
    try {
      return plans.isEmpty() ? Map.of() : plans.get().coverage();
    } catch (IOException e) {
      throw CommandFailure.internal("the plans cannot be read", e);
    }
  }

  /** Accesses and functions that are not observed. */
  long uncovered() {
    return coverage().values().stream().mapToLong(c -> c.gaps().size()).sum();
  }

  /** Where they are, one line for each module and kind. */
  List<String> gaps() {
    List<String> lines = new ArrayList<>();
    coverage().forEach((module, c) -> lines.addAll(c.describeGaps(module)));
    return lines;
  }

  /** Programs and modules that run unobserved, one sentence each. */
  List<String> unobserved() {
    return plans.map(ProgramPlans::unobserved).orElse(List.of());
  }

  private static void checkDynamic(String program, ProgramFile file) throws IOException {
    if (!file.instrumented() && !file.elf().get().dynamic()) {
      throw CommandFailure.target(
          program
              + ": is linked statically, so it cannot be observed; link it dynamically, or build it with perdure cc");
    }
  }
}
