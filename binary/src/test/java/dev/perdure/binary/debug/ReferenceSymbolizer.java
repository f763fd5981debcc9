package dev.perdure.binary.debug;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** LLVM's own symbolizer, out of the same archive as the compiler. */
final class ReferenceSymbolizer {
  private static final String RESOURCE = "/org/bytedeco/llvm/linux-x86_64/llvm-symbolizer";

  private final Path program;

  ReferenceSymbolizer(Path folder) throws IOException {
    program = folder.resolve("llvm-symbolizer");
    try (InputStream in = ReferenceSymbolizer.class.getResourceAsStream(RESOURCE)) {
      Files.copy(in, program);
    }
    program.toFile().setExecutable(true);
  }

  /** One function of an inline chain; line 0 and file {@code ??} where they are not known. */
  record Place(String function, String file, int line) {}

  /** The inline chains of the addresses. */
  List<List<Place>> places(Path module, List<Long> addresses) throws Exception {
    Path input = program.resolveSibling("addresses");
    Files.write(input, addresses.stream().map(a -> "0x" + Long.toHexString(a)).toList());
    var builder =
        new ProcessBuilder(
            program.toString(), "--functions=short", "--no-demangle", "-e", module.toString());
    builder
        .environment()
        .put("LD_LIBRARY_PATH", BuiltProgram.TOOLCHAIN.bundled().root().resolve("lib").toString());
    Process process =
        builder
            .redirectInput(input.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    List<List<Place>> all = new ArrayList<>();
    for (String block : output.split("\n\n")) {
      String[] lines = block.split("\n");
      List<Place> chain = new ArrayList<>();
      for (int i = 0; i + 1 < lines.length; i += 2) {
        String[] parts = lines[i + 1].split(":");
        chain.add(new Place(lines[i], parts[0], Integer.parseInt(parts[1])));
      }
      all.add(chain);
    }
    return all;
  }
}
