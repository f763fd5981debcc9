package dev.perdure.llvm.instrument;

import dev.perdure.llvm.ir.AtomicOrder;
import dev.perdure.llvm.ir.Builder;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Type;
import dev.perdure.llvm.ir.Value;
import java.util.Optional;

/**
 * Loads and stores. Ordinary ones are announced where the address may be PM; volatile ones also
 * where it is ordinary memory that others may see, because lock words are often volatile; atomic
 * ones wherever another thread may have the address.
 */
final class MemoryAccesses {
  private final Hooks hooks;
  private final PmTests tests;
  private final PointerOrigin origin;
  private final EventsAhead ahead;
  private final EventsBehind behind;

  MemoryAccesses(
      Hooks hooks, PmTests tests, PointerOrigin origin, EventsAhead ahead, EventsBehind behind) {
    this.hooks = hooks;
    this.tests = tests;
    this.origin = origin;
    this.ahead = ahead;
    this.behind = behind;
  }

  /** Returns whether anything was inserted. */
  boolean load(Instruction load) {
    Value address = load.address();
    if (!isOrdinary(address) || load.type().isScalableVector()) {
      return false;
    }
    AtomicOrder order = interThreadOrder(load);
    Type type = load.type();
    long size = hooks.module().storeSize(type);
    if (order != AtomicOrder.NOT_ATOMIC && isPair(type)) {
      if (origin.isThreadLocal(address)) {
        return false;
      }
      hooks.after(load);
      half("atomic_load", load, load, 0, order);
      half("atomic_load", load, load, Long.BYTES, AtomicOrder.RELAXED);
      return true;
    }
    if (!isNumber(type)) {
      if (!origin.mayBePm(address)) {
        return false;
      }
      hooks.after(load);
      hooks.event("load_block", load, tests.of(address), address, hooks.int64(size));
      return true;
    }
    if (order != AtomicOrder.NOT_ATOMIC) {
      if (origin.isThreadLocal(address)) {
        return false;
      }
      hooks.after(load);
      Value info = hooks.int32(AccessInfo.of(size, AccessInfo.order(order)));
      hooks.event("atomic_load", load, address, number(load), info);
      return true;
    }
    String hook =
        load.isVolatile() ? "volatile_load" : ahead.isFollowed(load) ? "load_followed" : "load";
    return plain(load, hook, address, load, size, true);
  }

  /** Returns whether anything was inserted. */
  boolean store(Instruction store) {
    Value address = store.address();
    Value value = store.stored();
    Type type = value.type();
    if (!isOrdinary(address) || type.isScalableVector()) {
      return false;
    }
    AtomicOrder order = interThreadOrder(store);
    long size = hooks.module().storeSize(type);
    boolean nonTemporal = store.isNonTemporal();
    if (order != AtomicOrder.NOT_ATOMIC && isPair(type)) {
      if (origin.isThreadLocal(address)) {
        return false;
      }
      hooks.before(store);
      half("atomic_store", store, value, Long.BYTES, AtomicOrder.RELAXED);
      half("atomic_store", store, value, 0, order);
      return true;
    }
    if (!isNumber(type)) {
      if (!origin.mayBePm(address)) {
        return false;
      }
      hooks.before(store);
      hooks.blockStore(store, tests.of(address), address, value, nonTemporal);
      return true;
    }
    if (order != AtomicOrder.NOT_ATOMIC) {
      if (origin.isThreadLocal(address)) {
        return false;
      }
      hooks.before(store);
      Value info = hooks.int32(AccessInfo.of(size, AccessInfo.order(order)));
      hooks.event("atomic_store", store, address, number(value), info);
      return true;
    }
    return plain(store, plainHook(store, nonTemporal), address, value, size, false);
  }

  /** An atomic access of sixteen bytes is one of each half; the lower one has its order. */
  private void half(String hook, Instruction access, Value value, int offset, AtomicOrder order) {
    Builder builder = hooks.builder();
    Value address = builder.offset(access.address(), hooks.int64(offset));
    Value bits = builder.bits64(builder.upper(value, offset * Byte.SIZE));
    Value info = hooks.int32(AccessInfo.of(Long.BYTES, AccessInfo.order(order)));
    hooks.event(hook, access, address, bits, info);
  }

  private boolean isPair(Type type) {
    return type.isInteger() && hooks.module().bits(type) == 2 * Long.SIZE;
  }

  private String plainHook(Instruction store, boolean nonTemporal) {
    if (nonTemporal) {
      return "store_nt";
    }
    return store.isVolatile()
        ? "volatile_store"
        : behind.isPreceded(store) ? "store_preceded" : "store";
  }

  private boolean plain(
      Instruction access, String hook, Value address, Value value, long size, boolean after) {
    boolean isVolatile = hook.startsWith("volatile");
    if (isVolatile ? origin.isThreadLocal(address) : !origin.mayBePm(address)) {
      return false;
    }
    if (after) {
      hooks.after(access);
    } else {
      hooks.before(access);
    }
    int order = access.isVolatile() ? AccessInfo.VOLATILE : AccessInfo.PLAIN;
    Value info = hooks.int32(AccessInfo.of(size, order));
    Value pm = origin.mayBePm(address) ? tests.of(address) : hooks.builder().integer(1, 0);
    hooks.event(hook, access, pm, address, number(value), info);
    return true;
  }

  /** Atomics against signal handlers of the same thread order nothing between threads. */
  private static AtomicOrder interThreadOrder(Instruction access) {
    AtomicOrder order = access.order();
    return order != AtomicOrder.NOT_ATOMIC && access.isSingleThread()
        ? AtomicOrder.NOT_ATOMIC
        : order;
  }

  private static boolean isOrdinary(Value address) {
    return address.type().isOrdinaryPointer();
  }

  /** Whether the bytes in memory are those of a 1, 2, 4 or 8 byte number. */
  boolean isNumber(Type type) {
    long bits = hooks.module().bits(type);
    boolean whole = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    if (type.isInteger()) {
      return whole || bits == 1;
    }
    return whole
        && (type.isPointer()
            || type.isPlainFloat()
            || type.isFixedVector() && !type.element().isPointer());
  }

  Value number(Value value) {
    return hooks.builder().bits64(value);
  }

  /** What a call passes as copies on the stack is read for that. */
  boolean copies(Call call) {
    boolean events = false;
    for (int i = 0; i < call.argumentCount(); i++) {
      Optional<Type> copied = call.copied(i);
      Value from = call.argument(i);
      if (copied.isPresent() && from.type().isOrdinaryPointer() && origin.mayBePm(from)) {
        hooks.before(call);
        Value size = hooks.int64(hooks.module().storeSize(copied.get()));
        hooks.event("load_block", call, tests.of(from), from, size);
        events = true;
      }
    }
    return events;
  }
}
