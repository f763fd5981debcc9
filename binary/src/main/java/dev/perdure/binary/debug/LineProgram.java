package dev.perdure.binary.debug;

import java.util.ArrayList;
import java.util.List;

/**
 * The head of a line number program: how its instructions are written, and its files. File numbers
 * count from 0 in DWARF 5 and from 1 before.
 */
final class LineProgram {
  private static final int PATH = 1;
  private static final int DIRECTORY = 2;

  private final Unit unit;
  private final List<String> directories = new ArrayList<>();
  private final List<String> files = new ArrayList<>();
  private final Cursor in;
  private final UnitHeader shape;
  final int end;
  final int version;
  final int minimumInstruction;
  final int lineBase;
  final int lineRange;
  final int opcodeBase;
  final int[] operands;

  LineProgram(Unit unit, long offset) {
    this.unit = unit;
    in = new Cursor(unit.sections().line(), offset);
    long length = in.u32();
    boolean wide = length == 0xffffffffL;
    if (wide) {
      length = in.u64();
    }
    end = Math.toIntExact(in.at() + length);
    version = in.u16();
    if (version < 2 || version > 5) {
      throw new BadDebugInfo("a line table of version " + version);
    }
    if (version >= 5) {
      in.skip(2);
    }
    UnitHeader own = unit.header();
    shape =
        new UnitHeader(
            own.offset(),
            own.end(),
            own.entries(),
            version,
            own.type(),
            wide,
            own.addressSize(),
            0,
            own.dwoId());
    long headerLength = in.offset(wide);
    long program = in.at() + headerLength;
    minimumInstruction = in.u8();
    in.skip(version >= 4 ? 2 : 1);
    lineBase = (byte) in.u8();
    lineRange = in.u8();
    opcodeBase = in.u8();
    operands = new int[opcodeBase];
    for (int i = 1; i < opcodeBase; i++) {
      operands[i] = in.u8();
    }
    if (version >= 5) {
      newTables();
    } else {
      oldTables();
    }
    in.moveTo(program);
  }

  /** The instructions. */
  Cursor instructions() {
    return in;
  }

  void addFile(String name, long directory) {
    files.add(path(name, directory));
  }

  private void oldTables() {
    directories.add(unit.directory());
    for (String name = in.string(); !name.isEmpty(); name = in.string()) {
      directories.add(joined(unit.directory(), name));
    }
    files.add(joined(unit.directory(), unit.name()));
    for (String name = in.string(); !name.isEmpty(); name = in.string()) {
      addFile(name, in.uleb());
      in.skipLeb();
      in.skipLeb();
    }
  }

  private void newTables() {
    table((name, directory) -> directories.add(joined(unit.directory(), name)));
    table(this::addFile);
  }

  private interface Row {
    void add(String name, long directory);
  }

  private void table(Row row) {
    int formats = in.u8();
    int[] kinds = new int[formats];
    int[] forms = new int[formats];
    for (int i = 0; i < formats; i++) {
      kinds[i] = (int) in.uleb();
      forms[i] = (int) in.uleb();
    }
    long count = in.uleb();
    if (formats == 0 && count != 0) {
      throw new BadDebugInfo("a line table with files of no form");
    }
    for (long n = 0; n < count; n++) {
      String name = "";
      long directory = 0;
      for (int i = 0; i < formats; i++) {
        if (kinds[i] == PATH) {
          int form = forms[i];
          name = form == Form.STRING ? in.string() : unit.string(form, Form.value(form, in, shape));
        } else if (kinds[i] == DIRECTORY) {
          directory = Form.value(forms[i], in, shape);
        } else {
          Form.skip(forms[i], in, shape);
        }
      }
      row.add(name, directory);
    }
  }

  private String path(String name, long directory) {
    return directory >= 0 && directory < directories.size()
        ? joined(directories.get((int) directory), name)
        : name;
  }

  private static String joined(String directory, String name) {
    if (name.startsWith("/") || directory.isEmpty()) {
      return name;
    }
    return name.isEmpty() || name.equals(".") ? directory : directory + "/" + name;
  }

  /** The path of a file by its number, empty if there is none. */
  String file(int number) {
    return number >= 0 && number < files.size() ? files.get(number) : "";
  }
}
