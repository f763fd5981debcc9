package dev.perdure.binary.plan;

import dev.perdure.binary.debug.ModuleSymbols;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How much of a module is observed, and how.
 *
 * @param counts by what they count
 * @param gaps what is not observed
 */
public record ModuleCoverage(Map<String, Integer> counts, List<Gap> gaps) {

  /** One line for each kind of gap: how many, and where. */
  public List<String> describeGaps(Path module) {
    if (gaps.isEmpty()) {
      return List.of();
    }
    ModuleSymbols symbols = ModuleSymbols.open(module);
    Map<String, Set<String>> places = new TreeMap<>();
    Map<String, Integer> numbers = new TreeMap<>();
    for (Gap gap : gaps) {
      String place = symbols.siteAt(gap.address()).frames().get(0).functionAndOffset();
      places.computeIfAbsent(gap.what(), w -> new LinkedHashSet<>()).add(place);
      numbers.merge(gap.what(), 1, Integer::sum);
    }
    List<String> lines = new ArrayList<>();
    places.forEach(
        (what, where) ->
            lines.add(
                module.getFileName()
                    + ": "
                    + numbers.get(what)
                    + " "
                    + what
                    + " in "
                    + String.join(", ", where)));
    return lines;
  }
}
