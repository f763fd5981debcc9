package dev.perdure.robust.program;

import dev.perdure.llvm.ir.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers for the values of a module, so that the analyses need not ask LLVM again. */
public final class Values {
  /** No value. */
  public static final int NONE = -1;

  private final Map<Value, Integer> numbers = new HashMap<>();
  private final List<Value> values = new ArrayList<>();

  /** The number of a value, a new one if it has none yet. */
  public int number(Value value) {
    Integer known = numbers.get(value);
    if (known == null) {
      known = values.size();
      numbers.put(value, known);
      values.add(value);
    }
    return known;
  }

  /** A new number that stands for no value of the module. */
  public int auxiliary() {
    values.add(null);
    return values.size() - 1;
  }

  public boolean isInteger(int number) {
    return values.get(number) != null && values.get(number).type().isInteger();
  }

  public Value value(int number) {
    return values.get(number);
  }

  public int size() {
    return values.size();
  }
}
