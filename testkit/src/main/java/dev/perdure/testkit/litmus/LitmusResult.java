package dev.perdure.testkit.litmus;

import java.util.List;

/**
 * What became of one program.
 *
 * @param wrong what is wrong, one line each; empty if it passed
 * @param skipped the command is not available
 */
record LitmusResult(String name, List<String> wrong, boolean skipped, double seconds) {
  boolean passed() {
    return !skipped && wrong.isEmpty();
  }
}
