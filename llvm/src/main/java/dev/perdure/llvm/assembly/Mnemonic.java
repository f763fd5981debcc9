package dev.perdure.llvm.assembly;

import java.util.Set;

/**
 * What is known of an instruction by its name.
 *
 * @param base without the size suffix of AT&amp;T syntax
 * @param size what the suffix says, or 0
 */
record Mnemonic(String base, int size) {

  /** What an instruction does with a memory operand. */
  enum Access {
    NONE,
    READ,
    WRITE,
    READ_WRITE,
    UNKNOWN
  }

  private static final Set<String> SUFFIXED =
      Set.of(
          ("mov movnti add sub and or xor inc dec neg not adc sbb xadd bts btr btc bt cmp test "
                  + "cmpxchg xchg push pop stos movs shl shr sar sal rol ror imul mul div idiv lea")
              .split(" "));
  private static final Set<String> READ_WRITE =
      Set.of(
          ("add sub and or xor inc dec neg not adc sbb xadd bts btr btc cmpxchg cmpxchg8b "
                  + "cmpxchg16b xchg shl shr sar sal rol ror")
              .split(" "));
  private static final Set<String> READ_ONLY =
      Set.of("cmp test bt push mul div idiv imul call jmp ldmxcsr fld fild".split(" "));
  private static final Set<String> WRITE_ONLY =
      Set.of("pop stmxcsr fst fstp fist fistp fxsave xsave xsavec xsaveopt".split(" "));
  private static final Set<String> NO_ACCESS =
      Set.of("lea nop cldemote monitor monitorx umonitor invlpg".split(" "));

  static Mnemonic of(String name) {
    if (name.equals("cmpxchg16b")) {
      return new Mnemonic(name, 16);
    }
    if (name.equals("cmpxchg8b")) {
      return new Mnemonic(name, 8);
    }
    if (!SUFFIXED.contains(name) && name.length() > 1) {
      String base = name.substring(0, name.length() - 1);
      int size = "bwlq".indexOf(name.charAt(name.length() - 1));
      if (size >= 0 && SUFFIXED.contains(base)) {
        return new Mnemonic(base, 1 << size);
      }
    }
    return new Mnemonic(name, 0);
  }

  /** What it does with a memory operand in the destination's place. */
  Access destination() {
    if (NO_ACCESS.contains(base) || base.startsWith("prefetch")) {
      return Access.NONE;
    } else if (READ_WRITE.contains(base)) {
      return Access.READ_WRITE;
    } else if (READ_ONLY.contains(base)) {
      return Access.READ;
    } else if (WRITE_ONLY.contains(base) || isMove() || base.startsWith("set")) {
      return Access.WRITE;
    }
    return Access.UNKNOWN;
  }

  /** What it does with a memory operand in a source's place. */
  Access source() {
    return destination() == Access.NONE ? Access.NONE : Access.READ;
  }

  boolean isMove() {
    return base.startsWith("mov") || base.startsWith("vmov");
  }

  boolean isNonTemporalMove() {
    return (base.startsWith("movnt") || base.startsWith("vmovnt")) && !base.endsWith("ntdqa")
        || base.startsWith("movdir");
  }

  boolean isJump() {
    return base.startsWith("j") || base.startsWith("loop");
  }

  Effect.RmwKind rmwKind() {
    return base.equals("xchg")
        ? Effect.RmwKind.EXCHANGE
        : base.startsWith("cmpxchg") ? Effect.RmwKind.COMPARE_EXCHANGE : Effect.RmwKind.OTHER;
  }
}
