package dev.perdure.llvm.toolchain;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An installed LLVM 19, as distributions lay it out. It is taken only if compiler, headers, linker
 * and archiver are all there: then sanitizers and other parts that the bundled one lacks work, too.
 */
final class SystemLlvm {
  private static final Path ROOT = Path.of("/usr/lib/llvm-19");

  private SystemLlvm() {}

  static Optional<Toolchain> find(BundledLlvm bundled) {
    Path bin = ROOT.resolve("bin");
    Toolchain toolchain =
        new Toolchain(
            bin.resolve("clang"),
            bin.resolve("ld.lld"),
            bin.resolve("llvm-ar"),
            bin.resolve("llvm-ranlib"),
            bin.resolve("llvm-nm"),
            bundled);
    boolean complete =
        Files.isExecutable(toolchain.clang())
            && Files.isExecutable(toolchain.linker())
            && Files.isExecutable(toolchain.archiver())
            && Files.isExecutable(toolchain.ranlib())
            && Files.isExecutable(toolchain.symbolLister())
            && Files.exists(ROOT.resolve("lib/clang/19/include/immintrin.h"));
    return complete ? Optional.of(toolchain) : Optional.empty();
  }
}
