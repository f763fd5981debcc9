package dev.perdure.cli;

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
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the accesses that may touch persistent memory and where their regions start. */
@Command(
    name = "regions",
    description = "List each access that may touch PM and where its region starts.",
    customSynopsis = "perdure regions [--json FILE] [clang args] FILE.c…",
    footer = {
      "",
      "The sources are compiled with -O1 unless another level is given.",
      "docs/regions.md says what a region is and what it is good for."
    })
final class RegionsCommand {
  private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};

  @Option(names = "--json", paramLabel = "FILE", description = "write the list there; - for output")
  private String json;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "project configuration (default: perdure.toml)")
  private Path config;

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
    refuseBinaries(words.compiler());
    List<String> sources =
        words.existingSources(
            "no source file to look at: perdure regions [--json FILE] [clang args] FILE.c…");
    Configuration configuration = Project.configuration(config);
    List<String> arguments = new ArrayList<>(words.compiler());
    arguments.add("-pthread");
    List<AccessRegion> accesses =
        new SourceModule(DriverEnvironment.ofProcess(Home.ofLauncher().path(), configuration))
            .look(
                CompilerWords.isCxx(sources) ? Mode.CXX : Mode.C,
                arguments,
                (module, demangler) -> ModuleRegions.of(module, configuration, demangler))
            .orElseThrow(() -> CommandFailure.usage("regions: the sources do not compile"));
    Saved.toUser(json, RegionsJson.write(accesses));
    if (!"-".equals(json)) {
      System.out.print(RegionsText.of(accesses));
    }
    return 0;
  }

  private static void refuseBinaries(List<String> words) throws IOException {
    for (String word : words) {
      Path file = Path.of(word);
      if (word.startsWith("-") || !Files.isRegularFile(file)) {
        continue;
      }
      try (var in = Files.newInputStream(file)) {
        if (Arrays.equals(in.readNBytes(ELF.length), ELF)) {
          throw CommandFailure.usage(
              word
                  + ": the regions of binaries are not available in this version; name the sources");
        }
      }
    }
  }
}
