package dev.perdure.llvm.driver;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;

/** What an input of a link is, by its language, its name, or its first bytes. */
enum InputKind {
  /** To be compiled to bitcode first. */
  SOURCE,
  /** To be assembled to a native object first. */
  ASSEMBLY,
  BITCODE,
  ARCHIVE,
  /** Native objects, shared libraries, linker scripts: whatever only the linker reads. */
  NATIVE;

  private static final Set<String> SOURCES =
      Set.of("c", "i", "cc", "cp", "cxx", "cpp", "c++", "C", "CPP", "ii", "ll", "m", "mm");
  private static final Set<String> ASSEMBLIES = Set.of("s", "S", "sx", "asm");
  private static final int MAGIC_BYTES = 8;

  static InputKind of(Argument.Input input, Path workingDirectory) throws IOException {
    if (!input.language().equals("none")) {
      return input.language().startsWith("assembler") ? ASSEMBLY : SOURCE;
    }
    String name = input.path().substring(input.path().lastIndexOf('/') + 1);
    String extension = name.substring(name.lastIndexOf('.') + 1);
    if (input.path().equals("-") || name.contains(".") && SOURCES.contains(extension)) {
      return SOURCE;
    }
    if (name.contains(".") && ASSEMBLIES.contains(extension)) {
      return ASSEMBLY;
    }
    Path file = workingDirectory.resolve(input.path());
    return Files.isRegularFile(file) ? ofFile(file) : NATIVE;
  }

  static InputKind ofFile(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return ofBytes(in.readNBytes(MAGIC_BYTES));
    }
  }

  static InputKind ofBytes(byte[] magic) {
    if (starts(magic, 'B', 'C', 0xc0, 0xde) || starts(magic, 0xde, 0xc0, 0x17, 0x0b)) {
      return BITCODE;
    }
    String text = new String(magic, StandardCharsets.ISO_8859_1);
    return text.startsWith("!<arch>\n") || text.startsWith("!<thin>\n") ? ARCHIVE : NATIVE;
  }

  private static boolean starts(byte[] bytes, int... magic) {
    byte[] expected = new byte[magic.length];
    for (int i = 0; i < magic.length; i++) {
      expected[i] = (byte) magic[i];
    }
    return bytes.length >= magic.length
        && Arrays.equals(bytes, 0, magic.length, expected, 0, magic.length);
  }
}
