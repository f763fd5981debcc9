package dev.perdure.fuzz.input;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * The evolution strategies of PMRace's operation mutator: mutation, addition, deletion, shuffling,
 * merging; arguments that the input has already are preferred, so that operations meet.
 */
public final class OperationMutator implements Mutator {
  private static final int MOST_OPERATIONS = 400;
  private static final int SIMILAR_PERCENT = 60;

  /** Few changes keep what an input reaches; many make one in which other operations meet. */
  private static final int MOST_DOUBLINGS = 6;

  private static final int STEPS_WITHOUT_MERGING = 4;

  private final Grammar grammar;

  public OperationMutator(Grammar grammar) {
    this.grammar = grammar;
  }

  @Override
  public byte[] mutate(byte[] input, List<byte[]> corpus, SplittableRandom random) {
    List<Operation> operations = new ArrayList<>(grammar.parse(input));
    if (random.nextInt(STEPS_WITHOUT_MERGING + 1) == 0) {
      operations.addAll(grammar.parse(corpus.get(random.nextInt(corpus.size()))));
    }
    for (int steps = 1 << random.nextInt(MOST_DOUBLINGS + 1); steps > 0; steps--) {
      step(operations, random);
    }
    return grammar.render(limited(operations));
  }

  private void step(List<Operation> operations, SplittableRandom random) {
    switch (operations.isEmpty() ? 1 : random.nextInt(STEPS_WITHOUT_MERGING)) {
      case 0 -> changeArgument(operations, random);
      case 1 -> add(operations, random);
      case 2 -> operations.remove(random.nextInt(operations.size()));
      default -> Collections.shuffle(operations, new Random(random.nextLong()));
    }
  }

  private void changeArgument(List<Operation> operations, SplittableRandom random) {
    int at = random.nextInt(operations.size());
    Operation old = operations.get(at);
    if (old.values().isEmpty()) {
      return;
    }
    int argument = random.nextInt(old.values().size());
    List<String> values = new ArrayList<>(old.values());
    values.set(argument, value(old.type().arguments().get(argument), operations, random));
    operations.set(at, new Operation(old.type(), values));
  }

  private void add(List<Operation> operations, SplittableRandom random) {
    OperationType type = grammar.operations().get(random.nextInt(grammar.operations().size()));
    int at = random.nextInt(operations.size() + 1);
    operations.add(at, operation(type, operations, random));
  }

  private Operation operation(
      OperationType type, List<Operation> operations, SplittableRandom random) {
    List<String> values = type.arguments().stream().map(a -> value(a, operations, random)).toList();
    return new Operation(type, values);
  }

  /** A value that an argument of the same name has somewhere in the input, or any other. */
  private static String value(
      ArgumentType type, List<Operation> operations, SplittableRandom random) {
    if (!operations.isEmpty() && random.nextInt(100) < SIMILAR_PERCENT) {
      Operation other = operations.get(random.nextInt(operations.size()));
      for (int i = 0; i < other.values().size(); i++) {
        if (other.type().arguments().get(i).name().equals(type.name())) {
          return other.values().get(i);
        }
      }
    }
    return type.any(random);
  }

  @Override
  public byte[] populate(byte[] input, SplittableRandom random) {
    List<OperationType> types = grammar.inserting();
    List<Operation> operations = new ArrayList<>(grammar.parse(input));
    for (int n = 16 << random.nextInt(5); n > 0; n--) {
      OperationType type = types.get(random.nextInt(types.size()));
      List<String> values = type.arguments().stream().map(a -> a.various(random)).toList();
      operations.add(new Operation(type, values));
    }
    Collections.shuffle(operations, new Random(random.nextLong()));
    return grammar.render(limited(operations));
  }

  @Override
  public List<byte[]> parts(byte[] input) {
    return grammar.parse(input).stream().map(o -> grammar.render(List.of(o))).toList();
  }

  private static List<Operation> limited(List<Operation> operations) {
    return operations.subList(0, Math.min(operations.size(), MOST_OPERATIONS));
  }
}
