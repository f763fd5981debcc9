package dev.perdure.llvm.toolchain;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * The LLVM of the Maven binding, unpacked as {@code bin} and {@code lib}: with that layout clang
 * finds its own headers and {@code ld.lld}, and every program its libraries. Only what Perdure uses
 * is unpacked. A folder appears under its final name when it is complete.
 */
public record BundledLlvm(Path root) {
  private static final String VERSION = "19.1.3-1.5.11";

  /** Counts changes of what is unpacked. */
  private static final String LAYOUT = "2";

  private static final String LLVM_PREFIX = "org/bytedeco/llvm/linux-x86_64/";
  private static final String JAVACPP_PREFIX = "org/bytedeco/javacpp/linux-x86_64/";
  private static final List<String> PROGRAMS =
      List.of("clang", "lld", "llvm-ar", "llvm-nm", "llvm-cxxfilt");

  /** In the order in which a process must load them. */
  private static final List<String> LOADED =
      List.of(
          "libjnijavacpp.so",
          "libLLVM.so.19.1",
          "libLTO.so.19.1",
          "libRemarks.so.19.1",
          "libjniLLVM.so");

  private static final Map<String, String> LINKS =
      Map.of("ld.lld", "lld", "clang++", "clang", "llvm-ranlib", "llvm-ar");

  /** The path of a program. */
  public Path program(String name) {
    return root.resolve("bin").resolve(name);
  }

  /** The shared libraries for this process, in loading order. */
  public List<Path> libraries() {
    return LOADED.stream().map(root.resolve("lib")::resolve).toList();
  }

  static BundledLlvm unpackedIn(CacheDirectory cache) throws IOException {
    Path root = cache.path().resolve("llvm-" + VERSION + "-" + LAYOUT);
    if (!Files.isDirectory(root)) {
      Files.createDirectories(cache.path());
      Path fresh = Files.createTempDirectory(cache.path(), "unpacking-llvm-");
      try {
        unpack(fresh);
        Files.move(fresh, root);
      } catch (FileSystemException e) {
        // Another process may have been faster: its folder is as good as ours.
        if (!Files.isDirectory(root)) {
          throw e;
        }
      } finally {
        delete(fresh);
      }
    }
    return new BundledLlvm(root);
  }

  private static void unpack(Path root) throws IOException {
    Path bin = Files.createDirectories(root.resolve("bin"));
    Path lib = Files.createDirectories(root.resolve("lib"));
    try (JarFile jar = jarWith(LLVM_PREFIX + "clang")) {
      for (String program : PROGRAMS) {
        copy(jar, LLVM_PREFIX + program, bin.resolve(program));
        bin.resolve(program).toFile().setExecutable(true);
      }
      copy(jar, LLVM_PREFIX + "libclang-cpp.so.19.1", lib.resolve("libclang-cpp.so.19.1"));
      for (String library : LOADED.subList(1, LOADED.size())) {
        copy(jar, LLVM_PREFIX + library, lib.resolve(library));
      }
      String headers = LLVM_PREFIX + "lib/clang/";
      for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
        if (entry.getName().startsWith(headers) && !entry.isDirectory()) {
          Path file = root.resolve(entry.getName().substring(LLVM_PREFIX.length()));
          Files.createDirectories(file.getParent());
          copy(jar, entry.getName(), file);
        }
      }
    }
    try (JarFile jar = jarWith(JAVACPP_PREFIX + LOADED.get(0))) {
      copy(jar, JAVACPP_PREFIX + LOADED.get(0), lib.resolve(LOADED.get(0)));
    }
    for (var link : LINKS.entrySet()) {
      Files.createSymbolicLink(bin.resolve(link.getKey()), Path.of(link.getValue()));
    }
  }

  private static JarFile jarWith(String entry) throws IOException {
    URL url = BundledLlvm.class.getClassLoader().getResource(entry);
    if (url == null || !(url.openConnection() instanceof JarURLConnection connection)) {
      throw new FileNotFoundException(
          "the LLVM binding for linux-x86_64 is not on the class path (" + entry + ")");
    }
    connection.setUseCaches(false);
    return connection.getJarFile();
  }

  private static void copy(JarFile jar, String entry, Path file) throws IOException {
    try (InputStream in = jar.getInputStream(jar.getJarEntry(entry))) {
      Files.copy(in, file);
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (var files = Files.walk(folder)) {
      files
          .sorted(Comparator.reverseOrder())
          .forEach(
              file -> {
                try {
                  Files.delete(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}
