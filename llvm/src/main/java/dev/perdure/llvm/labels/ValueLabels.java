package dev.perdure.llvm.labels;

import dev.perdure.llvm.instrument.Hooks;
import dev.perdure.llvm.ir.Value;
import java.util.HashMap;
import java.util.Map;

/** The labels of one function's values. What is not noted, such as a constant, has none. */
final class ValueLabels {
  private final Map<Value, Value> labels = new HashMap<>();
  private final Hooks hooks;
  private final Value none;

  ValueLabels(Hooks hooks) {
    this.hooks = hooks;
    this.none = hooks.int32(0);
  }

  Value of(Value value) {
    return labels.getOrDefault(value, none);
  }

  Value none() {
    return none;
  }

  boolean isNone(Value label) {
    return label.equals(none);
  }

  void set(Value value, Value label) {
    if (!isNone(label)) {
      labels.put(value, label);
    }
  }

  /** The union of two labels, made where the builder stands. */
  Value union(Value a, Value b) {
    if (isNone(a) || a.equals(b)) {
      return b;
    }
    return isNone(b) ? a : hooks.call("label_union", a, b);
  }
}
