package dev.perdure.binary.debug;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The names of functions, qualified by classes and namespaces. Where there are none around a C++
 * function, which is also so where they were left out, its mangled name says more.
 */
final class FunctionNames {
  private static final int MOST_STEPS = 16;

  private final Map<Unit.Reference, String> names = new HashMap<>();
  private final Entry entry = new Entry();

  /** Empty where the function has no name. */
  String of(Unit.Reference function) {
    return names.computeIfAbsent(function, this::read);
  }

  /** Whether a function, qualified or mangled, may be what a source calls by a simple name. */
  static boolean mayBe(String function, String simple) {
    return function.equals(simple)
        || function.endsWith("::" + simple)
        || function.startsWith("_Z") && function.contains(simple.length() + simple);
  }

  /** Where a function is declared: the number of the file in the unit's table, and the line. */
  record Declaration(Unit unit, int file, int line) {}

  /** As far as it is known; zeros otherwise. */
  Declaration declaration(Unit.Reference function) {
    Unit.Reference at = function;
    for (int step = 0; step < MOST_STEPS; step++) {
      read(at.unit(), at.offset());
      if (entry.has(Attribute.DECL_LINE)) {
        return new Declaration(
            at.unit(),
            (int) entry.value(Attribute.DECL_FILE),
            (int) entry.value(Attribute.DECL_LINE));
      }
      Optional<Unit.Reference> next = next(at.unit());
      if (next.isEmpty()) {
        break;
      }
      at = next.get();
    }
    return new Declaration(function.unit(), 0, 0);
  }

  /** The entry that completes the one just read. */
  private Optional<Unit.Reference> next(Unit unit) {
    Attribute next =
        entry.has(Attribute.ABSTRACT_ORIGIN) ? Attribute.ABSTRACT_ORIGIN : Attribute.SPECIFICATION;
    return entry.has(next)
        ? Optional.of(unit.reference(entry.form(next), entry.value(next)))
        : Optional.empty();
  }

  private String read(Unit.Reference function) {
    Unit.Reference at = function;
    String name = "";
    String linkageName = "";
    for (int step = 0; step < MOST_STEPS; step++) {
      read(at.unit(), at.offset());
      name = name.isEmpty() ? at.unit().string(entry, Attribute.NAME) : name;
      linkageName =
          linkageName.isEmpty() ? at.unit().string(entry, Attribute.LINKAGE_NAME) : linkageName;
      Optional<Unit.Reference> next = next(at.unit());
      if (next.isEmpty()) {
        break;
      }
      at = next.get();
    }
    return qualified(at, name, linkageName);
  }

  private String qualified(Unit.Reference function, String name, String linkageName) {
    Unit unit = function.unit();
    int[] scopes = unit.file().code(unit).scopesAround(function.offset());
    if (scopes.length == 0 && linkageName.startsWith("_Z") || name.isEmpty()) {
      return linkageName;
    }
    var text = new StringBuilder(name);
    for (int scope : scopes) {
      read(unit, scope);
      String outer = unit.string(entry, Attribute.NAME);
      if (outer.isEmpty()) {
        outer = entry.tag() == Entry.NAMESPACE ? "(anonymous namespace)" : "(anonymous class)";
      }
      text.insert(0, outer + "::");
    }
    return text.toString();
  }

  private void read(Unit unit, int offset) {
    unit.read(entry, unit.cursor(offset));
  }
}
