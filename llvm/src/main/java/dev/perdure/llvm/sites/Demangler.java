package dev.perdure.llvm.sites;

import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Turns mangled C++ names into readable ones, without parameters and return types. It asks {@code
 * llvm-cxxfilt} for all names at once, and not at all where nothing is mangled.
 */
public final class Demangler {
  private final Path program;

  public Demangler(Path program) {
    this.program = program;
  }

  /** The sites with readable names. */
  public List<Site> demangled(List<Site> sites) {
    Set<String> mangled = new LinkedHashSet<>();
    for (Site site : sites) {
      site.frames().stream()
          .map(Frame::function)
          .filter(Demangler::isMangled)
          .forEach(mangled::add);
    }
    Map<String, String> names = demangled(mangled);
    return names.isEmpty() ? sites : sites.stream().map(site -> renamed(site, names)).toList();
  }

  /** Mangled name to readable name, for those of the names that are mangled. */
  public Map<String, String> demangled(Collection<String> names) {
    List<String> mangled = names.stream().filter(Demangler::isMangled).distinct().toList();
    Map<String, String> result = new HashMap<>();
    if (mangled.isEmpty()) {
      return result;
    }
    List<String> readable = ask(mangled);
    for (int i = 0; i < mangled.size(); i++) {
      result.put(mangled.get(i), readable.get(i));
    }
    return result;
  }

  private List<String> ask(List<String> mangled) {
    try {
      Path input = Files.createTempFile("perdure-names", ".txt");
      try {
        Files.write(input, mangled);
        Process process =
            new ProcessBuilder(program.toString(), "--no-params")
                .redirectInput(input.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> lines =
            new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        if (lines.size() != mangled.size()) {
          throw new IOException(program + " gave " + lines.size() + " names for " + mangled.size());
        }
        return lines;
      } finally {
        Files.delete(input);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Site renamed(Site site, Map<String, String> names) {
    return new Site(
        site.frames().stream()
            .map(f -> f.named(names.getOrDefault(f.function(), f.function())))
            .toList());
  }

  private static boolean isMangled(String name) {
    return name.startsWith("_Z");
  }
}
