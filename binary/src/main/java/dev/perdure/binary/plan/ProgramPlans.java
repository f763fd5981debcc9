package dev.perdure.binary.plan;

import dev.perdure.binary.debug.ModuleSymbols;
import dev.perdure.binary.elf.ElfFile;
import dev.perdure.model.code.Site;
import dev.perdure.model.code.SiteTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The plans of a program and its libraries: what the runtime is given, and what its sites mean
 * afterwards.
 */
public final class ProgramPlans {
  private final PlanCache cache;
  private final UnaryOperator<List<Site>> readable;
  private final Map<String, Path> files = new LinkedHashMap<>();

  /**
   * @param readable turns mangled names of functions into readable ones
   */
  public ProgramPlans(PlanCache cache, UnaryOperator<List<Site>> readable) {
    this.cache = cache;
    this.readable = readable;
  }

  /** Plans a program and what it will load. */
  public static ProgramPlans of(
      ElfFile program, Map<String, String> environment, UnaryOperator<List<Site>> readable)
      throws IOException, InterruptedException {
    ProgramPlans plans = new ProgramPlans(PlanCache.ofUser(), readable);
    for (Path module : LoadedModules.of(program, environment)) {
      plans.add(module);
    }
    return plans;
  }

  private void add(Path module) throws IOException {
    Optional<ElfFile> elf = ElfFile.read(module);
    if (elf.isPresent() && elf.get().runsHere()) {
      files.put(module.toString(), cache.of(elf.get()));
    }
  }

  /** Writes the list of modules and plans for the runtime. */
  public void writeIndex(Path file) throws IOException {
    StringBuilder text = new StringBuilder();
    files.forEach((module, plan) -> text.append(module).append('\t').append(plan).append('\n'));
    Files.writeString(file, text, StandardCharsets.UTF_8);
  }

  /** The sites of a module, if the id is that of its plan. */
  public Optional<SiteTable> sites(String path, String id) {
    try {
      Path file = files.get(path);
      Optional<Plan> plan = file == null ? Optional.empty() : PlanFile.read(file);
      return plan.filter(p -> HexFormat.of().formatHex(p.id()).equals(id))
          .map(p -> table(p, ModuleSymbols.open(Path.of(path))));
    } catch (IOException e) {
      // The cache was emptied meanwhile: the sites are unknown, as for a module that is gone.
      return Optional.empty();
    }
  }

  private SiteTable table(Plan plan, ModuleSymbols symbols) {
    List<Site> sites = new ArrayList<>(plan.sites().length);
    for (int address : plan.sites()) {
      sites.add(symbols.siteAt(address & 0xffffffffL));
    }
    for (int address : plan.calls()) {
      sites.add(symbols.callBefore(address & 0xffffffffL));
    }
    return new SiteTable(readable.apply(sites));
  }

  /** The counts of all plans together. */
  public Map<String, Integer> coverage() throws IOException {
    Map<String, Integer> all = new TreeMap<>();
    for (Path file : files.values()) {
      PlanFile.read(file)
          .ifPresent(p -> p.coverage().forEach((k, n) -> all.merge(k, n, Integer::sum)));
    }
    return all;
  }

  /** The counts of each module's plan, by its path. */
  public Map<String, Map<String, Integer>> coverageByModule() throws IOException {
    Map<String, Map<String, Integer>> all = new LinkedHashMap<>();
    for (var entry : files.entrySet()) {
      PlanFile.read(entry.getValue()).ifPresent(p -> all.put(entry.getKey(), p.coverage()));
    }
    return all;
  }
}
