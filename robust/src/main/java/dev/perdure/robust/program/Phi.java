package dev.perdure.robust.program;

import java.util.Map;

/**
 * A value that depends on the block that control comes from.
 *
 * @param sources the reference for each predecessor; {@link Values#NONE} for none at all
 */
public record Phi(int value, Map<Integer, Integer> sources) {
  public Phi {
    sources = Map.copyOf(sources);
  }
}
