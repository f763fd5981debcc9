package dev.perdure.binary.debug;

import dev.perdure.model.code.Frame;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Places from DWARF. */
final class DebugInfo {
  private final List<Piece> pieces = new ArrayList<>();
  private final SplitUnits splitUnits;
  private final StraightCode code;
  private final Map<Unit, Unit> full = new IdentityHashMap<>();
  private final Map<Unit, LineTable> lineTables = new IdentityHashMap<>();
  private final FunctionNames names = new FunctionNames();
  private final VanishedFunctions vanished = new VanishedFunctions();

  /** A range of addresses of a unit. */
  private record Piece(long begin, long end, Unit unit) {}

  DebugInfo(DwarfFile file, SplitUnits splitUnits, StraightCode code) {
    this.splitUnits = splitUnits;
    this.code = code;
    for (Unit unit : file.units()) {
      Ranges ranges = unit.ranges(unit.root());
      for (int i = 0; i < ranges.count(); i++) {
        pieces.add(new Piece(ranges.begin(i), ranges.end(i), unit));
      }
    }
    pieces.sort(Comparator.comparingLong(Piece::begin));
  }

  /**
   * The inline chain at an address, innermost function first; empty if no unit has it.
   *
   * @param symbol what a function without a name is called, by its address
   */
  List<Frame> frames(long address, Function<Long, String> symbol) {
    Optional<Unit> unit = unitAt(address);
    return unit.isPresent() ? frames(unit.get(), address, symbol) : List.of();
  }

  /**
   * The inline chain of an instruction that accesses memory. Compilers give a load that they merge
   * with the use of a function's result the line of the call, although it is made amid the code of
   * the function that was inlined there: it gets the line of what comes before it there, and the
   * call is the next in the chain.
   */
  List<Frame> accessFrames(long address, Function<Long, String> symbol) {
    Optional<Unit> unit = unitAt(address);
    if (unit.isEmpty()) {
      return List.of();
    }
    long place = amidInlined(unit.get(), address);
    List<Frame> frames = frames(unit.get(), place, symbol);
    return place == address ? frames : inVanished(unit.get(), frames);
  }

  /** Puts a function in front that the line of an access calls, if only the source knows it. */
  private List<Frame> inVanished(Unit skeleton, List<Frame> frames) {
    Unit unit = full.computeIfAbsent(skeleton, splitUnits::full);
    Predicate<String> known =
        name ->
            unit.file()
                .code(unit)
                .functions()
                .mapToObj(f -> names.of(new Unit.Reference(unit, f)))
                .anyMatch(f -> FunctionNames.mayBe(f, name));
    Optional<Frame> inner = vanished.calledIn(frames.get(0), known);
    List<Frame> all = new ArrayList<>(frames);
    inner.ifPresent(f -> all.add(0, f));
    return all;
  }

  private long amidInlined(Unit skeleton, long address) {
    Unit unit = full.computeIfAbsent(skeleton, splitUnits::full);
    List<CodeScope> scopes = unit.file().code(unit).at(address);
    Optional<LineTable> lines = lines(skeleton);
    if (scopes.isEmpty() || lines.isEmpty() || lines.get().row(address) < 0) {
      return address;
    }
    return new MergedLoads(lines.get(), scopes.get(0), code).placeOf(address);
  }

  private Optional<Unit> unitAt(long address) {
    int low = 0;
    int high = pieces.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (pieces.get(middle).begin() <= address) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high >= 0 && address < pieces.get(high).end()
        ? Optional.of(pieces.get(high).unit())
        : Optional.empty();
  }

  private List<Frame> frames(Unit skeleton, long address, Function<Long, String> symbol) {
    Unit unit = full.computeIfAbsent(skeleton, splitUnits::full);
    List<CodeScope> scopes = unit.file().code(unit).at(address);
    Optional<LineTable> lines = lines(skeleton);
    int row = lines.map(table -> table.row(address)).orElse(-1);
    if (scopes.isEmpty()) {
      return row < 0 ? List.of() : List.of(frame(symbol.apply(address), lines.get(), row));
    }
    List<Frame> frames = new ArrayList<>(scopes.size());
    for (int i = 0; i < scopes.size(); i++) {
      String name = names.of(scopes.get(i).entry());
      if (i == 0) {
        frames.add(
            innermost(name.isEmpty() ? symbol.apply(address) : name, scopes.get(0), lines, row));
      } else {
        CodeScope call = scopes.get(i - 1);
        String file = lines.map(table -> table.fileByNumber(call.callFile())).orElse("");
        frames.add(new Frame(name, file, call.callLine()));
      }
    }
    return frames;
  }

  /**
   * Instructions without a line belong to the one before them in the same instance of the same
   * function, else to the function as a whole.
   */
  private Frame innermost(String name, CodeScope scope, Optional<LineTable> lines, int row) {
    LineTable table = lines.orElse(null);
    int known = row;
    while (known >= 0 && table.line(known) == 0) {
      int before = table.before(known);
      known = before >= 0 && scope.hasItself(table.address(before)) ? before : -1;
    }
    if (known >= 0) {
      return frame(name, table, known);
    }
    FunctionNames.Declaration declared = names.declaration(scope.entry());
    return new Frame(
        name,
        lines(declared.unit()).map(t -> t.fileByNumber(declared.file())).orElse(""),
        declared.line());
  }

  private static Frame frame(String function, LineTable table, int row) {
    return new Frame(function, table.file(row), table.line(row));
  }

  private Optional<LineTable> lines(Unit any) {
    Unit unit = any.addressed();
    long offset = unit.lineTable();
    return offset < 0
        ? Optional.empty()
        : Optional.of(lineTables.computeIfAbsent(unit, u -> LineTable.read(u, offset)));
  }
}
