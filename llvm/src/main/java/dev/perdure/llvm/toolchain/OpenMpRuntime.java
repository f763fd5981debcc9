package dev.perdure.llvm.toolchain;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * LLVM's runtime for {@code -fopenmp}, which the bundled LLVM comes without. One that the system
 * has is linked into the compiler's own folders: there clang looks for it by itself.
 *
 * @param compiler the root of the compiler that needs it
 * @param system the folders in which systems keep their libraries
 */
public record OpenMpRuntime(Path compiler, List<Path> system) {
  private static final String LIBRARY = "libomp.so";
  private static final String HEADER = "omp.h";

  /** The runtime for this toolchain. */
  public static OpenMpRuntime of(Toolchain toolchain) throws IOException {
    List<Path> folders = new ArrayList<>(children(Path.of("/usr/lib"), "llvm-*", "lib"));
    for (String folder : List.of("/usr/lib64", "/usr/lib", "/usr/local/lib")) {
      folders.add(Path.of(folder));
    }
    return new OpenMpRuntime(toolchain.clang().getParent().getParent(), folders);
  }

  /** Whether a folder that the user names holds it. */
  public static boolean isIn(Path folder) {
    return Files.exists(folder.resolve(LIBRARY));
  }

  /** Whether it is there, or could be linked from the system. */
  public boolean provide() throws IOException {
    Path libraries = compiler.resolve("lib");
    List<Path> headers = children(libraries.resolve("clang"), "*", "include");
    if (headers.isEmpty()) {
      return false;
    }
    Path library = libraries.resolve(LIBRARY);
    Path header = headers.get(0).resolve(HEADER);
    if (Files.exists(library) && Files.exists(header)) {
      return true;
    }
    for (Path folder : system) {
      Optional<Path> found = headerBeside(folder);
      if (isIn(folder) && found.isPresent() && Files.isWritable(libraries)) {
        link(library, folder.resolve(LIBRARY));
        link(header, found.get());
        return true;
      }
    }
    return false;
  }

  /** Not that of gcc, whose locks have another size. */
  private static Optional<Path> headerBeside(Path folder) throws IOException {
    List<Path> places = new ArrayList<>(children(folder.resolve("clang"), "*", "include"));
    places.addAll(children(Path.of("/usr/lib/clang"), "*", "include"));
    places.add(folder.resolveSibling("include"));
    return places.stream().map(p -> p.resolve(HEADER)).filter(Files::exists).findFirst();
  }

  private static void link(Path link, Path target) throws IOException {
    if (Files.isSymbolicLink(link) && !Files.exists(link)) {
      Files.deleteIfExists(link);
    }
    try {
      Files.createSymbolicLink(link, target);
    } catch (FileAlreadyExistsException e) {
      // Another compiler was faster, and found the same.
      if (!Files.exists(link)) {
        throw e;
      }
    }
  }

  /** The newest version first. */
  private static List<Path> children(Path folder, String names, String below) throws IOException {
    List<Path> children = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (var entries = Files.newDirectoryStream(folder, names)) {
        entries.forEach(entry -> children.add(entry.resolve(below)));
      }
    }
    children.removeIf(child -> !Files.isDirectory(child));
    children.sort(Comparator.comparingInt(OpenMpRuntime::version).reversed());
    return children;
  }

  private static int version(Path child) {
    String digits = child.getParent().getFileName().toString().replaceAll("\\D*(\\d*).*", "$1");
    return digits.isEmpty() ? 0 : Integer.parseInt(digits);
  }
}
