package dev.perdure.testkit.oracle;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.elf.ElfSymbol;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The functions of PM libraries that Perdure records as a whole, when they are called through the
 * linkage table: flushes, fences, copies and locks.
 */
final class QuietFunctions {
  private static final Pattern NAME =
      Pattern.compile(
          "pmem2?_.*|pmemobj_(mutex|rwlock|cond)_.*"
              + "|pmemobj_(x?persist|x?flush|drain|mem(cpy|move|set)(_persist)?)");
  private static final Pattern LIBRARY = Pattern.compile("=> (/\\S+libpmem\\S*)");

  private QuietFunctions() {}

  /** Writes the list for the plugin: the file of each, and its address there. */
  static void write(Path program, Path list) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path library : libraries(program)) {
      for (ElfSymbol symbol : ElfFile.read(library).orElseThrow().symbols()) {
        if (symbol.function() && NAME.matcher(symbol.name()).matches()) {
          lines.add(library + " " + Long.toHexString(symbol.address()));
        }
      }
    }
    Files.write(list, lines);
  }

  private static List<Path> libraries(Path program) throws IOException {
    Process process =
        new ProcessBuilder("ldd", program.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    List<Path> libraries = new ArrayList<>();
    Matcher library = LIBRARY.matcher(said);
    while (library.find()) {
      libraries.add(Path.of(library.group(1)).toRealPath());
    }
    return libraries;
  }
}
