package dev.perdure.llvm.instrument;

import dev.perdure.llvm.ir.Builder;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Value;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stores of AVX-512 that make each lane narrower, under a mask: by cutting it, or by the nearest
 * number that has room.
 */
final class NarrowingStores {
  private static final Pattern NAME =
      Pattern.compile("llvm\\.x86\\.avx512\\.mask\\.pmov(s|us|)\\.[wdq]([bwd])\\.mem\\.\\d+");

  private final Hooks hooks;
  private final PointerOrigin origin;

  NarrowingStores(Hooks hooks, PointerOrigin origin) {
    this.hooks = hooks;
    this.origin = origin;
  }

  /** Returns whether anything was inserted. */
  boolean instrument(Call call, String name) {
    Matcher m = NAME.matcher(name);
    Value address = call.argument(0);
    if (!m.matches() || !origin.mayBePm(address)) {
      return false;
    }
    Builder builder = hooks.before(call);
    Value vector = call.argument(1);
    Value mask = call.argument(2);
    int maskBits = mask.type().numberBits();
    int bits = m.group(2).equals("b") ? 8 : m.group(2).equals("w") ? 16 : 32;
    Value info = hooks.int32(AccessInfo.of(bits / 8, AccessInfo.PLAIN));
    for (int i = 0; i < vector.type().lanes(); i++) {
      Value bit = builder.and(mask, builder.integer(maskBits, 1L << i));
      Value active = builder.notEqual(bit, builder.integer(maskBits, 0));
      Value number = near(builder.lane(vector, i), m.group(1), bits);
      Value value = builder.resize(builder.resize(number, bits), 64);
      Value place = builder.offset(address, hooks.int64((long) i * bits / 8));
      hooks.event("store_if", call, active, place, value, info);
    }
    return true;
  }

  /** The number, or the nearest one that so many bits hold, with a sign (s) or without (us). */
  private Value near(Value number, String how, int bits) {
    Builder builder = hooks.builder();
    int from = number.type().numberBits();
    if (how.isEmpty()) {
      return number;
    }
    boolean signed = how.equals("s");
    Value most = builder.integer(from, (1L << (signed ? bits - 1 : bits)) - 1);
    if (!signed) {
      return builder.select(builder.unsignedLess(most, number), most, number);
    }
    Value least = builder.integer(from, -(1L << bits - 1));
    Value atLeast = builder.select(builder.signedLess(number, least), least, number);
    return builder.select(builder.signedLess(most, atLeast), most, atLeast);
  }
}
