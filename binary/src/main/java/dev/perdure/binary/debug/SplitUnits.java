package dev.perdure.binary.debug;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The full units behind skeletons: in a package beside the module ({@code program.dwp}), or each in
 * its own {@code .dwo} file, where the compiler put it or beside the module.
 */
final class SplitUnits {
  private final Path module;
  private final List<Path> packages;
  private Optional<UnitPackage> opened;

  SplitUnits(Path module, List<Path> packages) {
    this.module = module;
    this.packages = packages;
  }

  /** The full unit, which is the unit itself where it is not split or the rest is not to be had. */
  Unit full(Unit unit) {
    String name = unit.string(unit.root(), Attribute.DWO_NAME);
    OptionalLong id =
        unit.root().has(Attribute.GNU_DWO_ID)
            ? OptionalLong.of(unit.root().value(Attribute.GNU_DWO_ID))
            : unit.header().dwoId();
    if (name.isEmpty() || id.isEmpty()) {
      return unit;
    }
    return inPackage(id.getAsLong(), unit)
        .or(() -> inFile(name, id.getAsLong(), unit))
        .orElse(unit);
  }

  private Optional<Unit> inPackage(long id, Unit skeleton) {
    if (opened == null) {
      opened =
          packages.stream()
              .flatMap(path -> ObjectFile.open(path).stream())
              .map(UnitPackage::new)
              .findFirst();
    }
    return opened.flatMap(p -> p.sections(id)).flatMap(sections -> unit(sections, id, skeleton));
  }

  private Optional<Unit> inFile(String name, long id, Unit skeleton) {
    try {
      Path beside = module.resolveSibling(Path.of(name).getFileName());
      for (Path path : List.of(Path.of(skeleton.directory()).resolve(name), beside)) {
        Optional<Unit> unit =
            ObjectFile.open(path)
                .map(DwarfSections::ofSplit)
                .flatMap(sections -> unit(sections, id, skeleton));
        if (unit.isPresent()) {
          return unit;
        }
      }
      return Optional.empty();
    } catch (InvalidPathException e) {
      throw new BadDebugInfo("the name of a split unit is no path");
    }
  }

  /** A file from another build has another id: then it says nothing about this one. */
  private static Optional<Unit> unit(DwarfSections sections, long id, Unit skeleton) {
    var file = new DwarfFile(sections, Optional.empty(), Optional.of(skeleton));
    return file.units().stream()
        .filter(
            u ->
                u.root().has(Attribute.GNU_DWO_ID)
                    ? u.root().value(Attribute.GNU_DWO_ID) == id
                    : u.header().dwoId().equals(OptionalLong.of(id)))
        .findFirst();
  }
}
