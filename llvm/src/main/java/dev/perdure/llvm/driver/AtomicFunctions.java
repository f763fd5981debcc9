package dev.perdure.llvm.driver;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Functions that stand for atomic accesses without an instruction of their own, such as those of 16
 * bytes. Which accesses these are depends on the compiler and its options, so a program that needs
 * no library with another compiler may need it with this one.
 */
final class AtomicFunctions {
  private static final Pattern NAME =
      Pattern.compile(
          "\\x00__atomic_(load|store|exchange|compare_exchange|is_lock_free"
              + "|(fetch_)?(add|sub|and|or|xor|nand)(_fetch)?)(_(1|2|4|8|16))?\\x00");

  private AtomicFunctions() {}

  /** What the link of the object needs for them: nothing where it names none. */
  static List<String> library(Path object) throws IOException {
    String bytes = new String(Files.readAllBytes(object), StandardCharsets.ISO_8859_1);
    return NAME.matcher(bytes).find()
        ? List.of("-Wl,--push-state,--as-needed", "-latomic", "-Wl,--pop-state")
        : List.of();
  }
}
