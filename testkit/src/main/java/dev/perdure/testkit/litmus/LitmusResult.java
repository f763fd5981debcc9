package dev.perdure.testkit.litmus;

import java.util.List;

/**
 * What became of one program.
 *
 * @param wrong what is wrong, one line each; empty if it passed
 */
record LitmusResult(String name, List<String> wrong, double seconds) {
  boolean passed() {
    return wrong.isEmpty();
  }
}
