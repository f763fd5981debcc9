package dev.perdure.model.repair;

import dev.perdure.model.code.Site;
import java.util.Locale;

/**
 * Something that a repair has put into a program.
 *
 * @param site of a flush the store or atomic load that it covers, of a fence the instruction that
 *     it precedes
 * @param column in the line of the site, from 1; 0 where it is not known
 * @param reason why it is needed
 */
public record Insertion(Kind kind, Site site, int column, String reason) {

  /** What was inserted. */
  public enum Kind {
    FLUSH,
    FENCE;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
