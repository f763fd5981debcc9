package dev.perdure.llvm.region;

import dev.perdure.flow.region.Place;
import dev.perdure.flow.region.RegionStarts;
import dev.perdure.flow.region.Start;
import dev.perdure.llvm.instrument.PointerOrigin;
import dev.perdure.llvm.ir.Attribute;
import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.sites.Demangler;
import dev.perdure.llvm.sites.SiteCollector;
import dev.perdure.model.code.Site;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.region.AccessKind;
import dev.perdure.model.region.AccessRegion;
import dev.perdure.model.region.CodePlace;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The regions of all accesses of a module that may touch persistent memory. */
public final class ModuleRegions {
  /** An access and its starts, by the numbers of their sites. */
  private record Numbered(AccessKind kind, int site, List<Integer> starts) {}

  private final SiteCollector sites = new SiteCollector();
  private final List<Numbered> found = new ArrayList<>();
  private final BitcodeModule module;

  private ModuleRegions(BitcodeModule module) {
    this.module = module;
  }

  /** Finds them, in the order of the module. */
  public static List<AccessRegion> of(
      BitcodeModule module, Configuration configuration, Demangler demangler) {
    ModuleRegions regions = new ModuleRegions(module);
    List<Function> bodies = module.functions().stream().filter(ModuleRegions::isOwn).toList();
    Acquires acquires = Acquires.of(module, bodies, configuration, demangler);
    bodies.forEach(function -> regions.add(function, acquires));
    List<Site> places = regions.sites.table(demangler).sites();
    return regions.found.stream()
        .map(
            n ->
                new AccessRegion(
                    n.kind,
                    place(places.get(n.site)),
                    n.starts.stream().map(s -> place(places.get(s))).toList()))
        .distinct()
        .toList();
  }

  static boolean isOwn(Function function) {
    return function.hasBody()
        && !function.isAvailableExternally()
        && !function.has(Attribute.NAKED);
  }

  private static CodePlace place(Site site) {
    return new CodePlace(site.innermost(), OptionalLong.empty());
  }

  private void add(Function function, Acquires acquires) {
    FunctionCode code = new FunctionCode(function, acquires);
    PmAccesses accesses = new PmAccesses(module, new PointerOrigin());
    RegionStarts<Extent> starts = new RegionStarts<>(code.graph(), code);
    for (int block = 0; block < code.blockCount(); block++) {
      for (int i = 0; i < code.length(block); i++) {
        Place place = new Place(block, i);
        Instruction instruction = code.from(place).get(0);
        for (PmAccess access : accesses.of(instruction)) {
          List<Integer> lines =
              starts.of(place, Extent.of(access.extent())).stream()
                  .map(start -> siteOf(start, code, instruction))
                  .distinct()
                  .toList();
          found.add(new Numbered(access.kind(), sites.siteOf(instruction), lines));
        }
      }
    }
  }

  /**
   * The line of the first instruction of a region that does more than compute: arithmetic and plain
   * jumps have no order that a reader would know.
   */
  private int siteOf(Start<Extent> start, FunctionCode code, Instruction access) {
    Place place = start.place();
    Instruction last = code.from(place).get(0);
    for (int blocks = 0; blocks < code.blockCount(); blocks++) {
      for (Instruction instruction : code.from(place)) {
        if (instruction.equals(access) || isTelling(instruction)) {
          return sites.siteOf(instruction);
        }
        last = instruction;
      }
      int[] next = code.graph().successors(place.block());
      if (next.length != 1) {
        break;
      }
      place = new Place(next[0], 0);
    }
    return sites.siteOf(last);
  }

  private static boolean isTelling(Instruction instruction) {
    boolean computes =
        switch (instruction.opcode()) {
          case PHI,
              ARITHMETIC,
              POINTER_TO_INTEGER,
              INTEGER_TO_POINTER,
              COMPARE,
              GET_ELEMENT_POINTER,
              BIT_CAST,
              SELECT,
              FREEZE ->
              true;
          default -> instruction.isJump();
        };
    return !computes && instruction.debugLocation().filter(l -> l.line() != 0).isPresent();
  }
}
