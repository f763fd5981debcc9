package dev.perdure.robust.repair;

import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.DebugLocation;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.sites.SiteCollector;
import dev.perdure.model.repair.Insertion;
import dev.perdure.robust.FlushInstruction;
import dev.perdure.robust.analysis.Repairs;
import dev.perdure.robust.program.Place;
import dev.perdure.robust.program.Program;
import dev.perdure.robust.program.Step;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Carries a repair out, and remembers what was done. */
public final class RepairedModule {
  private final Program program;
  private final BitcodeModule module;
  private final FlushInstruction instruction;
  private final SiteCollector sites;
  private final Set<Done> done = new LinkedHashSet<>();

  /**
   * Something inserted.
   *
   * @param site its number
   * @param line of the instruction that it belongs to; where that of the site is another, the
   *     column does not count
   */
  public record Done(Insertion.Kind kind, int site, int line, int column, String reason) {}

  public RepairedModule(
      Program program, BitcodeModule module, FlushInstruction instruction, SiteCollector sites) {
    this.program = program;
    this.module = module;
    this.instruction = instruction;
    this.sites = sites;
  }

  /** Inserts what the analysis has found. */
  public List<Done> insert(Repairs repairs) throws IOException {
    Reasons reasons = new Reasons(program);
    SharedFlushes shared =
        new SharedFlushes(
            program.routines().stream().flatMap(r -> r.blocks().stream()).toList(), repairs);
    try (Insertions insertions = new Insertions(program, module, instruction)) {
      noteFlushes(repairs);
      new OwnPersistence(program, insertions).follow(steps());
      // Before the counters: what is drained before a store that is counted they fence.
      fences(repairs, reasons, insertions);
      for (Step step : steps()) {
        if (repairs.flushesAfter(step.id())) {
          flush(step, repairs, shared, insertions);
        } else if (repairs.holds(step.id())) {
          insertions.holdAfter(step.id(), place(step));
        }
      }
    }
    return List.copyOf(done);
  }

  private void noteFlushes(Repairs repairs) {
    for (Step step : steps()) {
      if (repairs.flushesAfter(step.id()) || repairs.holds(step.id())) {
        note(Insertion.Kind.FLUSH, step.id(), flushReason(step, repairs));
      }
    }
  }

  private void fences(Repairs repairs, Reasons reasons, Insertions insertions) {
    Set<Object> drained = new LinkedHashSet<>();
    Set<Object> fenced = new LinkedHashSet<>();
    for (Step step : steps()) {
      Instruction place = program.placeBefore(step.id());
      boolean disposes = step instanceof Step.Disposal && repairs.defersFlushes();
      boolean drains = repairs.drainsBefore(step.id()) && drained.add(place);
      boolean fences = repairs.fencesBefore(step.id()) && fenced.add(place);
      boolean turns = repairs.turnsBefore(step.id());
      boolean fencesItself = fencesItself(step, repairs);
      if (drains) {
        insertions.drainBefore(step.id(), fences || fencesItself);
      } else if (disposes && drained.add(place)) {
        insertions.drainBefore(step.id(), true);
      }
      if (turns && fences) {
        insertions.turnAndFenceBefore(step.id(), place(step));
      } else if (turns) {
        insertions.turnBefore(step.id(), place(step));
      } else if (fences && !fencesItself) {
        insertions.fenceBefore(step.id());
      }
      if (fencesItself) {
        insertions.closedBefore(step.id());
      }
      if (drains || fences) {
        note(
            Insertion.Kind.FENCE,
            step.id(),
            "what was flushed must be persistent before " + reasons.point(step.id()));
      } else if (repairs.followsHeld(step.id())) {
        note(
            Insertion.Kind.FENCE,
            step.id(),
            "the stores before it must be persistent first, unless they lie in its cache line");
      }
    }
  }

  /** Whether the step is a fence for what came before it. */
  private static boolean fencesItself(Step step, Repairs repairs) {
    return isCounted(step, repairs)
        || step instanceof Step.Write write && write.manner() == Step.Manner.EXCHANGE
        || step instanceof Step.Release release && release.fences();
  }

  /** Inserts a flush and a fence behind every store and atomic load. */
  public List<Done> insertEverywhere() throws IOException {
    try (Insertions insertions = new Insertions(program, module, instruction)) {
      for (Step step : steps()) {
        boolean write = step instanceof Step.Write w && !w.relaxed();
        boolean read = step instanceof Step.AtomicRead r && !r.relaxed();
        if (!write && !read) {
          continue;
        }
        Optional<Instruction> following = program.instruction(step.id()).next();
        insertions.fenceAfter(step.id());
        if (!(step instanceof Step.Write w && w.manner() == Step.Manner.NON_TEMPORAL)) {
          insertions.flushAfter(step.id(), place(step));
          note(Insertion.Kind.FLUSH, step.id(), "every store and atomic load is flushed");
        }
        note(
            Insertion.Kind.FENCE,
            following.map(sites::siteOf).orElseGet(() -> program.site(step.id())),
            following.orElseGet(() -> program.instruction(step.id())),
            "every flush is fenced");
      }
    }
    return List.copyOf(done);
  }

  private List<Step> steps() {
    List<Step> all = new ArrayList<>();
    program
        .routines()
        .forEach(routine -> routine.blocks().forEach(block -> all.addAll(block.steps())));
    return all;
  }

  private void note(Insertion.Kind kind, int step, String reason) {
    note(kind, program.site(step), program.instruction(step), reason);
  }

  private void note(Insertion.Kind kind, int site, Instruction at, String reason) {
    Optional<DebugLocation> location = at.debugLocation();
    done.add(
        new Done(
            kind,
            site,
            location.map(DebugLocation::line).orElse(0),
            location.map(DebugLocation::column).orElse(0),
            reason));
  }

  private static void flush(
      Step step, Repairs repairs, SharedFlushes shared, Insertions insertions) {
    Place place = place(step);
    if (isCounted(step, repairs)) {
      insertions.countAround(step.id(), place);
    } else if (step instanceof Step.AtomicRead && repairs.counters()) {
      insertions.helpAfter(step.id(), place);
    } else if (step instanceof Step.AtomicRead) {
      insertions.noteAfter(step.id(), place);
    } else if (!shared.isPostponed(step.id())) {
      insertions.flushAfter(step.id(), shared.place(step.id(), place));
    }
  }

  private static String flushReason(Step step, Repairs repairs) {
    if (step instanceof Step.AtomicRead) {
      return repairs.counters()
          ? "the value may not be persistent yet; done only while a store of it is under way"
          : "the value may not be persistent yet, and what follows may rely on it";
    }
    if (repairs.holds(step.id())) {
      return "the store must be persistent before a store to another cache line";
    }
    return "the store is not flushed on every way to where it has to be persistent";
  }

  private static boolean isCounted(Step step, Repairs repairs) {
    return repairs.counters()
        && step instanceof Step.Write write
        && (write.manner() == Step.Manner.ATOMIC || write.manner() == Step.Manner.EXCHANGE)
        && repairs.flushesAfter(step.id());
  }

  private static Place place(Step step) {
    return step instanceof Step.Write write ? write.place() : ((Step.AtomicRead) step).place();
  }
}
