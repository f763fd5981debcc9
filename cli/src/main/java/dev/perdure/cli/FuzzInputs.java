package dev.perdure.cli;

import dev.perdure.fuzz.campaign.CampaignRunner;
import dev.perdure.fuzz.input.ByteMutator;
import dev.perdure.fuzz.input.Grammar;
import dev.perdure.fuzz.input.GrammarException;
import dev.perdure.fuzz.input.GrammarReader;
import dev.perdure.fuzz.input.Mutator;
import dev.perdure.fuzz.input.OperationMutator;
import dev.perdure.model.file.FileReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The inputs that a search begins with, and how it makes more.
 *
 * @param mutator empty for a program that takes no input
 */
record FuzzInputs(List<byte[]> seeds, Optional<Mutator> mutator) {

  /**
   * Reads them as the options say.
   *
   * @param corpus what an earlier search of the same run directory has kept; it need not exist
   */
  static FuzzInputs of(FuzzOptions options, List<String> command, Path corpus, long seed) {
    boolean takesInput =
        options.socket != null || command.stream().anyMatch(w -> w.contains(CampaignRunner.INPUT));
    if (!takesInput) {
      if (options.seeds != null || options.grammar != null) {
        throw CommandFailure.usage(
            (options.seeds != null ? "--seeds" : "--grammar")
                + ": the program takes no input; put @@ where the input's path goes");
      }
      return new FuzzInputs(List.of(new byte[0]), Optional.empty());
    }
    Optional<Grammar> grammar = Optional.ofNullable(options.grammar).map(FuzzInputs::grammar);
    List<byte[]> seeds = new ArrayList<>();
    if (options.seeds != null) {
      seeds.addAll(filesOf(options.seeds));
      if (seeds.isEmpty()) {
        throw CommandFailure.usage("--seeds " + options.seeds + ": there is no file in it");
      }
    } else if (grammar.isEmpty()) {
      throw CommandFailure.usage(
          (options.socket != null ? "--socket" : "@@")
              + " needs inputs to begin with: give --seeds DIR or --grammar FILE");
    }
    if (Files.isDirectory(corpus)) {
      seeds.addAll(filesOf(corpus));
    }
    Mutator mutator = mutator(grammar, seeds);
    if (seeds.isEmpty()) {
      seeds.add(mutator.populate(new byte[0], new SplittableRandom(seed)));
    }
    return new FuzzInputs(seeds, Optional.of(mutator));
  }

  /** The input of a campaign that is run again. */
  static FuzzInputs replayed(FuzzOptions options, byte[] input) {
    Optional<Grammar> grammar = Optional.ofNullable(options.grammar).map(FuzzInputs::grammar);
    return new FuzzInputs(List.of(input), Optional.of(mutator(grammar, List.of(input))));
  }

  private static Mutator mutator(Optional<Grammar> grammar, List<byte[]> seeds) {
    return grammar
        .or(() -> Grammar.suggestedBy(seeds))
        .<Mutator>map(OperationMutator::new)
        .orElseGet(ByteMutator::new);
  }

  private static Grammar grammar(Path file) {
    try {
      return GrammarReader.read(file);
    } catch (GrammarException e) {
      throw CommandFailure.usage("--grammar " + e.getMessage(), e);
    }
  }

  private static List<byte[]> filesOf(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw CommandFailure.usage("--seeds " + folder + ": there is no such directory");
    }
    List<byte[]> contents = new ArrayList<>();
    try (var files = Files.list(folder)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        contents.add(Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw CommandFailure.usage(
          "--seeds " + folder + ": cannot be read (" + FileReason.of(e) + ")", e);
    }
    return contents;
  }
}
