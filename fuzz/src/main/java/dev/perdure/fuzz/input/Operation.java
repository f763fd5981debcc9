package dev.perdure.fuzz.input;

import java.util.List;

/** An operation with its arguments. */
record Operation(OperationType type, List<String> values) {
  Operation {
    values = List.copyOf(values);
  }

  /** A text that no kind of operation explains; it stays as it is. */
  static Operation raw(String text) {
    return new Operation(new OperationType(List.of(text), List.of(), false), List.of());
  }

  String text() {
    return type.render(values);
  }
}
