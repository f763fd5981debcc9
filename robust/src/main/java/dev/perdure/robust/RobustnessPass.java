package dev.perdure.robust;

import dev.perdure.llvm.driver.ModulePass;
import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.sites.Demangler;
import dev.perdure.llvm.sites.SiteCollector;
import dev.perdure.model.code.Site;
import dev.perdure.model.code.SiteTable;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.repair.Insertion;
import dev.perdure.robust.analysis.Repairs;
import dev.perdure.robust.analysis.RobustnessAnalysis;
import dev.perdure.robust.pm.PmPointers;
import dev.perdure.robust.pm.PmSources;
import dev.perdure.robust.pm.PointerGraphReader;
import dev.perdure.robust.program.FlushWrappers;
import dev.perdure.robust.program.Program;
import dev.perdure.robust.program.ProgramReader;
import dev.perdure.robust.program.ReturnSites;
import dev.perdure.robust.program.Values;
import dev.perdure.robust.repair.AssemblyBarriers;
import dev.perdure.robust.repair.RepairedModule;
import dev.perdure.robust.repair.Stripping;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Finds what is missing in a program and inserts it. */
public final class RobustnessPass implements ModulePass {
  /** Puts locals into registers and joins equal addresses; lines and calls stay as they are. */
  private static final String PREPARATION = "always-inline,function(sroa,early-cse<memssa>)";

  private final Configuration configuration;
  private final FixOptions options;
  private final Function<List<Finding>, Set<Finding>> accepted;
  private Optional<FixResult> result = Optional.empty();

  /**
   * @param accepted picks the violations that the project has decided to live with
   */
  public RobustnessPass(
      Configuration configuration,
      FixOptions options,
      Function<List<Finding>, Set<Finding>> accepted) {
    this.configuration = configuration;
    this.options = options;
    this.accepted = accepted;
  }

  /** What came of it; empty before the pass has run. */
  public Optional<FixResult> result() {
    return result;
  }

  @Override
  public void apply(BitcodeModule module, Demangler demangler) throws IOException {
    Phases phases = new Phases();
    SiteCollector sites = new SiteCollector();
    ReturnSites returns = new ReturnSites(module, sites);
    new FlushWrappers(configuration.flush()::names).mark(module);
    module.run(PREPARATION);
    phases.done("preparation");
    int stripped = options.strip() ? new Stripping(configuration.flush()).strip(module) : 0;
    Map<String, String> readableNames =
        configuration.namesFunctions()
            ? demangler.demangled(module.functions().stream().map(f -> f.name()).toList())
            : Map.of();
    PmSources sources = new PmSources(configuration.allocators(), readableNames);
    Values values = new Values();
    PmPointers pm = new PointerGraphReader(sources, values).read(module);
    phases.done("pointers");
    Program program =
        new ProgramReader(module, values, pm, configuration, sources, readableNames, sites, returns)
            .read();
    phases.done("program");
    RobustnessAnalysis analysis = new RobustnessAnalysis(program);
    var found = analysis.violations();
    phases.done("violations");
    ViolationFindings violations = new ViolationFindings(program, sites.table(demangler), found);
    phases.done("findings");
    List<RepairedModule.Done> done = List.of();
    if (options.insert()) {
      AssemblyBarriers.add(module);
      RepairedModule repaired = new RepairedModule(program, module, options.instruction(), sites);
      Set<Integer> exempt = violations.onlyIn(accepted.apply(violations.findings()));
      if (options.mode() == FixMode.BASE) {
        done = repaired.insertEverywhere();
      } else {
        Repairs repairs = analysis.repair(options.mode() == FixMode.FLIT, exempt);
        phases.done("repair");
        done = repaired.insert(repairs);
      }
      module.verify();
    }
    SiteTable table = sites.table(demangler);
    List<Insertion> insertions = new ArrayList<>();
    for (RepairedModule.Done one : done) {
      Site site = table.sites().get(one.site());
      int column = site.innermost().line() == one.line() ? one.column() : 0;
      insertions.add(new Insertion(one.kind(), site, column, one.reason()));
    }
    phases.done("insertion");
    result =
        Optional.of(
            new FixResult(
                !pm.isEmpty(), insertions, violations.findings(), stripped, phases.seconds()));
  }
}
