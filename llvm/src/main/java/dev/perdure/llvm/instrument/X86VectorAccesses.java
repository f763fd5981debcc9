package dev.perdure.llvm.instrument;

import dev.perdure.llvm.ir.Builder;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Type;
import dev.perdure.llvm.ir.Value;

/**
 * The x86 forms of masked loads and stores, gathers and scatters, as the intrinsic headers use
 * them: each lane is an access of its own, under the condition that its bit of the mask is set.
 */
final class X86VectorAccesses {
  private final Hooks hooks;
  private final PointerOrigin origin;

  X86VectorAccesses(Hooks hooks, PointerOrigin origin) {
    this.hooks = hooks;
    this.origin = origin;
  }

  /** Returns whether anything was inserted. */
  boolean instrument(Call call, String name) {
    if (name.contains(".maskload.")) {
      return lanes(call, call, new Lanes(call.argument(0), call.argument(1)), "load_if");
    } else if (name.contains(".maskstore.")) {
      Lanes lanes = new Lanes(call.argument(0), call.argument(1));
      return lanes(call, call.argument(2), lanes, "store_if");
    } else if (name.equals("llvm.x86.sse2.maskmov.dqu")) {
      Lanes lanes = new Lanes(call.argument(2), call.argument(1));
      return lanes(call, call.argument(0), lanes, "store_nt_if");
    } else if (name.contains(".gather")) {
      return scattered(call, call, 1, 2, 3, "load_if");
    } else if (name.contains(".scatter")) {
      return scattered(call, call.argument(3), 0, 2, 1, "store_if");
    }
    return false;
  }

  private record Lanes(Value address, Value mask) {}

  private boolean lanes(Call call, Value vector, Lanes lanes, String hook) {
    if (!origin.mayBePm(lanes.address())) {
      return false;
    }
    Builder builder = place(call, hook);
    Type type = vector.type();
    long size = hooks.module().storeSize(type.element());
    for (int i = 0; i < type.lanes(); i++) {
      Value address = builder.offset(lanes.address(), hooks.int64(i * size));
      lane(call, hook, builder.lane(lanes.mask(), i), address, builder.lane(vector, i));
    }
    return true;
  }

  private boolean scattered(
      Call call, Value vector, int baseAt, int indexAt, int maskAt, String hook) {
    Value base = call.argument(baseAt);
    Value mask = call.argument(maskAt);
    Value indices = call.argument(indexAt);
    boolean indicesAreAddresses = base.isNullOrUndefined();
    if (!indicesAreAddresses && !origin.mayBePm(base) || !mask.type().isFixedVector()) {
      return false;
    }
    Builder builder = place(call, hook);
    long scale = call.argument(call.argumentCount() - 1).constantInteger().orElse(1);
    int count = Math.min(vector.type().lanes(), indices.type().lanes());
    for (int i = 0; i < count; i++) {
      Value index = builder.signExtended(builder.lane(indices, i), 64);
      Value address = builder.offset(base, builder.multiply(index, hooks.int64(scale)));
      lane(call, hook, builder.lane(mask, i), address, builder.lane(vector, i));
    }
    return true;
  }

  private Builder place(Call call, String hook) {
    return hook.startsWith("load") ? hooks.after(call) : hooks.before(call);
  }

  private void lane(Call call, String hook, Value maskLane, Value address, Value value) {
    Builder builder = hooks.builder();
    Value active = maskLane;
    if (hooks.module().bits(maskLane.type()) != 1) {
      Value number = builder.asInteger(maskLane);
      active = builder.signedLess(number, builder.integer(number.type().numberBits(), 0));
    }
    long size = hooks.module().storeSize(value.type());
    Value info = hooks.int32(AccessInfo.of(size, AccessInfo.PLAIN));
    hooks.event(hook, call, active, address, builder.bits64(value), info);
  }
}
