package dev.perdure.llvm.driver;

import dev.perdure.llvm.ir.Attribute;
import dev.perdure.llvm.ir.BitcodeModule;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * What it takes to build a program once more, with other instrumentation: its merged bitcode and
 * the arguments of the two steps behind the merge. It is kept in the program itself, in a section
 * that is not loaded. Inputs of the link that are no bitcode are named, not kept, but for those
 * that the first build made itself.
 *
 * @param bitcode the merged module
 * @param compileWords options for its compilation
 * @param linkWords arguments of the link, without the module, the runtime and the output
 * @param directory where relative paths in the arguments start
 */
record ProgramSource(
    Path bitcode, List<String> compileWords, List<String> linkWords, Path directory) {
  static final String SECTION = ".perdure.program";

  private static final String BITCODE = "merged.bc";
  private static final String COMPILE = "compile";
  private static final String LINK = "link";
  private static final String DIRECTORY = "directory";

  ProgramSource {
    compileWords = List.copyOf(compileWords);
    linkWords = List.copyOf(linkWords);
  }

  /**
   * The level of the command line; without one, that of the objects.
   *
   * @param otherwise the level for objects that were not compiled for debugging
   */
  String optimisation(BitcodeModule module, String otherwise) {
    return compileWords.stream()
        .filter(word -> word.startsWith("-O"))
        .reduce((first, second) -> second)
        .orElseGet(
            () ->
                module.functions().stream().anyMatch(f -> f.hasBody() && !f.has(Attribute.OPTNONE))
                    ? otherwise
                    : "-O0");
  }

  /** Another module in this one's place, and options more. */
  ProgramSource with(Path module, List<String> options) {
    List<String> words = new ArrayList<>(compileWords);
    words.addAll(options);
    return new ProgramSource(module, words, linkWords, directory);
  }

  /** Writes it as an archive, for the section. */
  Path write(Scratch scratch) throws IOException {
    Path file = scratch.file("program.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      add(zip, BITCODE, Files.readAllBytes(bitcode));
      add(zip, COMPILE, bytes(compileWords));
      List<String> words = new ArrayList<>();
      for (String word : linkWords) {
        if (word.startsWith(scratch.folder().toString())) {
          String name = "file" + words.size();
          add(zip, name, Files.readAllBytes(Path.of(word)));
          words.add("\0" + name);
        } else {
          words.add(word);
        }
      }
      add(zip, LINK, bytes(words));
      add(zip, DIRECTORY, directory.toString().getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }

  /** Reads what was written, and unpacks its files into a folder. */
  static ProgramSource read(InputStream section, Scratch scratch) throws IOException {
    List<String> compile = List.of();
    List<String> link = List.of();
    Path directory = Path.of("");
    try (ZipInputStream zip = new ZipInputStream(section)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        byte[] content = zip.readAllBytes();
        switch (entry.getName()) {
          case COMPILE -> compile = words(content);
          case LINK -> link = words(content);
          case DIRECTORY -> directory = Path.of(new String(content, StandardCharsets.UTF_8));
          default -> Files.write(scratch.file(entry.getName()), content);
        }
      }
    }
    List<String> unpacked =
        link.stream()
            .map(w -> w.startsWith("\0") ? scratch.file(w.substring(1)).toString() : w)
            .toList();
    return new ProgramSource(scratch.file(BITCODE), compile, unpacked, directory);
  }

  private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(content);
    zip.closeEntry();
  }

  private static byte[] bytes(List<String> words) {
    return String.join("\n", words).getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> words(byte[] content) {
    return content.length == 0
        ? List.of()
        : List.of(new String(content, StandardCharsets.UTF_8).split("\n", -1));
  }
}
