package dev.perdure.llvm.labels;

import dev.perdure.llvm.instrument.Hooks;
import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Builder;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.ir.Type;
import dev.perdure.llvm.ir.Value;
import java.util.Optional;

/**
 * Labels that pass calls: through the slots of the thread to functions that may be instrumented, by
 * the rules of {@link LibraryFlows} through library functions, and through intrinsics and assembly.
 */
final class CallLabels {
  /** How many arguments the slots of a thread hold. */
  static final int MOST_ARGUMENTS = 64;

  /** How many variable arguments are followed. */
  private static final int MOST_VARIABLE = 16;

  private static final int LIST_SIZE = 24;
  private static final int IN_REGISTER = 0;
  private static final int IN_VECTOR = 1;
  private static final int ON_STACK_LONG = 3;

  private final Hooks hooks;
  private final ValueLabels labels;
  private final StructLabels structs;
  private final LibraryFlows library;
  private final AssemblyLabels assembly;

  CallLabels(Hooks hooks, ValueLabels labels, StructLabels structs) {
    this.hooks = hooks;
    this.labels = labels;
    this.structs = structs;
    this.library = new LibraryFlows(hooks, labels);
    this.assembly = new AssemblyLabels(hooks, labels);
  }

  void visit(Call call) {
    if (call.isInlineAssembly()) {
      assembly.visit(call);
      return;
    }
    Optional<Function> callee = call.calledFunction();
    if (callee.isPresent() && callee.get().isIntrinsic()) {
      intrinsic(call, callee.get().name());
    } else if (callee.isEmpty() || callee.get().hasBody()) {
      pass(call);
    } else if (!library.visit(call, callee.get().name())) {
      pass(call);
    }
  }

  private void intrinsic(Call call, String name) {
    hooks.before(call);
    if (name.startsWith("llvm.memcpy.") || name.startsWith("llvm.memmove.")) {
      library.copy(call, call.argument(0), call.argument(1), call.argument(2));
      library.written(call);
    } else if (name.startsWith("llvm.memset.")) {
      library.fill(call, call.argument(0), labels.of(call.argument(1)), call.argument(2));
      library.written(call);
    } else if (name.startsWith("llvm.va_start")) {
      hooks.after(call);
      hooks.call("label_list", call.argument(0));
    } else if (name.startsWith("llvm.va_copy")) {
      Value size = hooks.int64(LIST_SIZE);
      hooks.after(call);
      library.copy(call, call.argument(0), call.argument(1), size);
    } else if (name.startsWith("llvm.masked.load")) {
      Value size = hooks.int64(hooks.module().storeSize(call.type()));
      Value address = call.argument(0);
      labels.set(call, hooks.event("label_load", call, address, size, labels.of(address)));
    } else if (name.startsWith("llvm.masked.store")) {
      Value value = call.argument(0);
      Value address = call.argument(1);
      Value size = hooks.int64(hooks.module().storeSize(value.type()));
      hooks.event("label_store", call, address, size, labels.of(value), labels.of(address));
    } else if (call.type().isData()) {
      Value label = labels.none();
      for (int i = 0; i < call.argumentCount(); i++) {
        label = labels.union(label, labels.of(call.argument(i)));
      }
      labels.set(call, label);
    }
  }

  /** A copy has the label of its content. */
  private Value passed(Call call, int i) {
    Value argument = call.argument(i);
    return call.copied(i)
        .<Value>map(
            type ->
                hooks.event(
                    "label_load",
                    call,
                    argument,
                    hooks.int64(hooks.module().storeSize(type)),
                    labels.of(argument)))
        .orElseGet(() -> labels.of(argument));
  }

  /** How variable arguments are passed (System V); the slots beyond them hold nothing of theirs. */
  private void passVariable(Call call, int fixed) {
    int classes = 0;
    for (int i = fixed; i < Math.min(call.argumentCount(), fixed + MOST_VARIABLE); i++) {
      classes |= passing(call.argument(i).type()) << 2 * (i - fixed);
    }
    hooks.call("label_classes", hooks.int32(classes));
    for (int i = call.argumentCount(); i < Math.min(fixed + MOST_VARIABLE, MOST_ARGUMENTS); i++) {
      hooks.call("label_argument", hooks.int32(i), labels.none());
    }
  }

  private static int passing(Type type) {
    if (type.isPlainFloat()) {
      return IN_VECTOR;
    }
    return type.isInteger() || type.isPointer() ? IN_REGISTER : ON_STACK_LONG;
  }

  private void pass(Call call) {
    hooks.before(call);
    int count = Math.min(call.argumentCount(), MOST_ARGUMENTS);
    for (int i = 0; i < count; i++) {
      hooks.call("label_argument", hooks.int32(i), passed(call, i));
    }
    call.fixedArguments().ifPresent(fixed -> passVariable(call, fixed));
    if (count > 0) {
      hooks.call("label_calling", call.callee());
    }
    if (!call.type().isData()) {
      return;
    }
    boolean known = call.calledFunction().filter(Function::hasBody).isPresent();
    if (!known) {
      hooks.call("label_return", labels.none());
    }
    if (call.opcode() == Opcode.CALL && !call.isMustTail()) {
      received(call, hooks.after(call));
    } else if (call.opcode() == Opcode.INVOKE) {
      Block next = call.normalDestination();
      if (next.hasSinglePredecessor()) {
        received(call, hooks.before(next.firstInsertionPoint()));
      }
    }
  }

  private void received(Call call, Builder builder) {
    labels.set(call, hooks.call("label_result"));
    structs.received(call, builder);
  }
}
