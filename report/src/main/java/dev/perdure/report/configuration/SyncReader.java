package dev.perdure.report.configuration;

import dev.perdure.model.config.LockFunction;
import dev.perdure.model.config.LockMode;
import dev.perdure.model.config.SyncFunctions;
import dev.perdure.model.config.ThreadFunction;
import dev.perdure.model.config.TryFunction;
import dev.perdure.model.config.TrySuccess;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Reads {@code [sync]}. */
final class SyncReader {
  private SyncReader() {}

  static SyncFunctions read(TomlTable sync) throws ConfigurationException {
    List<TryFunction> tries = new ArrayList<>();
    for (TomlTable f : sync.functions("try", "lock", "mode", "success", "out")) {
      tries.add(
          new TryFunction(
              f.requiredString("function"), f.argument("lock", 0), mode(f), success(f)));
    }
    return new SyncFunctions(
        locks(sync, "acquire"),
        locks(sync, "release"),
        tries,
        threads(sync, "create"),
        threads(sync, "join"));
  }

  private static List<LockFunction> locks(TomlTable sync, String key)
      throws ConfigurationException {
    List<LockFunction> locks = new ArrayList<>();
    for (TomlTable f : sync.functions(key, "lock", "mode")) {
      locks.add(new LockFunction(f.requiredString("function"), f.argument("lock", 0), mode(f)));
    }
    return locks;
  }

  private static List<ThreadFunction> threads(TomlTable sync, String key)
      throws ConfigurationException {
    List<ThreadFunction> threads = new ArrayList<>();
    for (TomlTable f : sync.functions(key, "thread")) {
      OptionalInt thread =
          key.equals("create") && f.says("thread", "return")
              ? OptionalInt.empty()
              : OptionalInt.of(f.argument("thread", 0));
      threads.add(new ThreadFunction(f.requiredString("function"), thread));
    }
    return threads;
  }

  private static LockMode mode(TomlTable f) throws ConfigurationException {
    String word = f.string("mode").orElse(LockMode.EXCLUSIVE.label());
    for (LockMode mode : LockMode.values()) {
      if (mode.label().equals(word)) {
        return mode;
      }
    }
    throw f.error("mode", "'mode' must be \"exclusive\" or \"shared\", not \"" + word + "\"");
  }

  private static TrySuccess success(TomlTable f) throws ConfigurationException {
    OptionalInt out = f.argument("out");
    if (out.isPresent() && f.has("success")) {
      throw f.error("out", "a try function has 'success' or 'out', not both");
    }
    if (out.isPresent()) {
      return new TrySuccess.OutArgument(out.getAsInt());
    }
    if (!f.has("success")) {
      throw f.error(
          "function",
          "try function '%s' must say what a success returns ('success = 1') or which argument tells ('out = 2')"
              .formatted(f.requiredString("function")));
    }
    return new TrySuccess.Returns(f.integer("success").orElse(0L));
  }
}
