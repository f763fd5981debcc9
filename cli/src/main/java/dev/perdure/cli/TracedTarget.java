package dev.perdure.cli;

import dev.perdure.detect.Detection;
import dev.perdure.detect.Detector;
import dev.perdure.detect.regions.RegionStart;
import dev.perdure.llvm.driver.ProgramVariant;
import dev.perdure.model.config.Configuration;
import dev.perdure.report.run.RunDirectory;
import dev.perdure.target.Outcome;
import dev.perdure.target.Surroundings;
import dev.perdure.target.TargetCommand;
import dev.perdure.target.TargetRun;
import dev.perdure.target.TargetStartException;
import dev.perdure.target.delay.DelayInjection;
import dev.perdure.trace.event.Backlog;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventBatch;
import dev.perdure.trace.file.TraceWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A target whose events go to the detectors and into a trace, each time that it runs. */
final class TracedTarget {
  private final List<String> command;
  private final ObservationOptions options;
  private final Home home;
  private final Configuration configuration;
  private final ObservedRuns runs;
  private final FrontEnd frontEnd;

  /**
   * Chooses how the target is observed.
   *
   * @param runs takes what its runs come to
   */
  TracedTarget(
      List<String> command,
      ObservationOptions options,
      Home home,
      Configuration configuration,
      ObservedRuns runs) {
    this.command = command;
    this.options = options;
    this.home = home;
    this.configuration = configuration;
    this.runs = runs;
    this.frontEnd =
        FrontEnd.choose(
            options.frontend,
            command.get(0),
            configuration,
            options.insideLibraries,
            options.starts() == RegionStart.STATIC);
  }

  FrontEnd frontEnd() {
    return frontEnd;
  }

  /** One run; false when no further one makes sense. */
  boolean run(List<Path> pm, Surroundings surroundings, RunDirectory directory, RunLog log)
      throws IOException {
    Optional<VariantProgram> variant = variant();
    TargetCommand.Builder target =
        TargetCommand.of(
                variant.map(v -> v.command(command)).orElse(command),
                home.runtimeLibrary(),
                directory.path())
            .pmPaths(pm)
            .surroundings(surroundings)
            .seed(options.seed)
            .libraryLoads(options.insideLibraries)
            .sample(options.sample());
    frontEnd.plans().ifPresent(target::plans);
    variant.ifPresent(v -> v.environment().forEach(target::environment));
    options.timeout().ifPresent(target::timeout);
    options.duration().ifPresent(target::duration);
    if (options.jsonToStandardOutput()) {
      target.output(TargetCommand.Output.TO_STANDARD_ERROR);
    }
    InterruptHandling interrupts = InterruptHandling.install();
    try (TargetRun run = TargetRun.start(target.build())) {
      interrupts.forwardTo(run::interrupt);
      return drain(run, directory, log);
    } catch (TargetStartException e) {
      throw CommandFailure.target(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandFailure.internal("interrupted", e);
    } finally {
      interrupts.remove();
    }
  }

  private Optional<VariantProgram> variant() {
    boolean labelled = Analysis.detectors(options.detect).contains(Detector.TAINT);
    boolean announcing =
        options.starts() == RegionStart.STATIC && !"binary".equals(options.frontend);
    if (!labelled && !announcing) {
      return Optional.empty();
    }
    Optional<VariantProgram> found =
        VariantProgram.of(
            labelled ? ProgramVariant.Kind.LABELLED : ProgramVariant.Kind.ANNOUNCING,
            command.get(0),
            home,
            configuration);
    if (found.isEmpty() && labelled) {
      runs.note(
          command.get(0)
              + " was not built with perdure cc: its data is not followed, and levels end at observed");
    }
    return found;
  }

  private boolean drain(TargetRun run, RunDirectory directory, RunLog log)
      throws IOException, InterruptedException {
    Detection detection = Analysis.of(options);
    Optional<DelayInjection> delays =
        options
            .delay()
            .map(
                delay ->
                    new DelayInjection(
                        run.recording().schedule(), delay, options.decay(), detection::overlapsOf));
    long events = 0;
    try (TraceWriter trace =
            TraceWriter.create(directory.trace(), run.symbols(), options.maxTrace());
        Backlog backlog =
            delays.isPresent() ? Backlog.prompt(run.source()) : Backlog.of(run.source())) {
      trace.metadata("command", String.join(" ", command));
      trace.metadata("seed", String.valueOf(options.seed));
      trace.metadata("frontend", frontEnd.label());
      trace.metadata("starts", options.starts().label());
      trace.metadata("library-loads", String.valueOf(options.insideLibraries));
      for (EventBatch batch = backlog.next(); batch != null; batch = backlog.next()) {
        if (delays.isPresent()) {
          watch(batch, detection, delays.get());
        } else {
          detection.accept(batch);
        }
        trace.append(batch);
        events += batch.size();
      }
      Outcome ended = run.await();
      trace.metadata("complete", String.valueOf(ended.complete()));
      run.source()
          .ticksPerSecond()
          .ifPresent(t -> trace.metadata("ticks-per-second", String.valueOf(t)));
      trace.finish();
      trace
          .stopped()
          .ifPresent(
              why ->
                  runs.note(
                      directory.trace()
                          + " holds only the first part of the run ("
                          + why
                          + "); this report covers all of it"));
      log.say(
          "the target "
              + ended.description()
              + "; "
              + events
              + " events, trace of "
              + trace.bytes()
              + " bytes");
      runs.add(command, run, ended, frontEnd, detection, events);
      return ended.cause() == Outcome.Cause.TARGET;
    }
  }

  /** The verdict on a delay is asked for between the events. */
  private static void watch(EventBatch batch, Detection detection, DelayInjection delays) {
    Event event = new Event();
    for (int i = 0; i < batch.size(); i++) {
      batch.get(i, event);
      detection.accept(event);
      delays.see(event);
    }
  }
}
