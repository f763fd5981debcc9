package dev.perdure.llvm.instrument;

import dev.perdure.llvm.ir.Builder;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Type;
import dev.perdure.llvm.ir.Value;

/**
 * Masked vector loads and stores, gathers and scatters: each lane is an access of its own, under
 * the condition that its bit of the mask is set.
 */
final class MaskedAccesses {
  private final Hooks hooks;
  private final PointerOrigin origin;

  MaskedAccesses(Hooks hooks, PointerOrigin origin) {
    this.hooks = hooks;
    this.origin = origin;
  }

  /** Returns whether anything was inserted. */
  boolean instrument(Call call, String name) {
    String form = name.split("\\.")[2];
    return switch (form) {
      case "load" -> lanes(call, call, call.argument(0), call.argument(2), false);
      case "gather" -> lanes(call, call, call.argument(0), call.argument(2), false);
      case "store", "scatter" ->
          lanes(call, call.argument(0), call.argument(1), call.argument(3), true);
      case "expandload" -> packed(call, call, call.argument(0), call.argument(1), false);
      case "compressstore" ->
          packed(call, call.argument(0), call.argument(1), call.argument(2), true);
      default -> false;
    };
  }

  private boolean lanes(Call call, Value vector, Value address, Value mask, boolean store) {
    Type type = vector.type();
    boolean scattered = !address.type().isPointer();
    if (!type.isFixedVector() || !scattered && !origin.mayBePm(address)) {
      return false;
    }
    Builder builder = store ? hooks.before(call) : hooks.after(call);
    long size = hooks.module().storeSize(type.element());
    for (int i = 0; i < type.lanes(); i++) {
      Value place =
          scattered
              ? builder.lane(address, i)
              : builder.offset(address, builder.integer(64, i * size));
      lane(call, builder.lane(mask, i), place, builder.lane(vector, i), store);
    }
    return true;
  }

  /** Active lanes lie side by side in memory. */
  private boolean packed(Call call, Value vector, Value address, Value mask, boolean store) {
    Type type = vector.type();
    if (!type.isFixedVector() || !origin.mayBePm(address)) {
      return false;
    }
    Builder builder = store ? hooks.before(call) : hooks.after(call);
    Value size = builder.integer(64, hooks.module().storeSize(type.element()));
    Value place = address;
    for (int i = 0; i < type.lanes(); i++) {
      Value active = builder.lane(mask, i);
      lane(call, active, place, builder.lane(vector, i), store);
      place = builder.offset(place, builder.select(active, size, builder.integer(64, 0)));
    }
    return true;
  }

  private void lane(Call call, Value active, Value address, Value value, boolean store) {
    long size = hooks.module().storeSize(value.type());
    Value info = hooks.int32(AccessInfo.of(size, AccessInfo.PLAIN));
    String hook = !store ? "load_if" : call.isNonTemporal() ? "store_nt_if" : "store_if";
    hooks.event(hook, call, active, address, hooks.builder().bits64(value), info);
  }
}
