package dev.perdure.bench;

import dev.perdure.fuzz.input.ByteMutator;
import dev.perdure.fuzz.input.Grammar;
import dev.perdure.fuzz.input.GrammarException;
import dev.perdure.fuzz.input.GrammarReader;
import dev.perdure.fuzz.input.Mutator;
import dev.perdure.fuzz.input.OperationMutator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Table 4: how many operations of mutated inputs are valid. */
final class ValidOperations {
  /** What inputs of memcached's protocol begin with, for a key. */
  private static final String COMMANDS =
      "set KEY 0 0 2|11|get KEY|add KEY 0 0 2|12|replace KEY 0 0 2|13|append KEY 0 0 2|14|"
          + "prepend KEY 0 0 2|15|incr KEY 10|decr KEY 11|get KEY|delete KEY|get KEY|";

  private ValidOperations() {}

  static void measure(Path home) throws IOException, GrammarException {
    System.out.printf("Operations of 100 mutated inputs, memcached's protocol (table 4)%n%n");
    Grammar protocol = GrammarReader.read(home.resolve("grammars/memcached.grammar"));
    Map<String, int[]> counts = new TreeMap<>();
    List<Mutator> mutators = List.of(new OperationMutator(protocol), new ByteMutator());
    for (int m = 0; m < mutators.size(); m++) {
      for (byte[] input : mutated(mutators.get(m))) {
        int column = m;
        protocol
            .count(input)
            .forEach(
                (name, n) ->
                    counts.computeIfAbsent(name, k -> new int[mutators.size()])[column] += n);
      }
    }
    int[] invalid = counts.computeIfAbsent("", k -> new int[mutators.size()]);
    counts.remove("");
    System.out.println("| operation | our mutator | bytes |");
    System.out.println("| --- | --- | --- |");
    counts.forEach((name, n) -> System.out.printf("| %s | %d | %d |%n", name, n[0], n[1]));
    System.out.printf("| invalid | %d | %d |%n", invalid[0], invalid[1]);
    System.out.printf(
        "| valid | %s | %s |%n", share(counts, invalid, 0), share(counts, invalid, 1));
  }

  private static String share(Map<String, int[]> valid, int[] invalid, int column) {
    int sum = valid.values().stream().mapToInt(n -> n[column]).sum();
    return "%.1f %%".formatted(100.0 * sum / (sum + invalid[column]));
  }

  /** A hundred inputs, each of which has gone through some rounds of mutation. */
  private static List<byte[]> mutated(Mutator mutator) {
    SplittableRandom random = new SplittableRandom(1);
    List<byte[]> corpus = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String key = "k" + i;
      corpus.add(
          COMMANDS.replace("KEY", key).replace("|", "\r\n").getBytes(StandardCharsets.US_ASCII));
    }
    List<byte[]> inputs = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      byte[] input = corpus.get(i % corpus.size());
      for (int round = 0; round < 5; round++) {
        input = mutator.mutate(input, corpus, random);
      }
      inputs.add(input);
    }
    return inputs;
  }
}
