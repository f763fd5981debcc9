package dev.perdure.cli;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.plan.ProgramPlans;
import dev.perdure.target.ProgramFile;
import dev.perdure.target.TargetCommand;
import dev.perdure.target.TargetStartException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** How the events of a program are obtained: by its own hooks, or by patching it. */
record FrontEnd(String label, Optional<ProgramPlans> plans) {
  private static final FrontEnd LLVM = new FrontEnd("llvm", Optional.empty());

  /**
   * Chooses, and plans the patches where that is needed.
   *
   * @param wanted what the user asks for, or null
   */
  static FrontEnd choose(String wanted, String program) {
    if ("llvm".equals(wanted)) {
      return LLVM;
    }
    try {
      String searchPath = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
      ProgramFile file = ProgramFile.find(program, Path.of("").toAbsolutePath(), searchPath);
      boolean forced = "binary".equals(wanted);
      if (file.elf().isEmpty() || !forced && file.instrumented()) {
        return LLVM;
      }
      return binary(program, file.elf().get());
    } catch (TargetStartException e) {
      throw CommandFailure.target(e.getMessage());
    } catch (IOException e) {
      throw CommandFailure.usage(program + ": cannot be read (" + e.getMessage() + ")", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandFailure.internal("interrupted", e);
    }
  }

  /** Chooses for a recovery command; what a shell starts must have been built with perdure cc. */
  static FrontEnd ofRecovery(String wanted, String program) {
    if (program.equals("/bin/sh")) {
      return LLVM;
    }
    try {
      return choose(wanted, program);
    } catch (CommandFailure e) {
      throw CommandFailure.target("--recover: " + e.getMessage());
    }
  }

  /** Adds to a command what observing it takes. */
  TargetCommand.Builder prepare(TargetCommand.Builder command) {
    return plans.map(command::plans).orElse(command);
  }

  /** Says for each module how it is patched. */
  void describe(RunLog log) throws IOException {
    log.say("front end: " + label);
    if (plans.isPresent()) {
      plans.get().coverageByModule().forEach((module, counts) -> log.say(module + ": " + counts));
    }
  }

  /** Accesses that could not be patched. */
  long uncovered() {
    try {
      return plans.isEmpty()
          ? 0
          : plans.get().coverage().entrySet().stream()
              .filter(e -> e.getKey().startsWith("uncovered."))
              .mapToLong(Map.Entry::getValue)
              .sum();
    } catch (IOException e) {
      throw CommandFailure.internal("the plans cannot be read", e);
    }
  }

  private static FrontEnd binary(String program, ElfFile elf)
      throws IOException, InterruptedException {
    if (!elf.dynamic()) {
      throw CommandFailure.target(
          program
              + ": is linked statically, so it cannot be observed; link it dynamically, or build it with perdure cc");
    }
    return new FrontEnd("binary", Optional.of(ProgramPlans.of(elf, Map.of(), ReadableNames::of)));
  }
}
