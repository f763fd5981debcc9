package dev.perdure.llvm.toolchain;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Where the programs are.
 *
 * @param clang the compiler; C++ by {@code --driver-mode=g++}
 * @param linker {@code ld.lld}
 * @param archiver {@code llvm-ar}
 * @param ranlib {@code llvm-ranlib}
 * @param symbolLister {@code llvm-nm}
 * @param bundled the unpacked LLVM of the binding, whose libraries this process loads
 */
public record Toolchain(
    Path clang, Path linker, Path archiver, Path ranlib, Path symbolLister, BundledLlvm bundled) {

  /**
   * The toolchain to use, unpacking the bundled one the first time. The paths are noted in the
   * cache for the compiler scripts, which start no JVM.
   */
  public static Toolchain find(CacheDirectory cache) throws IOException {
    BundledLlvm bundled = BundledLlvm.unpackedIn(cache);
    Toolchain toolchain =
        SystemLlvm.find(bundled)
            .orElseGet(
                () ->
                    new Toolchain(
                        bundled.program("clang"),
                        bundled.program("ld.lld"),
                        bundled.program("llvm-ar"),
                        bundled.program("llvm-ranlib"),
                        bundled.program("llvm-nm"),
                        bundled));
    new ToolchainNote(cache).write(toolchain);
    return toolchain;
  }
}
