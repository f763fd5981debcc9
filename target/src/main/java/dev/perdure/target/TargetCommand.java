package dev.perdure.target;

import dev.perdure.binary.plan.ProgramPlans;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * What to run, and how.
 *
 * @param arguments the program, searched for as a shell would, and its arguments
 * @param environment additions to the environment that the target inherits
 * @param directory the working directory
 * @param timeout after it everything is killed
 * @param duration after it everything is asked to end
 * @param pmPaths files and directories whose mappings are persistent memory
 * @param runtime the runtime's shared library
 * @param runDirectory where the recording lives when the RAM disk has no room
 * @param output where the target's standard output goes
 * @param surroundings what crash tests add
 * @param kept the recording to use, shared with the runs before and after this one
 * @param libraryLoads whether plain loads inside PM libraries are recorded
 * @param sample of the loads of each thread, one of so many is recorded
 * @param standstill whether a process will never get on; such a run ends as if its time were up
 * @param plans how an unmodified program is patched; empty for programs built with perdure cc
 */
public record TargetCommand(
    List<String> arguments,
    Map<String, String> environment,
    Path directory,
    Optional<Duration> timeout,
    Optional<Duration> duration,
    List<Path> pmPaths,
    Path runtime,
    Path runDirectory,
    Output output,
    Surroundings surroundings,
    Optional<KeptRecording> kept,
    long seed,
    boolean libraryLoads,
    long sample,
    Optional<IntPredicate> standstill,
    Optional<ProgramPlans> plans) {

  /** Where the target's standard output goes; its standard error is always inherited. */
  public enum Output {
    INHERITED,
    TO_STANDARD_ERROR
  }

  public TargetCommand {
    if (arguments.isEmpty()) {
      throw new IllegalArgumentException("no program");
    }
    arguments = List.copyOf(arguments);
    environment = Map.copyOf(environment);
    pmPaths = List.copyOf(pmPaths);
  }

  public static Builder of(List<String> arguments, Path runtime, Path runDirectory) {
    return new Builder(arguments, runtime, runDirectory);
  }

  /** Collects what differs from a plain run in the current directory. */
  public static final class Builder {
    private final List<String> arguments;
    private final Path runtime;
    private final Path runDirectory;
    private final Map<String, String> environment = new TreeMap<>();
    private Path directory = Path.of("").toAbsolutePath();
    private Optional<Duration> timeout = Optional.empty();
    private Optional<Duration> duration = Optional.empty();
    private List<Path> pmPaths = List.of();
    private Output output = Output.INHERITED;
    private Surroundings surroundings = Surroundings.plain();
    private Optional<KeptRecording> kept = Optional.empty();
    private long seed = 1;
    private Optional<ProgramPlans> plans = Optional.empty();
    private boolean libraryLoads = true;
    private long sample = 1;
    private Optional<IntPredicate> standstill = Optional.empty();

    private Builder(List<String> arguments, Path runtime, Path runDirectory) {
      this.arguments = arguments;
      this.runtime = runtime;
      this.runDirectory = runDirectory;
    }

    public Builder environment(String name, String value) {
      environment.put(name, value);
      return this;
    }

    public Builder directory(Path path) {
      directory = path;
      return this;
    }

    public Builder timeout(Duration limit) {
      timeout = Optional.of(limit);
      return this;
    }

    public Builder duration(Duration limit) {
      duration = Optional.of(limit);
      return this;
    }

    public Builder pmPaths(List<Path> paths) {
      pmPaths = paths;
      return this;
    }

    public Builder output(Output where) {
      output = where;
      return this;
    }

    public Builder surroundings(Surroundings special) {
      surroundings = special;
      return this;
    }

    public Builder kept(KeptRecording recording) {
      kept = Optional.of(recording);
      return this;
    }

    public Builder seed(long number) {
      seed = number;
      return this;
    }

    public Builder plans(ProgramPlans patches) {
      plans = Optional.of(patches);
      return this;
    }

    public Builder libraryLoads(boolean wanted) {
      libraryLoads = wanted;
      return this;
    }

    public Builder sample(long oneOf) {
      sample = oneOf;
      return this;
    }

    /** Looked at several times a second while the target is a single process. */
    public Builder standstill(IntPredicate ofProcess) {
      standstill = Optional.of(ofProcess);
      return this;
    }

    public TargetCommand build() {
      return new TargetCommand(
          arguments,
          environment,
          directory,
          timeout,
          duration,
          pmPaths,
          runtime,
          runDirectory,
          output,
          surroundings,
          kept,
          seed,
          libraryLoads,
          sample,
          standstill,
          plans);
    }
  }
}
