package dev.perdure.cli;

import dev.perdure.model.config.Configuration;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Options of crash and fuzz that the configuration sets and nobody typed. */
record ConfiguredDefaults(Map<String, String> values) implements IDefaultValueProvider {
  private static final String CONFIG = "--config";

  /** Takes them over, where the command that is typed has some. */
  static void apply(CommandLine line, String[] args) {
    String command = args[0];
    if (command.equals("crash") || command.equals("fuzz")) {
      Configuration project = Project.configuration(named(args));
      Map<String, String> values = command.equals("crash") ? project.crash() : project.fuzz();
      line.getSubcommands().get(command).setDefaultValueProvider(new ConfiguredDefaults(values));
    }
  }

  private static Path named(String[] args) {
    List<String> words = Arrays.asList(args);
    int end = words.indexOf("--");
    Path named = null;
    for (int i = 1; i < (end < 0 ? args.length : end); i++) {
      if (args[i].startsWith(CONFIG + "=")) {
        named = Path.of(args[i].substring(CONFIG.length() + 1));
      } else if (args[i].equals(CONFIG) && i + 1 < args.length) {
        named = Path.of(args[i + 1]);
      }
    }
    return named;
  }

  @Override
  public String defaultValue(ArgSpec argument) {
    return argument instanceof OptionSpec option
        ? values.get(option.longestName().substring(2))
        : null;
  }
}
