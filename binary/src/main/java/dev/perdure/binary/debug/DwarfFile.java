package dev.perdure.binary.debug;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The units of one file, or of one split unit. */
final class DwarfFile {
  private final DwarfSections sections;
  private final Optional<DwarfFile> alternate;
  private final Map<Long, Abbreviations> abbreviations = new HashMap<>();
  private final Map<Unit, UnitCode> code = new IdentityHashMap<>();
  private final List<Unit> units = new ArrayList<>();

  /**
   * @param alternate the file that several files share, which {@code .gnu_debugaltlink} names
   * @param skeleton for a split unit, what is said of it elsewhere
   */
  DwarfFile(DwarfSections sections, Optional<DwarfFile> alternate, Optional<Unit> skeleton) {
    this.sections = sections;
    this.alternate = alternate;
    int at = 0;
    while (at < sections.info().limit()) {
      UnitHeader header = UnitHeader.read(sections.info(), at);
      units.add(new Unit(this, header, abbreviations(header), skeleton));
      at = header.end();
    }
  }

  private Abbreviations abbreviations(UnitHeader header) {
    return abbreviations.computeIfAbsent(
        header.abbreviations(), at -> new Abbreviations(sections.abbrev(), header));
  }

  DwarfSections sections() {
    return sections;
  }

  List<Unit> units() {
    return units;
  }

  DwarfFile alternate() {
    return alternate.orElseThrow(
        () -> new BadDebugInfo("a reference to a shared file that is not there"));
  }

  /** The functions of a unit, which are looked for when they are first asked for. */
  UnitCode code(Unit unit) {
    return code.computeIfAbsent(unit, UnitCode::read);
  }

  Unit.Reference reference(long offset) {
    int low = 0;
    int high = units.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      UnitHeader header = units.get(middle).header();
      if (offset < header.offset()) {
        high = middle - 1;
      } else if (offset >= header.end()) {
        low = middle + 1;
      } else {
        return new Unit.Reference(units.get(middle), (int) offset);
      }
    }
    throw new BadDebugInfo("a reference to no unit");
  }
}
