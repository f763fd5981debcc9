package dev.perdure.binary.debug;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The functions of a unit: which addresses they have, what was inlined into them, and for every
 * function, with code or not, the class or namespace around it.
 */
final class UnitCode {
  private static final int NO_SCOPE = -1;

  private final List<Piece> pieces = new ArrayList<>();
  private final Offsets functions = new Offsets();
  private final Offsets scopes = new Offsets();

  private UnitCode() {}

  /** A range of addresses of a function. */
  private record Piece(long begin, long end, CodeScope function) {}

  static UnitCode read(Unit unit) {
    var code = new UnitCode();
    code.scan(unit);
    code.pieces.sort(Comparator.comparingLong(Piece::begin));
    return code;
  }

  private void scan(Unit unit) {
    Cursor in = unit.cursor(unit.header().entries());
    Entry entry = new Entry();
    var around = new Around();
    while (in.at() < unit.header().end()) {
      if (!unit.read(entry, in)) {
        if (!around.leave()) {
          return;
        }
        continue;
      }
      CodeScope inside = around.code();
      int scope = NO_SCOPE;
      if (entry.tag() == Entry.SUBPROGRAM) {
        functions.add(entry.offset(), around.scope());
        inside = function(unit, entry);
      } else if (entry.tag() == Entry.INLINED_SUBROUTINE && inside != null) {
        inside = inlined(unit, entry, inside);
      } else if (Entry.qualifies(entry.tag())) {
        scope = scopes.add(entry.offset(), around.scope());
      }
      if (entry.children()) {
        around.enter(inside, scope);
      } else if (around.depth() == 0) {
        return;
      }
    }
  }

  private CodeScope function(Unit unit, Entry entry) {
    Ranges ranges = unit.ranges(entry);
    if (ranges.isEmpty()) {
      return null;
    }
    var function = new CodeScope(unit, entry.offset(), ranges, 0, 0);
    for (int i = 0; i < ranges.count(); i++) {
      pieces.add(new Piece(ranges.begin(i), ranges.end(i), function));
    }
    return function;
  }

  private static CodeScope inlined(Unit unit, Entry entry, CodeScope into) {
    Ranges ranges = unit.ranges(entry);
    if (ranges.isEmpty()) {
      return null;
    }
    var scope =
        new CodeScope(
            unit,
            entry.offset(),
            ranges,
            (int) entry.value(Attribute.CALL_FILE),
            (int) entry.value(Attribute.CALL_LINE));
    into.add(scope);
    return scope;
  }

  /** The function at an address and what is inlined there, innermost first; empty if none is. */
  List<CodeScope> at(long address) {
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
    for (int i = high; i >= 0; i--) {
      if (address < pieces.get(i).end()) {
        return chain(pieces.get(i).function(), address);
      }
      if (i < high && pieces.get(i).begin() != pieces.get(i + 1).begin()) {
        break;
      }
    }
    return List.of();
  }

  private static List<CodeScope> chain(CodeScope function, long address) {
    List<CodeScope> chain = new ArrayList<>();
    Optional<CodeScope> scope = Optional.of(function);
    while (scope.isPresent()) {
      chain.add(0, scope.get());
      scope = scope.get().inlinedAt(address);
    }
    return chain;
  }

  /** All functions, with code or without. */
  IntStream functions() {
    return functions.all();
  }

  /** The classes and namespaces around a function, innermost first, as offsets of their entries. */
  int[] scopesAround(int function) {
    int[] around = new int[4];
    int count = 0;
    int scope = functions.around(function);
    while (scope != NO_SCOPE) {
      if (count == around.length) {
        around = Arrays.copyOf(around, count * 2);
      }
      around[count++] = scopes.offset(scope);
      scope = scopes.aroundIndex(scope);
    }
    return Arrays.copyOf(around, count);
  }

  /** Entries in rising order, each with the index of the scope around it. */
  private static final class Offsets {
    private int[] offsets = new int[16];
    private int[] around = new int[16];
    private int size;

    int add(int offset, int scope) {
      if (size == offsets.length) {
        offsets = Arrays.copyOf(offsets, size * 2);
        around = Arrays.copyOf(around, size * 2);
      }
      offsets[size] = offset;
      around[size] = scope;
      return size++;
    }

    IntStream all() {
      return Arrays.stream(offsets, 0, size);
    }

    int offset(int index) {
      return offsets[index];
    }

    int aroundIndex(int index) {
      return around[index];
    }

    int around(int offset) {
      int index = Arrays.binarySearch(offsets, 0, size, offset);
      return index < 0 ? NO_SCOPE : around[index];
    }
  }

  /** The entries around the one that is being read. */
  private static final class Around {
    private CodeScope[] code = new CodeScope[16];
    private int[] scopes = new int[16];
    private int depth;

    void enter(CodeScope inside, int scope) {
      if (depth == code.length) {
        code = Arrays.copyOf(code, depth * 2);
        scopes = Arrays.copyOf(scopes, depth * 2);
      }
      code[depth] = inside;
      scopes[depth++] = scope;
    }

    /** False when the unit is at its end. */
    boolean leave() {
      return --depth > 0;
    }

    int depth() {
      return depth;
    }

    CodeScope code() {
      return depth == 0 ? null : code[depth - 1];
    }

    int scope() {
      return depth == 0 ? NO_SCOPE : scopes[depth - 1];
    }
  }
}
