package dev.perdure.llvm.labels;

import dev.perdure.llvm.assembly.Address;
import dev.perdure.llvm.assembly.AssemblyEffects;
import dev.perdure.llvm.assembly.Effect;
import dev.perdure.llvm.instrument.Hooks;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.ir.Value;
import java.util.Optional;

/**
 * Labels through asm statements: what a statement loads and the values that it is given flow into
 * its results and into what it stores.
 */
final class AssemblyLabels {
  private final Hooks hooks;
  private final ValueLabels labels;

  AssemblyLabels(Hooks hooks, ValueLabels labels) {
    this.hooks = hooks;
    this.labels = labels;
  }

  void visit(Call call) {
    AssemblyEffects assembly =
        AssemblyEffects.of(call.assemblyText(), call.assemblyConstraints(), call.isIntelAssembly());
    hooks.before(call);
    Value label = labels.none();
    for (int i = 0; i < call.argumentCount(); i++) {
      if (!call.argument(i).type().isPointer() || call.elementType(i).isEmpty()) {
        label = labels.union(label, labels.of(call.argument(i)));
      }
    }
    for (Effect effect : assembly.effects()) {
      if (effect instanceof Effect.LockedRmw rmw) {
        label = labels.union(label, loaded(call, rmw.address(), rmw.size()));
      } else if (effect instanceof Effect.Load load) {
        label = labels.union(label, loaded(call, load.address(), load.size()));
      }
    }
    for (Effect effect : assembly.effects()) {
      if (effect instanceof Effect.LockedRmw rmw) {
        stored(call, rmw.address(), rmw.size(), label);
      } else if (effect instanceof Effect.Store store) {
        stored(call, store.address(), store.size(), label);
      }
    }
    if (call.type().isData()) {
      labels.set(call, label);
    }
  }

  private Value loaded(Call call, Address place, int size) {
    return base(call, place)
        .map(a -> (Value) hooks.event("label_load", call, a, size(call, place, size), labels.of(a)))
        .orElse(labels.none());
  }

  private void stored(Call call, Address place, int size, Value content) {
    Optional<Value> address = base(call, place);
    if (address.isEmpty()) {
      return;
    }
    Value a = address.get();
    hooks.before(call);
    hooks.event("label_store", call, a, size(call, place, size), content, labels.of(a));
    if (call.opcode() == Opcode.CALL) {
      hooks.after(call);
      hooks.event("label_stored", call, a);
      hooks.before(call);
    }
  }

  /** The address, where it is an operand as it stands. */
  private static Optional<Value> base(Call call, Address place) {
    if (place instanceof Address.MemoryOperand operand) {
      return Optional.of(call.argument(operand.argument()));
    }
    if (place instanceof Address.Computed computed
        && computed.scale() == 0
        && computed.displacement() == 0) {
      return Optional.of(call.argument(computed.base())).filter(a -> a.type().isOrdinaryPointer());
    }
    return Optional.empty();
  }

  private Value size(Call call, Address place, int said) {
    long size =
        said != 0 || !(place instanceof Address.MemoryOperand operand)
            ? said
            : call.elementType(operand.argument()).map(hooks.module()::storeSize).orElse(0L);
    return hooks.int64(size == 0 ? Long.BYTES : size);
  }
}
