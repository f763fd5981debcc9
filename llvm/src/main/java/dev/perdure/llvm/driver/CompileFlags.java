package dev.perdure.llvm.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What the driver adds to and takes from a command that makes objects. */
final class CompileFlags {
  /** Link-time optimisation is the driver's own business, and so is what builds on it. */
  private static final Pattern LTO =
      Pattern.compile(
          "-f(no-)?(fat-)?lto(=.*|-objects)?|-f(no-)?whole-program-vtables|-f(no-)?split-lto-unit"
              + "|-f(no-)?virtual-function-elimination");

  private static final Pattern LINKER_CHOICE = Pattern.compile("-fuse-ld=.*|--ld-path=.*");
  private static final Pattern DEBUG =
      Pattern.compile("-g([123]|gdb.*|dwarf.*|line-tables-only|mlt|full|modules|split-dwarf)?");
  private static final Pattern SYMBOL = Pattern.compile("[A-Za-z_$.][A-Za-z0-9_$.]*");

  private CompileFlags() {}

  static boolean isForLto(Argument argument) {
    return argument instanceof Argument.Option option && LTO.matcher(option.name()).matches();
  }

  static boolean choosesLinker(Argument argument) {
    return argument instanceof Argument.Option option
        && LINKER_CHOICE.matcher(option.name()).matches();
  }

  /** Flags behind the user's own, for bitcode with line numbers and with the calls to record. */
  static List<String> added(Invocation invocation, DriverEnvironment environment) {
    List<String> flags = new ArrayList<>(List.of("-flto"));
    environment.configuration().functionNames().stream()
        .filter(SYMBOL.asMatchPredicate())
        .forEach(f -> flags.addAll(List.of("-mllvm", "-force-attribute=" + f + ":noinline")));
    if (!invocation.hasOption(DEBUG.asMatchPredicate())) {
      // The linkage names, which line tables alone lack, are the only full names of C++ functions.
      flags.add("-gline-tables-only");
      flags.add("-fdebug-info-for-profiling");
    }
    flags.add("-I" + environment.includes());
    flags.addAll(quiet());
    return flags;
  }

  /** Flags for objects that a pass will work on: optimised later, with marks that can be seen. */
  static List<String> treated(Invocation invocation, Treatment treatment) {
    if (treatment.pass().isEmpty()) {
      return List.of();
    }
    List<String> flags = new ArrayList<>();
    if (!invocation.hasOption(name -> name.startsWith("-O"))) {
      flags.add("-O1");
    }
    for (String word : List.of("-disable-llvm-passes", "-disable-O0-optnone")) {
      flags.addAll(List.of("-Xclang", word));
    }
    flags.add("-D__PERDURE__");
    return flags;
  }

  /** Options for other compilers, or for the other half of the work, are no reason to complain. */
  static List<String> quiet() {
    return List.of("-Qunused-arguments", "-Wno-unknown-warning-option", "-fheinous-gnu-extensions");
  }
}
