package dev.perdure.fuzz.interleaving;

import java.util.List;
import java.util.Set;

/**
 * What a campaign has shown of how its threads share PM.
 *
 * @param entries what they share
 * @param met loads that returned what another thread had left unpersisted
 * @param overtakable loads, and stores that could make what they returned out of date before the
 *     thread looks again
 * @param overtaken where that happened
 */
public record Sharing(
    List<SharedAccess> entries,
    Set<Meeting> met,
    Set<Meeting> overtakable,
    Set<Meeting> overtaken) {
  public Sharing {
    entries = List.copyOf(entries);
    met = Set.copyOf(met);
    overtakable = Set.copyOf(overtakable);
    overtaken = Set.copyOf(overtaken);
  }
}
