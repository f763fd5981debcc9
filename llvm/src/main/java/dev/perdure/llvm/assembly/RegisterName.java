package dev.perdure.llvm.assembly;

import java.util.Optional;
import java.util.Set;

/** Names of registers: {@code al}, {@code ax}, {@code eax} and {@code rax} are one. */
final class RegisterName {
  private static final Set<String> LEGACY = Set.of("ax", "bx", "cx", "dx", "si", "di", "bp", "sp");

  private RegisterName() {}

  /** One name for all widths. */
  static String canonical(String name) {
    if (name.matches("r\\d+[bwd]?")) {
      return name.replaceFirst("[bwd]$", "");
    }
    if (name.length() == 3 && (name.startsWith("r") || name.startsWith("e"))) {
      return name.substring(1);
    }
    if (name.matches("[abcd][lh]")) {
      return name.charAt(0) + "x";
    }
    return name.matches("(si|di|bp|sp)l") ? name.substring(0, 2) : name;
  }

  /** The name of all 64 bits of the general register whose lowest bits these are. */
  static Optional<String> whole(String name) {
    String canonical = canonical(name);
    if (name.matches("[abcd]h")) {
      return Optional.empty();
    } else if (LEGACY.contains(canonical)) {
      return Optional.of("r" + canonical);
    }
    return Optional.of(canonical).filter(n -> n.matches("r\\d+"));
  }

  /** Bytes that the name says, or 0. */
  static int size(String name) {
    if (name.startsWith("xmm")) {
      return 16;
    } else if (name.startsWith("ymm")) {
      return 32;
    } else if (name.startsWith("zmm")) {
      return 64;
    } else if (name.matches("r\\d+")) {
      return 8;
    } else if (name.matches("r\\d+[bwd]")) {
      char width = name.charAt(name.length() - 1);
      return width == 'b' ? 1 : width == 'w' ? 2 : 4;
    } else if (LEGACY.contains(name)) {
      return 2;
    } else if (name.length() == 3 && LEGACY.contains(name.substring(1))) {
      return name.startsWith("r") ? 8 : 4;
    }
    return name.matches("[abcd][lh]|(si|di|bp|sp)l") ? 1 : 0;
  }
}
