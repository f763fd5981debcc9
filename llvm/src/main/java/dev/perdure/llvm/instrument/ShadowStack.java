package dev.perdure.llvm.instrument;

import dev.perdure.llvm.ir.Attribute;
import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.ir.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Puts call sites on the shadow call stack. The top of the stack is read once at the entry of a
 * function; each call writes its site there and puts the top back afterwards. Putting it back is
 * right anywhere in the function, so landing pads and second returns of setjmp do just that.
 */
final class ShadowStack {
  private final Hooks hooks;

  ShadowStack(Hooks hooks) {
    this.hooks = hooks;
  }

  void instrument(Function function, CallSites sites) {
    List<Call> pushed =
        sites.eventfulCalls(function).stream().filter(call -> !call.isMustTail()).toList();
    if (pushed.isEmpty()) {
      return;
    }
    hooks.before(function.blocks().get(0).afterAllocas());
    Value top = hooks.call("stack_top");
    Set<Block> restored = new HashSet<>();
    for (Call call : pushed) {
      readsTheStack(call);
      hooks.before(call);
      hooks.event(sites.isFollowed(call) ? "push_followed" : "push", call, top);
      if (call.opcode() == Opcode.CALL) {
        hooks.after(call);
        hooks.call("pop", top);
      } else if (call.opcode() == Opcode.INVOKE) {
        restoreIn(call.normalDestination(), top, restored);
        restoreIn(call.unwindDestination(), top, restored);
      }
    }
  }

  /** What the compiler knew of the memory that a call touches did not include the shadow stack. */
  private static void readsTheStack(Call call) {
    call.remove(Attribute.MEMORY);
    call.calledFunction().ifPresent(callee -> callee.remove(Attribute.MEMORY));
  }

  private void restoreIn(Block block, Value top, Set<Block> restored) {
    if (restored.add(block)) {
      Instruction place = block.firstInsertionPoint();
      hooks.before(place);
      hooks.call("pop", top);
    }
  }
}
