package dev.perdure.llvm.assembly;

import static java.util.Map.entry;

import java.util.Map;
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
                  + "cmpxchg xchg push pop stos movs cmps scas lods shl shr sar sal rol ror imul mul div idiv lea")
              .split(" "));
  private static final Map<String, Integer> PARTS_OF_VECTORS =
      Map.of("movd", 4, "movss", 4, "movsd", 8, "movlps", 8, "movhps", 8, "movlpd", 8, "movhpd", 8);
  private static final Map<String, Integer> OLD_UNITS =
      Map.ofEntries(
          entry("fsts", 4),
          entry("fstps", 4),
          entry("fstl", 8),
          entry("fstpl", 8),
          entry("fstpt", 10),
          entry("fists", 2),
          entry("fistps", 2),
          entry("fistl", 4),
          entry("fistpl", 4),
          entry("fistpq", 8),
          entry("fistpll", 8),
          entry("fisttps", 2),
          entry("fisttpl", 4),
          entry("fisttpll", 8),
          entry("fbstp", 10),
          entry("fstcw", 2),
          entry("fnstcw", 2),
          entry("fstsw", 2),
          entry("fnstsw", 2),
          entry("stmxcsr", 4),
          entry("vstmxcsr", 4),
          entry("fxsave", 512));
  private static final Set<String> READ_WRITE =
      Set.of(
          ("add sub and or xor inc dec neg not adc sbb xadd bts btr btc cmpxchg cmpxchg8b "
                  + "cmpxchg16b xchg shl shr sar sal rol ror")
              .split(" "));
  private static final Set<String> READ_ONLY =
      Set.of("cmp test bt push mul div idiv imul call jmp ldmxcsr fld fild".split(" "));
  private static final Set<String> WRITE_ONLY =
      Set.of("pop fst fstp fist fistp xsave xsavec xsaveopt".split(" "));
  private static final Set<String> NO_ACCESS =
      Set.of("lea nop cldemote monitor monitorx umonitor invlpg".split(" "));

  static Mnemonic of(String name) {
    if (name.equals("cmpxchg16b")) {
      return new Mnemonic(name, 16);
    }
    if (name.equals("cmpxchg8b")) {
      return new Mnemonic(name, 8);
    }
    String legacy = name.startsWith("v") ? name.substring(1) : name;
    if (PARTS_OF_VECTORS.containsKey(legacy)) {
      return new Mnemonic(name, PARTS_OF_VECTORS.get(legacy));
    }
    if (OLD_UNITS.containsKey(name)) {
      return new Mnemonic(name, OLD_UNITS.get(name));
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
    } else if (WRITE_ONLY.contains(base)
        || OLD_UNITS.containsKey(base)
        || isMove()
        || base.startsWith("set")) {
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

  /** Whether it leaves the operand in the destination's place as it is. */
  boolean onlyReads() {
    return READ_ONLY.contains(base) || isJump();
  }

  boolean isShortJump() {
    return base.startsWith("loop") || base.matches("j[er]?cxz");
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
