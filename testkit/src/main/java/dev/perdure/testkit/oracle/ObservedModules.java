package dev.perdure.testkit.oracle;

import java.nio.file.Path;
import java.util.regex.Pattern;

/** The modules whose code both sides see. */
final class ObservedModules {
  private static final Pattern INTERPOSED =
      Pattern.compile("(libc|ld-linux-x86-64|libpthread|libperdure.*)\\.so.*");

  private ObservedModules() {}

  /** Not libc, the loader and the runtime, whose functions are recorded as a whole. */
  static boolean have(String path) {
    return !INTERPOSED.matcher(name(path)).matches();
  }

  /** The name by which instructions of both sides are compared. */
  static String name(String path) {
    return Path.of(path).getFileName().toString();
  }
}
