package dev.perdure.llvm.instrument;

import dev.perdure.llvm.ir.AtomicOrder;
import dev.perdure.llvm.ir.Builder;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.RmwOperation;
import dev.perdure.llvm.ir.Type;
import dev.perdure.llvm.ir.Value;

/**
 * Read-modify-writes and fences. A read-modify-write is bracketed by two hooks, wherever it goes:
 * it is a fence and may be a lock. On an object of the stack that no other thread can see, only the
 * fence is left of it.
 */
final class AtomicAccesses {
  private final Hooks hooks;
  private final PointerOrigin origin;

  AtomicAccesses(Hooks hooks, PointerOrigin origin) {
    this.hooks = hooks;
    this.origin = origin;
  }

  boolean readModifyWrite(Instruction rmw) {
    Value operand = rmw.operand(1);
    if (!begin(rmw, operand.type())) {
      return true;
    }
    Builder builder = hooks.after(rmw);
    RmwOperation operation = rmw.rmwOperation();
    int kind = operation == RmwOperation.EXCHANGE ? AccessInfo.RMW_EXCHANGE : AccessInfo.RMW_OTHER;
    if (operation == RmwOperation.OTHER) {
      hooks.event(
          "rmw_end_unknown", rmw, rmw.address(), hooks.int32(kind), info(rmw, operand.type()));
      return true;
    }
    Value result = newValue(builder, operation, rmw, operand);
    end(rmw, rmw, result, kind, builder.integer(1, 1), info(rmw, operand.type()));
    return true;
  }

  boolean compareExchange(Instruction exchange) {
    Type type = exchange.operand(1).type();
    if (!begin(exchange, type)) {
      return true;
    }
    Builder builder = hooks.after(exchange);
    Value old = builder.field(exchange, 0);
    Value success = builder.field(exchange, 1);
    Value info =
        builder.select(success, info(exchange, type), info(exchange.orderOfFailure(), type));
    end(exchange, old, exchange.operand(2), AccessInfo.RMW_COMPARE_EXCHANGE, success, info);
    return true;
  }

  /** Fences that order other threads; returns whether anything was inserted. */
  boolean fence(Instruction fence) {
    if (fence.isSingleThread()) {
      return false;
    }
    int kind =
        switch (fence.order()) {
          case SEQUENTIALLY_CONSISTENT -> AccessInfo.FENCE_MFENCE;
          case ACQUIRE -> AccessInfo.FENCE_ACQUIRE;
          case RELEASE -> AccessInfo.FENCE_RELEASE;
          default -> AccessInfo.FENCE_ACQUIRE_RELEASE;
        };
    if (kind == AccessInfo.FENCE_ACQUIRE) {
      hooks.after(fence);
    } else {
      hooks.before(fence);
    }
    hooks.event("fence", fence, hooks.int32(kind));
    return true;
  }

  private boolean begin(Instruction rmw, Type type) {
    hooks.before(rmw);
    if (!rmw.address().type().isOrdinaryPointer() || origin.isThreadLocal(rmw.address())) {
      hooks.event("fence", rmw, hooks.int32(AccessInfo.FENCE_LOCKED));
      return false;
    }
    hooks.event("rmw_begin", rmw, rmw.address(), info(rmw, type));
    return true;
  }

  private void end(Instruction rmw, Value old, Value result, int kind, Value stored, Value info) {
    Builder builder = hooks.builder();
    Type type = result.type();
    Value operation = hooks.int32(kind);
    if (hooks.module().storeSize(type) <= Long.BYTES) {
      hooks.event(
          "rmw_end8",
          rmw,
          rmw.address(),
          builder.bits64(old),
          builder.bits64(result),
          operation,
          stored,
          info);
    } else {
      hooks.event(
          "rmw_end16",
          rmw,
          rmw.address(),
          builder.asInteger(old),
          builder.asInteger(result),
          operation,
          stored,
          info);
    }
  }

  private Value info(Instruction rmw, Type type) {
    return info(rmw.order(), type);
  }

  private Value info(AtomicOrder order, Type type) {
    return hooks.int32(AccessInfo.of(hooks.module().storeSize(type), AccessInfo.order(order)));
  }

  private static Value newValue(Builder builder, RmwOperation operation, Value old, Value operand) {
    return switch (operation) {
      case ADD -> builder.add(old, operand);
      case SUBTRACT -> builder.subtract(old, operand);
      case AND -> builder.and(old, operand);
      case NAND -> builder.not(builder.and(old, operand));
      case OR -> builder.or(old, operand);
      case XOR -> builder.xor(old, operand);
      case MAX -> builder.select(builder.signedLess(old, operand), operand, old);
      case MIN -> builder.select(builder.signedLess(old, operand), old, operand);
      case UNSIGNED_MAX -> builder.select(builder.unsignedLess(old, operand), operand, old);
      case UNSIGNED_MIN -> builder.select(builder.unsignedLess(old, operand), old, operand);
      case FLOAT_ADD -> builder.floatAdd(old, operand);
      case FLOAT_SUBTRACT -> builder.floatSubtract(old, operand);
      case EXCHANGE, OTHER -> operand;
    };
  }
}
