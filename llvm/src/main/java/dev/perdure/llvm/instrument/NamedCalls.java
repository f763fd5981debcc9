package dev.perdure.llvm.instrument;

import dev.perdure.llvm.ir.Builder;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.ir.Type;
import dev.perdure.llvm.ir.Value;
import dev.perdure.model.config.AllocFunction;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.config.FlushFunctions;
import dev.perdure.model.config.FreeFunction;
import dev.perdure.model.config.LockFunction;
import dev.perdure.model.config.LockMode;
import dev.perdure.model.config.RangeFunction;
import dev.perdure.model.config.SyncFunctions;
import dev.perdure.model.config.ThreadFunction;
import dev.perdure.model.config.TrySuccess;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Predicate;

/**
 * Calls of the functions that the configuration names: acquisitions and allocations are announced
 * after the call, everything else before it.
 */
final class NamedCalls {
  private final Hooks hooks;
  private final Map<String, Predicate<Call>> actions = new HashMap<>();
  private final Map<String, Integer> locksTaken = new HashMap<>();
  private final Map<String, String> readableNames;
  private final SortedSet<String> unseen;

  /**
   * @param readableNames mangled names of the module with their demangled forms
   */
  NamedCalls(Configuration configuration, Hooks hooks, Map<String, String> readableNames) {
    this.hooks = hooks;
    this.readableNames = readableNames;
    this.unseen = configuration.functionNames();
    SyncFunctions sync = configuration.sync();
    sync.acquire()
        .forEach(
            f -> on(f.function(), call -> acquire(call, f.lock(), f.mode(), Optional.empty())));
    sync.attempt()
        .forEach(
            f ->
                on(
                    f.function(),
                    call -> acquire(call, f.lock(), f.mode(), Optional.of(f.success()))));
    sync.acquire().forEach(f -> locksTaken.put(f.function(), f.lock()));
    sync.attempt().forEach(f -> locksTaken.put(f.function(), f.lock()));
    sync.release().forEach(f -> on(f.function(), call -> release(call, f)));
    sync.create().forEach(f -> on(f.function(), call -> create(call, f)));
    sync.join().forEach(f -> on(f.function(), call -> join(call, f)));
    configuration.allocators().alloc().forEach(f -> on(f.function(), call -> allocate(call, f)));
    configuration.allocators().free().forEach(f -> on(f.function(), call -> free(call, f)));
    FlushFunctions flush = configuration.flush();
    flush.flush().forEach(f -> on(f.function(), call -> range(call, "named_flush", f)));
    flush.persist().forEach(f -> on(f.function(), call -> range(call, "named_persist", f)));
    flush.fence().forEach(f -> on(f, this::fence));
  }

  private void on(String function, Predicate<Call> action) {
    actions.put(function, action);
  }

  /**
   * Returns whether the function is named.
   *
   * @param caller the function that the call is in
   */
  boolean instrument(Call call, String callee, Function caller) {
    if (actions.isEmpty()) {
      return false;
    }
    String name = nameOf(callee);
    Predicate<Call> action = actions.get(name);
    if (action == null) {
      return false;
    }
    if (isPartOf(nameOf(caller.name()), caller, name, call) || action.test(call)) {
      unseen.remove(name);
    }
    return true;
  }

  private String nameOf(String function) {
    return actions.containsKey(function)
        ? function
        : readableNames.getOrDefault(function, function);
  }

  /** Whether a function takes its lock by taking it with another one: that is one acquisition. */
  private boolean isPartOf(String outer, Function caller, String inner, Call call) {
    Integer own = locksTaken.get(outer);
    Integer lock = locksTaken.get(inner);
    return own != null
        && lock != null
        && own < caller.parameterCount()
        && hasArgument(call, lock)
        && call.argument(lock).equals(caller.parameter(own));
  }

  /** Named functions of which no call could be recorded. */
  SortedSet<String> unseen() {
    return unseen;
  }

  private boolean acquire(Call call, int lock, LockMode mode, Optional<TrySuccess> attempt) {
    if (!hasAddress(call, lock) || !hasPlaceAfter(call)) {
      return false;
    }
    Builder builder = afterReturn(call);
    int flags = shared(mode);
    Value success = builder.integer(1, 1);
    if (attempt.isPresent()) {
      flags |= AccessInfo.LOCK_TRY;
      TrySuccess how = attempt.get();
      if (how instanceof TrySuccess.Returns result && call.type().isInteger()) {
        Value expected = builder.integer(call.type().numberBits(), result.value());
        success = builder.equal(call, expected);
      } else if (how instanceof TrySuccess.OutArgument out && hasArgument(call, out.argument())) {
        Type bool = hooks.module().integerType(8);
        Value flag = builder.load(bool, builder.asPointer(call.argument(out.argument())));
        success = builder.notEqual(flag, builder.integer(8, 0));
      }
    }
    Value address = builder.asPointer(call.argument(lock));
    hooks.event("named_acquire", call, success, address, hooks.int32(flags));
    return true;
  }

  private boolean release(Call call, LockFunction lock) {
    if (!hasAddress(call, lock.lock())) {
      return false;
    }
    Builder builder = hooks.before(call);
    Value address = builder.asPointer(call.argument(lock.lock()));
    hooks.event("named_release", call, address, hooks.int32(shared(lock.mode())));
    return true;
  }

  private static int shared(LockMode mode) {
    return mode == LockMode.SHARED ? AccessInfo.LOCK_SHARED : 0;
  }

  private boolean create(Call call, ThreadFunction create) {
    boolean byResult = create.thread().isEmpty();
    if (!hasPlaceAfter(call)
        || byResult && !isName(call.type())
        || !byResult && !hasName(call, create.thread().getAsInt())) {
      return false;
    }
    hooks.before(call);
    hooks.call("named_create_begin");
    Builder builder = afterReturn(call);
    Value name = byResult ? call : call.argument(create.thread().getAsInt());
    hooks.call("named_create_end", builder.bits64(name));
    return true;
  }

  private boolean join(Call call, ThreadFunction join) {
    int thread = join.thread().getAsInt();
    if (!hasPlaceAfter(call) || !hasName(call, thread)) {
      return false;
    }
    Builder builder = hooks.before(call);
    hooks.call("named_join_begin", builder.bits64(call.argument(thread)));
    afterReturn(call);
    hooks.event("named_join_end", call);
    return true;
  }

  private boolean allocate(Call call, AllocFunction allocation) {
    boolean byResult = allocation.out().isEmpty();
    if (!hasPlaceAfter(call)
        || !hasArgument(call, allocation.size())
        || allocation.count().isPresent() && !hasArgument(call, allocation.count().getAsInt())
        || byResult && !call.type().isPointer()
        || !byResult && !hasAddress(call, allocation.out().getAsInt())) {
      return false;
    }
    Builder builder = afterReturn(call);
    Value address =
        byResult
            ? call
            : builder.load(
                hooks.module().pointerType(), call.argument(allocation.out().getAsInt()));
    Value size = builder.bits64(call.argument(allocation.size()));
    if (allocation.count().isPresent()) {
      size = builder.multiply(size, builder.bits64(call.argument(allocation.count().getAsInt())));
    }
    Value zeroed = hooks.int32(allocation.zeroed() ? 1 : 0);
    hooks.event("named_alloc", call, address, size, zeroed);
    return true;
  }

  private boolean free(Call call, FreeFunction free) {
    if (!hasAddress(call, free.address())) {
      return false;
    }
    Builder builder = hooks.before(call);
    hooks.event("named_free", call, builder.asPointer(call.argument(free.address())));
    return true;
  }

  private boolean range(Call call, String hook, RangeFunction range) {
    boolean line = range.length().isEmpty();
    if (!hasAddress(call, range.address())
        || !line && !hasArgument(call, range.length().getAsInt())) {
      return false;
    }
    Builder builder = hooks.before(call);
    Value address = builder.asPointer(call.argument(range.address()));
    Value length =
        line ? builder.integer(64, 1) : builder.bits64(call.argument(range.length().getAsInt()));
    hooks.event(hook, call, address, length);
    return true;
  }

  private boolean fence(Call call) {
    hooks.before(call);
    hooks.event("named_fence", call);
    return true;
  }

  /** An optimiser that drops arguments of a static function may have put another in its place. */
  private static boolean hasAddress(Call call, int index) {
    if (!hasArgument(call, index)) {
      return false;
    }
    Type type = call.argument(index).type();
    return type.isPointer() || type.isInteger() && type.numberBits() == 64;
  }

  /** Threads go by addresses, by words or by small numbers. */
  private static boolean hasName(Call call, int index) {
    return hasArgument(call, index) && isName(call.argument(index).type());
  }

  private static boolean isName(Type type) {
    return type.isPointer() || type.isInteger();
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
