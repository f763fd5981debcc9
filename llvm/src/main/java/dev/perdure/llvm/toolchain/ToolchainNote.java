package dev.perdure.llvm.toolchain;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The file {@code toolchain} in the cache: one {@code name=path} a line. The compiler scripts in
 * {@code bin} read it.
 */
record ToolchainNote(CacheDirectory cache) {

  void write(Toolchain toolchain) throws IOException {
    String text =
        "clang=%s%nlinker=%s%narchiver=%s%nranlib=%s%nnm=%s%n"
            .formatted(
                toolchain.clang(),
                toolchain.linker(),
                toolchain.archiver(),
                toolchain.ranlib(),
                toolchain.symbolLister());
    Path file = cache.path().resolve("toolchain");
    if (Files.exists(file) && Files.readString(file).equals(text)) {
      return;
    }
    Path fresh = Files.createTempFile(cache.path(), "toolchain", ".new");
    Files.writeString(fresh, text);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
