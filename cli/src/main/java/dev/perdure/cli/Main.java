package dev.perdure.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The command {@code perdure}. */
@Command(
    name = "perdure",
    description = "Finds persistent-memory bugs in native programs.",
    versionProvider = Version.class,
    footer = {
      "",
      "'perdure bench speed' measures what Perdure costs on this machine, 'perdure bench regions' what regions find, 'perdure bench crash' how fast crash tests are.",
      "'perdure help COMMAND' explains a command."
    })
public final class Main {
  private static final List<String> LATER = List.of("diff");

  /** Commands that start a target. */
  private static final List<String> OBSERVING = List.of("run", "check", "crash", "fuzz");

  private static final List<Class<?>> COMMANDS =
      List.of(
          DemoCommand.class,
          CompilerCommand.C.class,
          CompilerCommand.Cxx.class,
          CheckCommand.class,
          RunCommand.class,
          CrashCommand.class,
          FuzzCommand.class,
          AnalyzeCommand.class,
          RegionsCommand.class,
          FixCommand.class,
          ReportCommand.class,
          ExplainCommand.class,
          DoctorCommand.class,
          HelpCommand.class);

  @CommandLine.Option(names = "--version", versionHelp = true, description = "show the version")
  private boolean version;

  @CommandLine.Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this help")
  private boolean help;

  private Main() {}

  public static void main(String[] args) {
    if (args.length > 0 && OBSERVING.contains(args[0])) {
      InterruptHandling.begin();
    }
    InterruptHandling.exit(run(args));
  }

  /** Runs one command and returns its exit code. */
  static int run(String[] args) {
    if (args.length > 0 && LATER.contains(args[0])) {
      System.err.println("perdure: '" + args[0] + "' is not available in this version");
      return CommandFailure.USAGE;
    }
    try {
      if (args.length > 0 && (args[0].equals("cc") || args[0].equals("c++"))) {
        // A compiler's options are nobody else's business.
        return CompilerCommand.compile(
            args[0].equals("c++"), Arrays.asList(args).subList(1, args.length));
      }
      if (args.length > 0 && args[0].equals("check")) {
        return CheckCommand.run(Arrays.asList(args).subList(1, args.length));
      }
      if (args.length > 0 && args[0].equals("regions")) {
        return RegionsCommand.run(Arrays.asList(args).subList(1, args.length));
      }
      if (args.length > 0 && args[0].equals("fix")) {
        return FixCommand.run(Arrays.asList(args).subList(1, args.length));
      }
    } catch (CommandFailure e) {
      return failed(e, false);
    }
    CommandLine line = new CommandLine(new Main());
    for (Class<?> command : commands(args)) {
      line.addSubcommand(command);
    }
    line.setUsageHelpAutoWidth(true);
    line.setExpandAtFiles(false);
    line.setExecutionExceptionHandler(new Failures());
    line.setParameterExceptionHandler(new Failures());
    if (args.length == 0) {
      line.usage(System.err);
      return CommandFailure.USAGE;
    }
    try {
      ConfiguredDefaults.apply(line, args);
    } catch (CommandFailure e) {
      return failed(e, false);
    }
    try {
      return line.execute(args);
    } catch (OutOfMemoryError e) {
      return outOfMemory();
    }
  }

  /**
   * No lambdas: with such of its types, the class archive leaves the command line's classes out.
   */
  private static final class Failures
      implements IExecutionExceptionHandler, IParameterExceptionHandler {
    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
      return failed(e, verbose(parsed));
    }

    @Override
    public int handleParseException(ParameterException e, String[] args) {
      return wrongUsage(e);
    }
  }

  /**
   * The one that is meant, since it takes time to learn all of them; all where that is not clear.
   */
  private static List<Class<?>> commands(String[] args) {
    return COMMANDS.stream()
        .filter(c -> c != HelpCommand.class && args.length > 0 && name(c).equals(args[0]))
        .findFirst()
        .<List<Class<?>>>map(List::of)
        .orElse(COMMANDS);
  }

  private static String name(Class<?> command) {
    return command.getAnnotation(Command.class).name();
  }

  private static boolean verbose(ParseResult parsed) {
    return parsed.originalArgs().contains("--verbose");
  }

  /** One line for the user; a stack trace only for those who ask. */
  static int failed(Exception e, boolean verbose) {
    if (verbose) {
      e.printStackTrace();
    }
    if (e instanceof CommandFailure failure) {
      System.err.println("perdure: " + failure.getMessage());
      return failure.exitCode();
    }
    if (Stream.iterate((Throwable) e, Objects::nonNull, Throwable::getCause)
        .anyMatch(OutOfMemoryError.class::isInstance)) {
      return outOfMemory();
    }
    System.err.println(
        "perdure: an error in Perdure itself: " + e + (verbose ? "" : " (--verbose shows where)"));
    return CommandFailure.INTERNAL;
  }

  private static int outOfMemory() {
    System.err.printf(
        "perdure: out of memory: %d MB are too little for what is kept of the program's persistent"
            + " memory; PERDURE_JAVA_OPTIONS=-Xmx16g gives more; the run directory has what was"
            + " recorded until then%n",
        Runtime.getRuntime().maxMemory() >> 20);
    return CommandFailure.INTERNAL;
  }

  private static int wrongUsage(ParameterException e) {
    PrintWriter err = e.getCommandLine().getErr();
    err.println("perdure: " + e.getMessage().replace('\n', ' '));
    var suggestions = new java.io.StringWriter();
    CommandLine.UnmatchedArgumentException.printSuggestions(e, new PrintWriter(suggestions, true));
    if (!suggestions.toString().isBlank()) {
      err.println(suggestions.toString().strip());
    }
    err.println("'perdure help" + name(e.getCommandLine()) + "' shows what there is.");
    err.flush();
    return CommandFailure.USAGE;
  }

  private static String name(CommandLine line) {
    return line.getParent() == null ? "" : " " + line.getCommandName();
  }
}
