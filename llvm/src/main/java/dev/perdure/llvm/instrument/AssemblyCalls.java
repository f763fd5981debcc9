package dev.perdure.llvm.instrument;

import dev.perdure.llvm.assembly.Address;
import dev.perdure.llvm.assembly.AssemblyEffects;
import dev.perdure.llvm.assembly.Effect;
import dev.perdure.llvm.assembly.Source;
import dev.perdure.llvm.ir.Builder;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.ir.Type;
import dev.perdure.llvm.ir.Value;
import java.util.Optional;

/**
 * Inline assembly. Most statements are told of from outside: flushes, fences and stores of known
 * values are announced before them, in their order. Loads, and stores whose value only the
 * statement itself knows, are announced right behind it with what the memory then holds; another
 * thread may have written there in between, and then that value is told. The others: {@link
 * AssemblyTexts}.
 */
final class AssemblyCalls {
  private final Hooks hooks;
  private final PointerOrigin origin;
  private final EventsBehind behind;
  private final AssemblyTexts texts;

  AssemblyCalls(Hooks hooks, PointerOrigin origin, EventsBehind behind) {
    this.hooks = hooks;
    this.texts = new AssemblyTexts(hooks);
    this.origin = origin;
    this.behind = behind;
  }

  /** Returns whether anything was inserted. */
  boolean instrument(Call call) {
    AssemblyEffects assembly =
        AssemblyEffects.of(call.assemblyText(), call.assemblyConstraints(), call.isIntelAssembly());
    if (texts.observeWhereNeeded(call)) {
      return true;
    }
    if (assembly.effects().isEmpty()) {
      return false;
    }
    // A loop may wait for another thread's change of the word, which the bracket would hold off.
    boolean bracket = call.opcode() == Opcode.CALL && !assembly.jumps();
    for (Effect effect : assembly.effects()) {
      hooks.before(call);
      before(call, effect, bracket);
      bracket &= !(effect instanceof Effect.LockedRmw);
    }
    if (call.opcode() == Opcode.CALL) {
      after(call, assembly);
    }
    return true;
  }

  private void before(Call call, Effect effect, boolean bracket) {
    if (effect instanceof Effect.StoreFence) {
      hooks.event("fence", call, hooks.int32(AccessInfo.FENCE_SFENCE));
    } else if (effect instanceof Effect.FullFence) {
      hooks.event("fence", call, hooks.int32(AccessInfo.FENCE_MFENCE));
    } else if (effect instanceof Effect.Flush flush) {
      pmAddress(call, flush.address())
          .ifPresent(
              address ->
                  hooks.event(behind.flushHook(call), call, address, hooks.int32(number(flush))));
    } else if (effect instanceof Effect.LockedRmw rmw) {
      Optional<Value> address = sharedAddress(call, rmw.address());
      if (address.isPresent() && bracket) {
        hooks.event("rmw_begin", call, address.get(), info(call, rmw));
      } else {
        hooks.event("fence", call, hooks.int32(AccessInfo.FENCE_LOCKED));
      }
    } else if (effect instanceof Effect.Store store && !isUnknown(call, store)) {
      storeOfKnownValue(call, store);
    }
  }

  private void after(Call call, AssemblyEffects assembly) {
    hooks.after(call);
    boolean first = true;
    for (Effect effect : assembly.effects()) {
      if (effect instanceof Effect.LockedRmw rmw && first) {
        first = false;
        endOfRmw(call, rmw, assembly.jumps());
      } else if (effect instanceof Effect.Load load) {
        access(call, load.address(), size(call, load.address(), load.size()), "load");
      } else if (effect instanceof Effect.Store store && isUnknown(call, store)) {
        String hook = store.nonTemporal() ? "store_nt" : "store";
        access(call, store.address(), size(call, store.address(), store.size()), hook);
      } else if (effect instanceof Effect.Copy copy) {
        Value length = length(call, copy.count(), copy.size());
        block(call, copy.from(), length, "load_block");
        block(call, copy.to(), length, "store_block");
      } else if (effect instanceof Effect.Fill fill) {
        block(call, fill.to(), length(call, fill.count(), fill.size()), "store_block");
      }
    }
  }

  private void endOfRmw(Call call, Effect.LockedRmw rmw, boolean jumps) {
    Optional<Value> address = sharedAddress(call, rmw.address());
    if (address.isEmpty()) {
      return;
    }
    if (jumps) {
      hooks.event("rmw_begin", call, address.get(), info(call, rmw));
    }
    hooks.event("rmw_end_unknown", call, address.get(), hooks.int32(number(rmw)), info(call, rmw));
  }

  private void storeOfKnownValue(Call call, Effect.Store store) {
    Optional<Value> address = sharedAddress(call, store.address());
    if (address.isEmpty()) {
      return;
    }
    Builder builder = hooks.builder();
    Value pm = hooks.call("is_pm", address.get());
    if (store.source() instanceof Source.Argument argument) {
      Value value = call.argument(argument.argument());
      long size = store.size() != 0 ? store.size() : hooks.module().storeSize(value.type());
      if (!isNumberSize(size)) {
        hooks.blockStore(call, pm, address.get(), value, store.nonTemporal());
        return;
      }
      Value bits = builder.resize(builder.bits64(value), (int) size * 8);
      store(call, pm, address.get(), bits, size, store.nonTemporal());
    } else if (store.source() instanceof Source.Constant constant) {
      long size = size(call, store.address(), store.size());
      Value bits = builder.integer((int) size * 8, constant.value());
      store(call, pm, address.get(), bits, size, store.nonTemporal());
    }
  }

  private void store(
      Call call, Value pm, Value address, Value bits, long size, boolean nonTemporal) {
    Value value = hooks.builder().resize(bits, 64);
    int order = nonTemporal ? AccessInfo.PLAIN : AccessInfo.VOLATILE;
    String hook = nonTemporal ? "store_nt" : "volatile_store";
    hooks.event(hook, call, pm, address, value, hooks.int32(AccessInfo.of(size, order)));
  }

  /** An access whose value is what the memory holds now. */
  private void access(Call call, Address place, long size, String kind) {
    Optional<Value> address = sharedAddress(call, place);
    if (address.isEmpty()) {
      return;
    }
    if (!isNumberSize(size)) {
      String hook = kind.equals("load") ? "load_block" : "store_block";
      block(call, place, hooks.int64(size), hook);
      return;
    }
    Builder builder = hooks.builder();
    Type type = hooks.module().integerType((int) size * 8);
    Value value = builder.bits64(builder.load(type, address.get()));
    Value pm = hooks.call("is_pm", address.get());
    boolean nonTemporal = kind.equals("store_nt");
    int order = nonTemporal ? AccessInfo.PLAIN : AccessInfo.VOLATILE;
    Value info = hooks.int32(AccessInfo.of(size, order));
    String hook = nonTemporal ? kind : "volatile_" + kind;
    hooks.event(hook, call, pm, address.get(), value, info);
  }

  private void block(Call call, Address place, Value length, String hook) {
    Optional<Value> address = pmAddress(call, place);
    if (address.isEmpty()) {
      return;
    }
    Value pm = hooks.call("is_pm", address.get());
    if (hook.equals("load_block")) {
      hooks.event(hook, call, pm, address.get(), length);
    } else {
      hooks.event(hook, call, pm, address.get(), address.get(), length, hooks.int32(0));
    }
  }

  private Value length(Call call, int countArgument, int size) {
    Builder builder = hooks.builder();
    Value count = builder.bits64(call.argument(countArgument));
    return builder.multiply(count, hooks.int64(size));
  }

  private boolean isUnknown(Call call, Effect.Store store) {
    if (store.source() instanceof Source.Argument argument) {
      Type type = call.argument(argument.argument()).type();
      long size = hooks.module().storeSize(type);
      boolean fits = store.size() == 0 || store.size() <= size;
      return !fits || !isNumberSize(size) && store.size() != 0 && store.size() != size;
    }
    return store.source() instanceof Source.Unknown
        || !isNumberSize(size(call, store.address(), store.size()));
  }

  private Optional<Value> pmAddress(Call call, Address address) {
    return value(call, address).filter(origin::mayBePm);
  }

  private Optional<Value> sharedAddress(Call call, Address address) {
    return value(call, address).filter(pointer -> !origin.isThreadLocal(pointer));
  }

  private Optional<Value> value(Call call, Address address) {
    Builder builder = hooks.builder();
    if (address instanceof Address.MemoryOperand operand) {
      return Optional.of(call.argument(operand.argument()));
    } else if (address instanceof Address.Computed computed) {
      Value base = call.argument(computed.base());
      Type type = base.type();
      if (!type.isOrdinaryPointer() && !(type.isInteger() && type.numberBits() == 64)) {
        return Optional.empty();
      }
      Value pointer = builder.asPointer(base);
      if (computed.scale() != 0) {
        Value index = builder.bits64(call.argument(computed.index()));
        pointer = builder.offset(pointer, builder.multiply(index, hooks.int64(computed.scale())));
      }
      return Optional.of(
          computed.displacement() == 0
              ? pointer
              : builder.offset(pointer, hooks.int64(computed.displacement())));
    }
    return Optional.empty();
  }

  private long size(Call call, Address address, int said) {
    return size(hooks, Optional.of(call), address, said);
  }

  /**
   * The bytes of an access: what the text says, or else what is known of the operands of a call.
   */
  static long size(Hooks hooks, Optional<Call> call, Address address, int said) {
    if (said != 0) {
      return said;
    }
    if (address instanceof Address.MemoryOperand operand) {
      return call.flatMap(c -> c.elementType(operand.argument()))
          .map(hooks.module()::storeSize)
          .orElse((long) Long.BYTES);
    }
    return Long.BYTES;
  }

  private Value info(Call call, Effect.LockedRmw rmw) {
    long size = size(call, rmw.address(), rmw.size());
    int sequentiallyConsistent = 5;
    return hooks.int32(AccessInfo.of(Math.min(size, 16), sequentiallyConsistent));
  }

  private static boolean isNumberSize(long size) {
    return size == 1 || size == 2 || size == 4 || size == 8;
  }

  static int number(Effect.LockedRmw rmw) {
    return switch (rmw.kind()) {
      case OTHER -> AccessInfo.RMW_OTHER;
      case EXCHANGE -> AccessInfo.RMW_EXCHANGE;
      case COMPARE_EXCHANGE -> AccessInfo.RMW_COMPARE_EXCHANGE;
    };
  }

  static int number(Effect.Flush flush) {
    return switch (flush.kind()) {
      case CLWB -> AccessInfo.FLUSH_CLWB;
      case CLFLUSHOPT -> AccessInfo.FLUSH_CLFLUSHOPT;
      case CLFLUSH -> AccessInfo.FLUSH_CLFLUSH;
    };
  }
}
