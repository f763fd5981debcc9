package dev.perdure.cli;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.region.BinaryRegions;
import dev.perdure.llvm.driver.DriverEnvironment;
import dev.perdure.llvm.driver.Mode;
import dev.perdure.llvm.driver.SourceModule;
import dev.perdure.llvm.region.ModuleRegions;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.region.AccessRegion;
import dev.perdure.report.json.RegionsJson;
import dev.perdure.report.region.RegionsText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the accesses that may touch persistent memory and where their regions start. */
@Command(
    name = "regions",
    description = "List each access that may touch PM and where its region starts.",
    customSynopsis = RegionsCommand.SYNOPSIS,
    footer = {
      "",
      "The sources are compiled with -O1 unless another level is given. A program or",
      "library is looked at as it is. With --run, the list is limited to what a run of",
      "the same program did with persistent memory.",
      "docs/regions.md says what a region is and what it is good for."
    })
final class RegionsCommand {
  static final String SYNOPSIS =
      "perdure regions [--json FILE] [--run DIR] [clang args] FILE.c…|BINARY";

  @Option(names = "--json", paramLabel = "FILE", description = "write the list there; - for output")
  private String json;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "project configuration (default: perdure.toml)")
  private Path config;

  @Option(
      names = "--run",
      paramLabel = "DIR",
      description = "only accesses that touched PM in that run")
  private Path run;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this help")
  private boolean help;

  static int run(List<String> args) {
    RegionsCommand regions = new RegionsCommand();
    CommandLine line = new CommandLine(regions);
    CompilerWords words = CompilerWords.split(args, line.getCommandSpec().optionsMap());
    try {
      line.parseArgs(words.own().toArray(String[]::new));
    } catch (CommandLine.ParameterException e) {
      throw CommandFailure.usage("regions: " + e.getMessage());
    }
    if (line.isUsageHelpRequested()) {
      line.usage(System.out);
      return 0;
    }
    try {
      return regions.list(words);
    } catch (IOException e) {
      throw CommandFailure.usage("regions: " + e.getMessage(), e);
    }
  }

  private int list(CompilerWords words) throws IOException {
    Configuration configuration = Project.configuration(config);
    Optional<ElfFile> binary = binary(words.compiler());
    Optional<TouchedPlaces> touched =
        run == null ? Optional.empty() : Optional.of(TouchedPlaces.of(run));
    List<AccessRegion> all =
        binary.isPresent()
            ? BinaryRegions.of(binary.get(), configuration, ReadableNames::of)
            : ofSources(words, configuration);
    List<AccessRegion> accesses =
        all.stream().filter(a -> touched.isEmpty() || touched.get().has(a)).toList();
    Saved.toUser(json, RegionsJson.write(accesses));
    if (!"-".equals(json)) {
      System.out.print(RegionsText.of(accesses));
    }
    return 0;
  }

  private static List<AccessRegion> ofSources(CompilerWords words, Configuration configuration)
      throws IOException {
    List<String> sources =
        words.existingSources("no source file or program to look at: " + SYNOPSIS);
    List<String> arguments = new ArrayList<>(words.compiler());
    arguments.add("-pthread");
    return new SourceModule(DriverEnvironment.ofProcess(Home.ofLauncher().path(), configuration))
        .look(
            CompilerWords.isCxx(sources) ? Mode.CXX : Mode.C,
            arguments,
            (module, demangler) -> ModuleRegions.of(module, configuration, demangler))
        .orElseThrow(() -> CommandFailure.usage("regions: the sources do not compile"));
  }

  /** The program or library among the words, which then is the only one. */
  private static Optional<ElfFile> binary(List<String> words) throws IOException {
    for (String word : words) {
      Path file = Path.of(word);
      if (word.startsWith("-") || !Files.isRegularFile(file)) {
        continue;
      }
      Optional<ElfFile> elf = ElfFile.read(file);
      if (elf.isPresent()) {
        checkBinary(word, elf.get(), words.size() == 1);
        return elf;
      }
    }
    return Optional.empty();
  }

  private static void checkBinary(String word, ElfFile elf, boolean alone) throws IOException {
    if (!alone) {
      throw CommandFailure.usage(
          word + " is a binary: name it alone, without sources and compiler options");
    }
    if (!elf.runsHere()) {
      throw CommandFailure.usage(
          word + " is a binary for " + elf.machine() + "; regions are known for x86-64");
    }
    if (!elf.linked()) {
      throw CommandFailure.usage(
          word + " is not linked yet: name the program or library that it becomes a part of");
    }
    if (elf.sections().isEmpty()) {
      throw CommandFailure.usage(word + " has no section headers, so its code cannot be read");
    }
  }
}
