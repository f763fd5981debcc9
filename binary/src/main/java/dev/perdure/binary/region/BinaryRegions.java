package dev.perdure.binary.region;

import dev.perdure.binary.debug.ModuleSymbols;
import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.flow.CallSite;
import dev.perdure.binary.flow.Callees;
import dev.perdure.binary.flow.Function;
import dev.perdure.binary.flow.FunctionBlocks;
import dev.perdure.binary.flow.JumpTargets;
import dev.perdure.binary.flow.ModuleCode;
import dev.perdure.binary.sum.RegisterSum;
import dev.perdure.flow.call.SyncNames;
import dev.perdure.flow.region.Place;
import dev.perdure.flow.region.RegionStarts;
import dev.perdure.flow.region.Start;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.region.AccessKind;
import dev.perdure.model.region.AccessRegion;
import dev.perdure.model.region.CodePlace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The regions of all accesses of an executable or library that may touch persistent memory. */
public final class BinaryRegions {
  /** An access of a function and its starts. */
  record Found(
      FunctionCode code, Place place, PmAccess access, List<Start<List<RegisterSum>>> starts) {
    Stream<Announcement> announcements() {
      Instruction instruction = code.at(place);
      if (access.extent().size() > 1) {
        return Stream.empty();
      }
      return starts.stream()
          .filter(start -> code.takesTime(start.place(), place))
          .flatMap(
              start ->
                  start.address().get(0).operand().stream()
                      .map(
                          operand ->
                              new Announcement(
                                  code.index(start.place()),
                                  access.kind(),
                                  operand,
                                  instruction.size(),
                                  instruction.address())));
    }
  }

  /** The same by addresses. */
  private record Addresses(AccessKind kind, long at, List<Long> starts) {}

  private final ModuleCode module;
  private final JumpTargets targets;
  private final Callees callees;
  private final Acquires acquires;
  private final TreeMap<Long, CallSite> callSites = new TreeMap<>();

  private BinaryRegions(
      ModuleCode module, Configuration configuration, UnaryOperator<List<Site>> readable)
      throws IOException {
    this.module = module;
    this.targets = JumpTargets.of(module);
    this.callees = new Callees(module);
    this.acquires =
        new Acquires(
            module,
            callees,
            new SyncNames(
                configuration,
                configuration.namesFunctions()
                    ? readableNames(callees.names(), readable)
                    : Map.of()));
    module.callSites().forEach(site -> callSites.put(site.start(), site));
  }

  private static Map<String, String> readableNames(
      List<String> names, UnaryOperator<List<Site>> readable) {
    List<Site> sites =
        names.stream().map(name -> new Site(List.of(new Frame(name, "", 0)))).toList();
    List<Site> renamed = readable.apply(sites);
    Map<String, String> result = new HashMap<>();
    for (int i = 0; i < sites.size(); i++) {
      result.put(names.get(i), renamed.get(i).innermost().function());
    }
    return result;
  }

  /**
   * Finds them, in the order of addresses.
   *
   * @param readable turns mangled names of functions into readable ones
   */
  public static List<AccessRegion> of(
      ElfFile elf, Configuration configuration, UnaryOperator<List<Site>> readable)
      throws IOException {
    List<Addresses> found = new ArrayList<>();
    new BinaryRegions(ModuleCode.read(elf), configuration, readable)
        .each(sum -> true, access -> found.add(addresses(access)));
    ModuleSymbols symbols = ModuleSymbols.open(elf.path());
    List<Site> sites = new ArrayList<>();
    for (Addresses a : found) {
      sites.add(symbols.siteAt(a.at));
      a.starts.forEach(start -> sites.add(symbols.siteAt(start)));
    }
    var names = readable.apply(sites).iterator();
    List<AccessRegion> regions = new ArrayList<>();
    for (Addresses a : found) {
      CodePlace place = place(names.next(), a.at);
      regions.add(
          new AccessRegion(
              a.kind, place, a.starts.stream().map(s -> place(names.next(), s)).toList()));
    }
    return regions;
  }

  private static CodePlace place(Site site, long address) {
    return new CodePlace(site.innermost(), OptionalLong.of(address));
  }

  private static Addresses addresses(Found found) {
    return new Addresses(
        found.access.kind(),
        found.code.at(found.place).address(),
        found.starts.stream().map(s -> found.code.at(s.place()).address()).sorted().toList());
  }

  /**
   * What a program has to announce, by functions: where a region starts before its access, and its
   * address there can be that of an instruction. A region that starts next to its access, with
   * nothing but plain accesses and arithmetic in between, is opened by the access.
   */
  public static Map<Long, List<Announcement>> announcements(
      ModuleCode module, Configuration configuration, UnaryOperator<List<Site>> readable)
      throws IOException {
    Map<Long, List<Announcement>> announced = new TreeMap<>();
    new BinaryRegions(module, configuration, readable)
        .each(
            sum -> sum.operand().isPresent(),
            found -> {
              List<Announcement> all =
                  announced.computeIfAbsent(found.code.start(), f -> new ArrayList<>());
              found.announcements().filter(a -> !a.isIn(all)).forEach(all::add);
            });
    return announced;
  }

  static BinaryRegions reader(ModuleCode module) throws IOException {
    return new BinaryRegions(module, Configuration.EMPTY, UnaryOperator.identity());
  }

  /** Hands over all accesses with their starts, whose addresses are such that they can be used. */
  void each(Predicate<RegisterSum> usable, Consumer<Found> consumer) {
    module.functions().forEach(function -> each(function, usable, consumer));
  }

  private void each(Function function, Predicate<RegisterSum> usable, Consumer<Found> consumer) {
    PmAccesses accesses = new PmAccesses(function);
    if (function.code().stream().allMatch(i -> accesses.of(i).isEmpty())) {
      return;
    }
    FunctionCode code = code(function, usable);
    RegionStarts<List<RegisterSum>> starts = new RegionStarts<>(code.graph(), code);
    for (Place place : code.places()) {
      for (PmAccess access : accesses.of(code.at(place))) {
        List<Start<List<RegisterSum>>> all = starts.of(place, access.extent());
        if (all.stream().noneMatch(s -> PmAccesses.isOnStack(s.address()))) {
          consumer.accept(new Found(code, place, access, all));
        }
      }
    }
  }

  private FunctionCode code(Function function, Predicate<RegisterSum> usable) {
    List<CallSite> own = List.copyOf(callSites.subMap(function.start(), function.end()).values());
    return new FunctionCode(
        function, new FunctionBlocks(function, targets, own, callees), acquires, usable);
  }
}
