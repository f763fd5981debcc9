package dev.perdure.llvm.driver;

import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Programs that a build system compiles only to learn about the compiler: they are built plainly.
 * The compiler scripts in {@code bin} have the same rules.
 */
final class Probe {
  private static final Pattern FOLDERS =
      Pattern.compile(
          ".*/CMakeFiles/(CMakeTmp|CMakeScratch|[^/]*/CompilerId[^/]*)(/.*)?"
              + "|.*/(meson-private|config-temp)(/.*)?|.*/\\.conf_check_[^/]*(/.*)?");
  private static final Pattern FILES =
      Pattern.compile(
          "(.*/)?(conftest[0-9]*\\.[A-Za-z+]+|CMakeC(XX)?CompilerId\\.\\w+|sanitycheckc\\w*\\.\\w+"
              + "|_configtest\\.\\w+)"
              + "|.*/meson-private/.*|(.*/)?config-temp/.*|.*CMakeFiles/cmTC_.*");

  private Probe() {}

  static boolean isProbe(Invocation invocation, Path workingDirectory) {
    return FOLDERS.matcher(workingDirectory.toString()).matches()
        || invocation.output().filter("/dev/null"::equals).isPresent()
        || invocation.inputs().anyMatch(input -> FILES.matcher(input.path()).matches());
  }
}
