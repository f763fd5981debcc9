package dev.perdure.binary.plan;

import dev.perdure.binary.debug.ModuleSymbols;
import dev.perdure.binary.elf.ElfFile;
import dev.perdure.model.code.Site;
import dev.perdure.model.code.SiteTable;
import dev.perdure.model.config.Configuration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The plans of a run: of the program and its libraries, and of what comes later, with dlopen and
 * with further programs. What the runtime is given, and what its sites mean afterwards. Any thread
 * may ask.
 */
public final class ProgramPlans {
  /** What records have for these two methods is put together at run time, at each start. */
  private record ModuleFile(Path path, FileTime time) {
    @Override
    public boolean equals(Object other) {
      return other instanceof ModuleFile file && path.equals(file.path) && time.equals(file.time);
    }

    @Override
    public int hashCode() {
      return 31 * path.hashCode() + time.hashCode();
    }
  }

  private final PlanCache cache;
  private final boolean instrumentedToo;
  private final PmLibraries pmLibraries;
  private final NamedFunctions functions;
  private final Optional<Configuration> regions;
  private final UnaryOperator<List<Site>> readable;
  private final Map<ModuleFile, PlanAnswer> answers = new LinkedHashMap<>();
  private final Map<Path, Path> plans = new LinkedHashMap<>();
  private final Map<String, SiteTable> tables = new LinkedHashMap<>();
  private final Set<String> unobserved = new LinkedHashSet<>();

  /**
   * @param instrumentedToo whether modules that were built with perdure cc are patched, too
   * @param pmLibraries how much of the PM libraries is patched
   * @param functions those that the configuration names
   * @param regions the configuration by which starts of regions are found, if these are announced
   * @param readable turns mangled names of functions into readable ones
   */
  public ProgramPlans(
      PlanCache cache,
      boolean instrumentedToo,
      PmLibraries pmLibraries,
      NamedFunctions functions,
      Optional<Configuration> regions,
      UnaryOperator<List<Site>> readable) {
    this.functions = functions;
    this.regions = regions;
    this.cache = cache;
    this.instrumentedToo = instrumentedToo;
    this.pmLibraries = pmLibraries;
    this.readable = readable;
  }

  /** Plans a program and what it will load. */
  public void prepare(ElfFile program, Map<String, String> environment)
      throws IOException, InterruptedException {
    if (answer(program.path().toRealPath()) != PlanAnswer.HOOKS) {
      List<LoadedModules.Module> modules = LoadedModules.of(program, environment);
      if (pmLibraries == PmLibraries.LEFT_ALONE) {
        leaveAlone(LibraryInternals.of(modules));
      }
      for (LoadedModules.Module module : modules) {
        answer(module.path());
      }
    }
  }

  private synchronized void leaveAlone(Set<Path> modules) throws IOException {
    for (Path module : modules) {
      answers.put(new ModuleFile(module, Files.getLastModifiedTime(module)), PlanAnswer.NONE);
    }
  }

  /** The plan of a module, which is made if it has to be. */
  public synchronized PlanAnswer answer(Path module) {
    try {
      return answers.computeIfAbsent(
          new ModuleFile(module, Files.getLastModifiedTime(module)), m -> plan(m.path));
    } catch (IOException e) {
      unobserved(module + ": cannot be read; it runs unobserved");
      return PlanAnswer.NONE;
    }
  }

  private PlanAnswer plan(Path module) {
    try {
      boolean trusted = pmLibraries != PmLibraries.OBSERVED && LibraryInternals.trusted(module);
      boolean leftAlone = trusted && pmLibraries == PmLibraries.LEFT_ALONE;
      Optional<ElfFile> elf =
          LoadedModules.patched(module) && !leftAlone ? ElfFile.read(module) : Optional.empty();
      if (elf.isEmpty() || !elf.get().runsHere()) {
        return PlanAnswer.NONE;
      }
      if (!instrumentedToo && elf.get().section(SiteTable.SECTION).isPresent()) {
        return PlanAnswer.HOOKS;
      }
      Path plan =
          trusted
              ? cache.of(elf.get(), functions, Loads.TRUSTED, Optional.empty(), readable)
              : cache.of(elf.get(), functions, Loads.OBSERVED, regions, readable);
      plans.put(module, plan);
      return PlanAnswer.file(plan);
    } catch (IOException | RuntimeException e) {
      String why = e.getMessage() == null ? "it is damaged" : e.getMessage();
      unobserved(module + ": cannot be planned (" + why + "); it runs unobserved");
      return PlanAnswer.NONE;
    }
  }

  /** Whether a program or library that was built with perdure cc has been seen. */
  public synchronized boolean sawInstrumented() {
    return answers.containsValue(PlanAnswer.HOOKS);
  }

  /** Takes note of something that runs unobserved. */
  public synchronized void unobserved(String sentence) {
    unobserved.add(sentence);
  }

  /** What runs unobserved, one sentence each. */
  public synchronized List<String> unobserved() {
    return List.copyOf(unobserved);
  }

  /**
   * Writes the list of modules and plans for the runtime.
   *
   * @param requests the socket at which questions about further modules are answered
   */
  public synchronized void writeIndex(Path file, Path requests) throws IOException {
    StringBuilder text = new StringBuilder("requests\t").append(requests).append('\n');
    answers.forEach((m, a) -> text.append(m.path).append('\t').append(a.text()).append('\n'));
    Files.writeString(file, text, StandardCharsets.UTF_8);
  }

  /** The sites of a module, if the id is that of its plan. */
  public synchronized Optional<SiteTable> sites(String path, String id) {
    try {
      Path file = plans.get(Path.of(path));
      if (file != null && !tables.containsKey(id)) {
        PlanFile.read(file)
            .filter(p -> HexFormat.of().formatHex(p.id()).equals(id))
            .ifPresent(p -> tables.put(id, table(p, ModuleSymbols.open(Path.of(path)))));
      }
      return Optional.ofNullable(tables.get(id));
    } catch (IOException e) {
      // The cache was emptied meanwhile: the sites are unknown, as for a module that is gone.
      return Optional.empty();
    }
  }

  private SiteTable table(Plan plan, ModuleSymbols symbols) {
    int[] accesses = plan.sites();
    int[] calls = plan.calls();
    return SiteTable.lazy(
        accesses.length + calls.length,
        numbers -> {
          List<Site> sites = new ArrayList<>(numbers.length);
          for (int n : numbers) {
            sites.add(
                n < accesses.length
                    ? symbols.accessAt(accesses[n] & 0xffffffffL)
                    : symbols.callBefore(Plan.callEnd(calls[n - accesses.length])));
          }
          return readable.apply(sites);
        });
  }

  /** How each module is covered, by its path. */
  public synchronized Map<Path, ModuleCoverage> coverage() throws IOException {
    Map<Path, ModuleCoverage> all = new LinkedHashMap<>();
    for (var entry : plans.entrySet()) {
      Optional<PlanNotes> notes = PlanFile.notes(entry.getValue());
      notes.ifPresent(n -> all.put(entry.getKey(), new ModuleCoverage(n.coverage(), n.gaps())));
    }
    return all;
  }
}
