package dev.perdure.llvm.instrument;

import dev.perdure.llvm.ir.Builder;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.ir.Type;
import dev.perdure.llvm.ir.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Calls of the functions that the configuration names: acquisitions and allocations are announced
 * after the call, everything else before it.
 */
final class NamedCalls {
  private final Hooks hooks;
  private final Map<String, Consumer<Call>> actions = new HashMap<>();
  private final Map<String, String> readableNames;

  /**
   * @param readableNames mangled names of the module with their demangled forms
   */
  NamedCalls(NamedFunctions named, Hooks hooks, Map<String, String> readableNames) {
    this.hooks = hooks;
    this.readableNames = readableNames;
    named.acquires().forEach(f -> actions.put(f.name(), call -> acquire(call, f)));
    named.releases().forEach(f -> actions.put(f.name(), call -> release(call, f)));
    named.allocations().forEach(f -> actions.put(f.name(), call -> allocate(call, f)));
    named.frees().forEach(f -> actions.put(f.name(), call -> free(call, f)));
    named.flushes().forEach(f -> actions.put(f.name(), call -> range(call, "named_flush", f)));
    named.persists().forEach(f -> actions.put(f.name(), call -> range(call, "named_persist", f)));
    named.fences().forEach(f -> actions.put(f, this::fence));
  }

  /** Returns whether the function is named. */
  boolean instrument(Call call, String callee) {
    if (actions.isEmpty()) {
      return false;
    }
    Consumer<Call> action = actions.get(callee);
    if (action == null) {
      action = actions.get(readableNames.getOrDefault(callee, callee));
    }
    if (action == null) {
      return false;
    }
    action.accept(call);
    return true;
  }

  private void acquire(Call call, NamedFunctions.Lock lock) {
    if (!hasArgument(call, lock.lockArgument()) || !hasPlaceAfter(call)) {
      return;
    }
    Builder builder = afterReturn(call);
    int flags = lock.shared() ? AccessInfo.LOCK_SHARED : 0;
    Value success = builder.integer(1, 1);
    if (lock.success().isPresent()) {
      flags |= AccessInfo.LOCK_TRY;
      NamedFunctions.Success how = lock.success().get();
      if (how instanceof NamedFunctions.Success.Result result && call.type().isInteger()) {
        Value expected = builder.integer(call.type().numberBits(), result.value());
        success = builder.equal(call, expected);
      } else if (how instanceof NamedFunctions.Success.OutArgument out
          && hasArgument(call, out.argument())) {
        Type bool = hooks.module().integerType(8);
        Value flag = builder.load(bool, builder.asPointer(call.argument(out.argument())));
        success = builder.notEqual(flag, builder.integer(8, 0));
      }
    }
    Value address = builder.asPointer(call.argument(lock.lockArgument()));
    hooks.event("named_acquire", call, success, address, hooks.int32(flags));
  }

  private void release(Call call, NamedFunctions.Lock lock) {
    if (hasArgument(call, lock.lockArgument())) {
      Builder builder = hooks.before(call);
      int flags = lock.shared() ? AccessInfo.LOCK_SHARED : 0;
      Value address = builder.asPointer(call.argument(lock.lockArgument()));
      hooks.event("named_release", call, address, hooks.int32(flags));
    }
  }

  private void allocate(Call call, NamedFunctions.Allocation allocation) {
    boolean byResult = allocation.addressArgument().isEmpty();
    if (!hasPlaceAfter(call)
        || !hasArgument(call, allocation.sizeArgument())
        || byResult && !call.type().isPointer()
        || !byResult && !hasArgument(call, allocation.addressArgument().get())) {
      return;
    }
    Builder builder = afterReturn(call);
    Value address =
        byResult
            ? call
            : builder.load(
                hooks.module().pointerType(), call.argument(allocation.addressArgument().get()));
    Value size = builder.bits64(call.argument(allocation.sizeArgument()));
    Value zeroed = hooks.int32(allocation.zeroed() ? 1 : 0);
    hooks.event("named_alloc", call, address, size, zeroed);
  }

  private void free(Call call, NamedFunctions.Release release) {
    if (hasArgument(call, release.addressArgument())) {
      Builder builder = hooks.before(call);
      hooks.event("named_free", call, builder.asPointer(call.argument(release.addressArgument())));
    }
  }

  private void range(Call call, String hook, NamedFunctions.Range range) {
    if (hasArgument(call, range.addressArgument()) && hasArgument(call, range.lengthArgument())) {
      Builder builder = hooks.before(call);
      Value address = builder.asPointer(call.argument(range.addressArgument()));
      Value length = builder.bits64(call.argument(range.lengthArgument()));
      hooks.event(hook, call, address, length);
    }
  }

  private void fence(Call call) {
    hooks.before(call);
    hooks.event("named_fence", call);
  }

  private static boolean hasArgument(Call call, int index) {
    return index < call.argumentCount();
  }

  /** A block that other blocks lead to as well is no place for what follows this call only. */
  private static boolean hasPlaceAfter(Call call) {
    return call.opcode() == Opcode.CALL
        ? !call.isMustTail()
        : call.opcode() == Opcode.INVOKE && call.normalDestination().hasSinglePredecessor();
  }

  private Builder afterReturn(Call call) {
    if (call.opcode() == Opcode.INVOKE) {
      Instruction place = call.normalDestination().firstInsertionPoint();
      return hooks.before(place);
    }
    return hooks.after(call);
  }
}
