package dev.perdure.robust.program;

import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.sites.SiteCollector;
import java.util.ArrayList;
import java.util.List;

/** Gives steps their numbers and remembers where they stand. */
final class ProgramBuilder {
  private final SiteCollector sites;
  private final ReturnSites returns;
  private final List<Program.Origin> origins = new ArrayList<>();

  ProgramBuilder(SiteCollector sites, ReturnSites returns) {
    this.sites = sites;
    this.returns = returns;
  }

  /** A new step of an instruction. */
  int step(Instruction instruction, Instruction before) {
    origins.add(new Program.Origin(instruction, before, sites.siteOf(instruction)));
    return origins.size() - 1;
  }

  /** The end of a function in a block: its return statement where there is one. */
  int exit(Instruction terminator) {
    int site = returns.of(terminator.block()).orElseGet(() -> sites.siteOf(terminator));
    origins.add(new Program.Origin(terminator, terminator, site));
    return origins.size() - 1;
  }

  List<Program.Origin> origins() {
    return origins;
  }
}
