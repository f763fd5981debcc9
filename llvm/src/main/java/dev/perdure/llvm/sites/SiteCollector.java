package dev.perdure.llvm.sites;

import dev.perdure.llvm.ir.DebugLocation;
import dev.perdure.llvm.ir.DebugScope;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import dev.perdure.model.code.SiteTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives the instructions of a module their site numbers. Instructions of one line with the same
 * inline chain share a number, whatever their columns.
 */
public final class SiteCollector {
  private final Map<Site, Integer> numbers = new LinkedHashMap<>();
  private final Map<Long, Integer> byLocation = new HashMap<>();
  private final Map<DebugScope, String> names = new HashMap<>();

  /** The local number of an instruction's site. */
  public int siteOf(Instruction instruction) {
    Optional<DebugLocation> own = instruction.debugLocation();
    Optional<DebugLocation> location =
        own.filter(l -> l.line() != 0).or(() -> nearestBefore(instruction, own));
    if (location.isPresent()) {
      DebugLocation known = location.get();
      return byLocation.computeIfAbsent(
          known.identity(), id -> number(frames(known, known.line())));
    }
    return own.isPresent()
        ? number(frames(own.get(), own.get().scope().subprogram().line()))
        : number(List.of(functionItself(instruction.owner())));
  }

  /** The local number of the site of a function of which nothing more is known. */
  public int siteOf(String function) {
    return number(List.of(new Frame(function, "", 0)));
  }

  /**
   * The table of all sites so far; C++ names that are still mangled are passed to the demangler.
   */
  public SiteTable table(Demangler demangler) {
    return new SiteTable(demangler.demangled(List.copyOf(numbers.keySet())));
  }

  private static Optional<DebugLocation> nearestBefore(
      Instruction instruction, Optional<DebugLocation> own) {
    Optional<Instruction> before = instruction.previous();
    while (before.isPresent()) {
      Optional<DebugLocation> location = before.get().debugLocation();
      if (location.isPresent()
          && location.get().line() != 0
          && (own.isEmpty() || own.get().sharesInstanceWith(location.get()))) {
        return location;
      }
      before = before.get().previous();
    }
    return Optional.empty();
  }

  private List<Frame> frames(DebugLocation location, int innermostLine) {
    List<Frame> frames = new ArrayList<>();
    int line = innermostLine;
    Optional<DebugLocation> at = Optional.of(location);
    while (at.isPresent()) {
      DebugScope scope = at.get().scope();
      String function = names.computeIfAbsent(scope.subprogram(), SiteCollector::qualifiedName);
      frames.add(new Frame(function, scope.file(), line));
      at = at.get().inlinedAt();
      line = at.map(DebugLocation::line).orElse(0);
    }
    return frames;
  }

  private Frame functionItself(Function function) {
    return function
        .debugScope()
        .map(
            scope ->
                new Frame(
                    names.computeIfAbsent(scope, SiteCollector::qualifiedName),
                    scope.file(),
                    scope.line()))
        .orElseGet(() -> new Frame(function.name(), "", 0));
  }

  /** With line tables only, the scopes are left out: then the linkage name says more. */
  private static String qualifiedName(DebugScope subprogram) {
    StringBuilder name = new StringBuilder(subprogram.name());
    Optional<DebugScope> parent = subprogram.parent().filter(DebugScope::qualifies);
    if (parent.isEmpty() && subprogram.linkageName().startsWith("_Z")) {
      return subprogram.linkageName();
    }
    while (parent.isPresent()) {
      String outer = parent.get().name();
      if (outer.isEmpty()) {
        outer = parent.get().isNamespace() ? "(anonymous namespace)" : "(anonymous class)";
      }
      name.insert(0, outer + "::");
      parent = parent.get().parent().filter(DebugScope::qualifies);
    }
    return name.toString();
  }

  private int number(List<Frame> frames) {
    return numbers.computeIfAbsent(new Site(frames), site -> numbers.size());
  }
}
