package dev.perdure.testkit.litmus;

import com.fasterxml.jackson.databind.JsonNode;
import dev.perdure.binary.debug.ModuleSymbols;
import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.elf.ElfSymbol;
import dev.perdure.model.code.Frame;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Which lines of a litmus program a place of findings.json can be. */
interface Places {
  /** The lines; empty where no frame of the place lies in the program. */
  Set<Integer> lines(JsonNode place);

  /** Whether several lines can be meant, so that a rule may speak of a neighbour. */
  boolean ambiguous();

  /** How messages name it. */
  String text(JsonNode place);

  /** The place itself, then its stack. */
  static List<JsonNode> frames(JsonNode place) {
    List<JsonNode> frames = new ArrayList<>(List.of(place));
    place.path("stack").forEach(frames::add);
    return frames;
  }

  /**
   * By file and line: of the site itself, or of the nearest frame that lies in the program.
   *
   * @param base the name of the program's file
   */
  record ByLine(String base) implements Places {
    @Override
    public Set<Integer> lines(JsonNode place) {
      for (JsonNode frame : frames(place)) {
        if (fileName(frame).equals(base)) {
          return Set.of(frame.path("line").asInt());
        }
      }
      return Set.of();
    }

    @Override
    public boolean ambiguous() {
      return false;
    }

    @Override
    public String text(JsonNode place) {
      Set<Integer> lines = lines(place);
      return lines.isEmpty()
          ? fileName(place) + ":" + place.path("line").asInt()
          : base + ":" + lines.iterator().next();
    }

    private static String fileName(JsonNode frame) {
      String file = frame.path("file").asText("");
      return file.substring(file.lastIndexOf('/') + 1);
    }
  }

  /**
   * By the function whose code has the place, for programs without debug information: every line
   * with code in that function can be meant, inlined ones among them.
   */
  record ByFunction(Map<String, Set<Integer>> linesOfFunctions) implements Places {

    /** Reads the lines of every function from the same program with debug information. */
    static ByFunction of(Path described, String base) throws IOException, LitmusFormatException {
      ElfFile elf =
          ElfFile.read(described)
              .orElseThrow(() -> new LitmusFormatException("the compiler made no ELF file"));
      ModuleSymbols symbols = ModuleSymbols.open(described);
      List<ElfSymbol> functions = elf.symbols().stream().filter(ElfSymbol::function).toList();
      Map<String, String> names =
          ReadableNames.of(functions.stream().map(f -> plain(f.name())).distinct().toList());
      Map<String, Set<Integer>> lines = new HashMap<>();
      for (ElfSymbol function : functions) {
        for (long i = 0; i < function.size(); i++) {
          for (Frame frame : symbols.siteAt(function.address() + i).frames()) {
            if (frame.fileName().equals(base)) {
              lines
                  .computeIfAbsent(names.get(plain(function.name())), f -> new TreeSet<>())
                  .add(frame.line());
            }
          }
        }
      }
      return new ByFunction(lines);
    }

    @Override
    public Set<Integer> lines(JsonNode place) {
      for (JsonNode frame : frames(place)) {
        Set<Integer> lines = linesOfFunctions.get(plain(frame.path("function").asText("")));
        if (lines != null) {
          return lines;
        }
      }
      return Set.of();
    }

    @Override
    public boolean ambiguous() {
      return true;
    }

    @Override
    public String text(JsonNode place) {
      for (JsonNode frame : frames(place)) {
        String function = plain(frame.path("function").asText(""));
        if (linesOfFunctions.containsKey(function)) {
          return function;
        }
      }
      return place.path("function").asText("?");
    }

    /** Parts that compilers split off a function belong to it: {@code writer.part.0}. */
    private static String plain(String function) {
      int dot = function.indexOf('.');
      return dot > 0 ? function.substring(0, dot) : function;
    }
  }
}
