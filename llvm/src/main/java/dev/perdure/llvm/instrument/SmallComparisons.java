package dev.perdure.llvm.instrument;

import dev.perdure.llvm.ir.Attribute;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.ir.Value;
import java.util.OptionalLong;

/**
 * Calls of memcmp with a small constant length, which LLVM compiles to plain loads: the runtime
 * never sees such a call, so its two loads are announced here.
 */
final class SmallComparisons {
  private static final int LONGEST = 16;

  private final Hooks hooks;
  private final PmTests tests;
  private final PointerOrigin origin;

  SmallComparisons(Hooks hooks, PmTests tests, PointerOrigin origin) {
    this.hooks = hooks;
    this.tests = tests;
    this.origin = origin;
  }

  /** Whether the call is one, in a function that is optimised. */
  static boolean matches(Call call, Function callee, Function caller) {
    String name = callee.name();
    if (!name.equals("memcmp") && !name.equals("bcmp")
        || call.opcode() != Opcode.CALL
        || call.argumentCount() != 3
        || callee.hasBody()
        || caller.has(Attribute.OPTNONE)
        || caller.has(Attribute.NOBUILTIN)
        || call.has(Attribute.NOBUILTIN)) {
      return false;
    }
    OptionalLong length = call.argument(2).constantInteger();
    return length.isPresent() && length.getAsLong() > 0 && length.getAsLong() <= LONGEST;
  }

  /** Returns whether anything was inserted. */
  boolean instrument(Call call) {
    boolean inserted = false;
    hooks.after(call);
    for (int side = 0; side < 2; side++) {
      Value address = call.argument(side);
      if (origin.mayBePm(address)) {
        hooks.event("load_block", call, tests.of(address), address, call.argument(2));
        inserted = true;
      }
    }
    return inserted;
  }
}
