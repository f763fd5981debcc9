package dev.perdure.cli;

import dev.perdure.llvm.sites.Demangler;
import dev.perdure.llvm.toolchain.CacheDirectory;
import dev.perdure.llvm.toolchain.Toolchain;
import dev.perdure.model.code.Site;
import java.io.IOException;
import java.util.List;

/**
 * Readable C++ names for the sites of plain binaries. LLVM, whose demangler does it, is looked for
 * only when a name is mangled.
 */
final class ReadableNames {
  private ReadableNames() {}

  static List<Site> of(List<Site> sites) {
    boolean mangled =
        sites.stream()
            .flatMap(site -> site.frames().stream())
            .anyMatch(frame -> frame.function().startsWith("_Z"));
    if (!mangled) {
      return sites;
    }
    try {
      Toolchain toolchain = Toolchain.find(CacheDirectory.of(System.getenv()));
      return new Demangler(toolchain.bundled().program("llvm-cxxfilt")).demangled(sites);
    } catch (IOException e) {
      // The findings matter more than the look of their names, which stay as they are.
      return sites;
    }
  }
}
