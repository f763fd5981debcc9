package dev.perdure.testkit.oracle;

import java.util.Locale;

/** What an instruction does. A locked instruction is a store. */
enum AccessKind {
  LOAD,
  STORE,
  FLUSH,
  FENCE;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
