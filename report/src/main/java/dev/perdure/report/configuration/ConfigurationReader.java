package dev.perdure.report.configuration;

import dev.perdure.model.config.AllocFunction;
import dev.perdure.model.config.AllocatorFunctions;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.config.FlushFunctions;
import dev.perdure.model.config.FreeFunction;
import dev.perdure.model.config.RangeFunction;
import dev.perdure.model.config.Suppression;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Reads {@code perdure.toml} and files of suppressions; docs/configuration.md is its manual. */
public final class ConfigurationReader {
  /** The file that is read where no other is named. */
  public static final String DEFAULT_NAME = "perdure.toml";

  /** The options of the command fuzz that can be set. */
  public static final List<String> FUZZ_OPTIONS =
      List.of(
          "seeds",
          "grammar",
          "socket",
          "time",
          "threads",
          "workers",
          "writer-wait",
          "strategy",
          "recover",
          "stop-at",
          "tiers",
          "minimise");

  /** The options of the command crash that can be set. */
  public static final List<String> CRASH_OPTIONS =
      List.of("recover", "images", "points", "max-points", "max-images", "jobs");

  private ConfigurationReader() {}

  /** Reads a whole configuration. */
  public static Configuration read(Path file) throws ConfigurationException {
    TomlText text = TomlText.read(file);
    TomlTable root =
        TomlTable.root(
            text, text.parse(), "pm", "sync", "allocators", "flush", "suppress", "fuzz", "crash");
    TomlTable pm = root.table("pm", "paths");
    return new Configuration(
        pm.strings("paths"),
        SyncReader.read(root.table("sync", "acquire", "release", "try", "create", "join")),
        allocators(root.table("allocators", "alloc", "free")),
        flush(root.table("flush", "flush", "fence", "persist")),
        SuppressionReader.read(root),
        options(root, "fuzz", FUZZ_OPTIONS),
        options(root, "crash", CRASH_OPTIONS));
  }

  /** Reads a file that holds suppressions only ({@code --suppress}). */
  public static List<Suppression> readSuppressions(Path file) throws ConfigurationException {
    TomlText text = TomlText.read(file);
    return SuppressionReader.read(TomlTable.root(text, text.parse(), "suppress"));
  }

  private static AllocatorFunctions allocators(TomlTable table) throws ConfigurationException {
    List<AllocFunction> alloc = new ArrayList<>();
    for (TomlTable f : table.functions("alloc", "address", "size", "count", "zeroed")) {
      OptionalInt out = f.says("address", "return") ? OptionalInt.empty() : f.argument("address");
      alloc.add(
          new AllocFunction(
              f.requiredString("function"),
              out,
              f.argument("size", 0),
              f.argument("count"),
              f.flag("zeroed")));
    }
    List<FreeFunction> free = new ArrayList<>();
    for (TomlTable f : table.functions("free", "address")) {
      free.add(new FreeFunction(f.requiredString("function"), f.argument("address", 0)));
    }
    return new AllocatorFunctions(alloc, free);
  }

  private static FlushFunctions flush(TomlTable table) throws ConfigurationException {
    List<String> fence = new ArrayList<>();
    for (TomlTable f : table.functions("fence")) {
      fence.add(f.requiredString("function"));
    }
    return new FlushFunctions(ranges(table, "flush"), fence, ranges(table, "persist"));
  }

  private static List<RangeFunction> ranges(TomlTable table, String key)
      throws ConfigurationException {
    List<RangeFunction> ranges = new ArrayList<>();
    for (TomlTable f : table.functions(key, "address", "length")) {
      OptionalInt length =
          f.says("length", "line") ? OptionalInt.empty() : OptionalInt.of(f.argument("length", 1));
      ranges.add(new RangeFunction(f.requiredString("function"), f.argument("address", 0), length));
    }
    return ranges;
  }

  private static Map<String, String> options(TomlTable root, String command, List<String> known)
      throws ConfigurationException {
    TomlTable table = root.table(command, known.toArray(String[]::new));
    Map<String, String> options = new HashMap<>();
    for (String name : known) {
      table.words(name).ifPresent(words -> options.put(name, words));
    }
    return options;
  }
}
