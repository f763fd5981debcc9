package dev.perdure.llvm.driver;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A compiler's command line, understood as far as the driver needs it. */
record Invocation(Mode mode, List<Argument> arguments) {
  private static final Set<String> COMPILE_ONLY = Set.of("-c", "--compile", "--precompile");
  private static final Set<String> HEADERS = Set.of("h", "hh", "hpp", "hxx");
  private static final Set<String> NO_OBJECT =
      Set.of("-S", "--assemble", "-E", "--preprocess", "-M", "-MM", "-fsyntax-only", "--analyze");
  private static final Set<String> QUESTIONS =
      Set.of(
          ("--version -dumpmachine -dumpversion -dumpspecs -### --help -help --help-hidden "
                  + "--target-help -cc1 -cc1as")
              .split(" "));

  Invocation {
    arguments = List.copyOf(arguments);
  }

  /** What is to be done. */
  enum Task {
    /** Hand the command line to clang as it is. */
    PASS_THROUGH,
    /** Make objects. */
    COMPILE,
    /** Make a program or shared library. */
    LINK,
    /** Make one object out of several. */
    RELOCATABLE_LINK
  }

  Task task() {
    if (hasOption(QUESTIONS::contains)
        || hasOption(name -> name.startsWith("-print-") || name.startsWith("--print-"))
        || hasOption(NO_OBJECT::contains)
        || inputs().findAny().isEmpty()) {
      return Task.PASS_THROUGH;
    } else if (hasOption(COMPILE_ONLY::contains) || inputs().anyMatch(Invocation::isHeader)) {
      return Task.COMPILE;
    } else if (hasOption("-r"::equals) || hasLinkerWord("-r") || hasLinkerWord("--relocatable")) {
      return Task.RELOCATABLE_LINK;
    }
    return Task.LINK;
  }

  /** A static program has no dynamic linker, and so no room for the runtime. */
  boolean isStatic() {
    return hasOption(name -> name.matches("--?static(-pie)?"))
        || hasLinkerWord("-static") && !hasLinkerWord("-Bdynamic");
  }

  Stream<Argument.Input> inputs() {
    return arguments.stream()
        .filter(Argument.Input.class::isInstance)
        .map(Argument.Input.class::cast);
  }

  /** A header as input means that it is to be precompiled. */
  private static boolean isHeader(Argument.Input input) {
    String extension = input.path().substring(input.path().lastIndexOf('.') + 1);
    return input.language().endsWith("-header")
        || input.language().equals("none") && HEADERS.contains(extension);
  }

  /** The last output that is named, if any. */
  Optional<String> output() {
    return arguments.stream()
        .filter(Argument.Output.class::isInstance)
        .map(argument -> ((Argument.Output) argument).path())
        .reduce((first, second) -> second);
  }

  boolean hasOption(Predicate<String> name) {
    return options().anyMatch(option -> name.test(option.name()));
  }

  Stream<Argument.Option> options() {
    return arguments.stream()
        .filter(Argument.Option.class::isInstance)
        .map(Argument.Option.class::cast);
  }

  private boolean hasLinkerWord(String word) {
    return arguments.contains(new Argument.LinkerWord(word));
  }
}
