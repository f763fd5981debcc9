package dev.perdure.llvm.instrument;

import dev.perdure.llvm.ir.Builder;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Type;
import dev.perdure.llvm.ir.Value;

/**
 * LLVM's intrinsics that touch memory: copies and fills (replaced by a function that tests both
 * ranges), flushes and fences, masked and scattered vector accesses (lane by lane), direct stores;
 * and hardware transactions.
 */
final class IntrinsicCalls {
  /** What xbegin leaves in its register; anything else says why the transaction aborted. */
  private static final long TRANSACTION_BEGUN = -1;

  private final Hooks hooks;
  private final PmTests tests;
  private final PointerOrigin origin;
  private final EventsBehind behind;
  private final MaskedAccesses masked;
  private final X86VectorAccesses x86;
  private final NarrowingStores narrowing;

  IntrinsicCalls(Hooks hooks, PmTests tests, PointerOrigin origin, EventsBehind behind) {
    this.hooks = hooks;
    this.tests = tests;
    this.origin = origin;
    this.behind = behind;
    this.masked = new MaskedAccesses(hooks, origin);
    this.x86 = new X86VectorAccesses(hooks, origin);
    this.narrowing = new NarrowingStores(hooks, origin);
  }

  /** Returns whether anything was inserted. */
  boolean instrument(Call call, String name) {
    if (name.startsWith("llvm.memcpy.")) {
      return transfer(call, "copy");
    } else if (name.startsWith("llvm.memmove.")) {
      return transfer(call, "move");
    } else if (name.startsWith("llvm.memset.")) {
      return fill(call);
    } else if (name.startsWith("llvm.masked.")) {
      return masked.instrument(call, name);
    }
    return switch (name) {
      case "llvm.x86.clwb" -> flush(call, AccessInfo.FLUSH_CLWB);
      case "llvm.x86.clflushopt" -> flush(call, AccessInfo.FLUSH_CLFLUSHOPT);
      case "llvm.x86.sse2.clflush" -> flush(call, AccessInfo.FLUSH_CLFLUSH);
      case "llvm.x86.sse.sfence" -> fence(call, AccessInfo.FENCE_SFENCE);
      case "llvm.x86.sse2.mfence" -> fence(call, AccessInfo.FENCE_MFENCE);
      case "llvm.x86.xbegin" -> transaction(call);
      case "llvm.x86.xend" -> transactionEnd(call);
      case "llvm.x86.directstore32" -> directStore(call, Integer.BYTES);
      case "llvm.x86.directstore64" -> directStore(call, Long.BYTES);
      case "llvm.x86.movdir64b" -> directCopy(call);
      default ->
          name.startsWith("llvm.x86.")
              && (x86.instrument(call, name) || narrowing.instrument(call, name));
    };
  }

  private boolean transfer(Call call, String hook) {
    Value to = call.argument(0);
    Value from = call.argument(1);
    if (!isOrdinary(to) || !isOrdinary(from) || !origin.mayBePm(to) && !origin.mayBePm(from)) {
      return false;
    }
    Builder builder = hooks.before(call);
    Value pm =
        !origin.mayBePm(from)
            ? tests.of(to)
            : !origin.mayBePm(to) ? tests.of(from) : builder.or(tests.of(to), tests.of(from));
    hooks.event(hook, call, pm, to, from, builder.resize(call.argument(2), 64));
    call.erase();
    return true;
  }

  private boolean fill(Call call) {
    Value to = call.argument(0);
    if (!isOrdinary(to) || !origin.mayBePm(to)) {
      return false;
    }
    Builder builder = hooks.before(call);
    hooks.event(
        "fill", call, tests.of(to), to, call.argument(1), builder.resize(call.argument(2), 64));
    call.erase();
    return true;
  }

  private boolean flush(Call call, int kind) {
    if (!origin.mayBePm(call.argument(0))) {
      return false;
    }
    hooks.before(call);
    hooks.event(behind.flushHook(call), call, call.argument(0), hooks.int32(kind));
    return true;
  }

  private boolean fence(Call call, int kind) {
    hooks.before(call);
    hooks.event("fence", call, hooks.int32(kind));
    return true;
  }

  private boolean transaction(Call call) {
    hooks.before(call);
    hooks.call("transaction_ahead");
    Builder builder = hooks.after(call);
    hooks.event("transaction_begun", call, builder.equal(call, hooks.int32(TRANSACTION_BEGUN)));
    return true;
  }

  private boolean transactionEnd(Call call) {
    hooks.before(call);
    hooks.event("transaction_end", call);
    return true;
  }

  private boolean directStore(Call call, int size) {
    Value address = call.argument(0);
    if (!origin.mayBePm(address)) {
      return false;
    }
    Builder builder = hooks.before(call);
    Value info = hooks.int32(AccessInfo.of(size, AccessInfo.PLAIN));
    Value value = builder.bits64(call.argument(1));
    hooks.event("store_nt", call, tests.of(address), address, value, info);
    return true;
  }

  private boolean directCopy(Call call) {
    Value to = call.argument(0);
    Value from = call.argument(1);
    if (!origin.mayBePm(to) && !origin.mayBePm(from)) {
      return false;
    }
    hooks.before(call);
    Value length = hooks.int64(64);
    hooks.event("load_block", call, tests.of(from), from, length);
    hooks.event("store_block", call, tests.of(to), to, from, length, hooks.int32(1));
    return true;
  }

  private static boolean isOrdinary(Value pointer) {
    Type type = pointer.type();
    return type.isOrdinaryPointer();
  }
}
