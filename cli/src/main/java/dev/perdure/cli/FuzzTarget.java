package dev.perdure.cli;

import dev.perdure.fuzz.campaign.CampaignRunner;
import dev.perdure.target.TargetCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongUnaryOperator;

/**
 * The program of a search.
 *
 * @param arguments its command, as the user wrote it
 * @param labelled its variant that follows data; empty for one that perdure cc did not build
 * @param frontEnd how a program without a variant is observed
 * @param pm the user's pools
 * @param limit for one campaign
 */
record FuzzTarget(
    List<String> arguments,
    Optional<VariantProgram> labelled,
    FrontEnd frontEnd,
    Path runtime,
    Path directory,
    List<Path> pm,
    Duration limit)
    implements CampaignRunner.Target {

  @Override
  public TargetCommand.Builder command(List<String> words, List<Path> own) {
    List<Path> all = new ArrayList<>(pm);
    all.addAll(own);
    TargetCommand.Builder builder =
        TargetCommand.of(labelled.map(l -> l.command(words)).orElse(words), runtime, directory)
            .pmPaths(all)
            .timeout(limit);
    labelled.ifPresent(l -> l.environment().forEach(builder::environment));
    return frontEnd.prepare(builder);
  }

  @Override
  public LongUnaryOperator toNanos(OptionalDouble ticksPerSecond) {
    return Ticks.toNanos(ticksPerSecond);
  }

  /** The same with a word in its arguments replaced. */
  FuzzTarget replacing(String placeholder, String value) {
    List<String> words = arguments.stream().map(w -> w.replace(placeholder, value)).toList();
    return new FuzzTarget(words, labelled, frontEnd, runtime, directory, pm, limit);
  }
}
