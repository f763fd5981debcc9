package dev.perdure.binary.region;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.Operation;
import dev.perdure.binary.flow.Callee;
import dev.perdure.binary.flow.Callees;
import dev.perdure.binary.flow.Function;
import dev.perdure.binary.flow.ModuleCode;
import dev.perdure.flow.call.KnownFunctions;
import dev.perdure.flow.call.SyncNames;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Which instructions of a module acquire, or may lead to an acquire. */
final class Acquires {
  private final Callees callees;
  private final SyncNames names;
  private final LongOpenHashSet functions = new LongOpenHashSet();
  private final LongOpenHashSet acquiring = new LongOpenHashSet();

  Acquires(ModuleCode module, Callees callees, SyncNames names) {
    this.callees = callees;
    this.names = names;
    module.functions().forEach(f -> functions.add(f.start()));
    Long2ObjectOpenHashMap<List<Function>> callers = new Long2ObjectOpenHashMap<>();
    Deque<Function> work = new ArrayDeque<>();
    for (Function f : module.functions()) {
      for (int i = 0; i < f.code().size(); i++) {
        Instruction x = f.code().get(i);
        if (leaves(f, i)) {
          Callee callee = callees.of(x);
          if (analysed(callee)) {
            callers.computeIfAbsent(callee.address().getAsLong(), a -> new ArrayList<>()).add(f);
          } else if (mayAcquire(callee)) {
            mark(f, work);
          }
        } else if (byItself(x)) {
          mark(f, work);
        }
      }
    }
    while (!work.isEmpty()) {
      for (Function caller : callers.getOrDefault(work.pop().start(), List.of())) {
        mark(caller, work);
      }
    }
  }

  private void mark(Function f, Deque<Function> work) {
    if (acquiring.add(f.start())) {
      work.push(f);
    }
  }

  /** Whether control goes to another function: by a call, or by a jump that is one. */
  private static boolean leaves(Function f, int index) {
    Instruction i = f.code().get(index);
    return switch (i.operation()) {
      case CALL, INDIRECT_CALL -> true;
      case JUMP, BRANCH, LOOP, TRANSACTION -> i.target() < f.start() || i.target() >= f.end();
      case INDIRECT_JUMP -> !SwitchJump.is(f, index);
      default -> false;
    };
  }

  private static boolean byItself(Instruction i) {
    return i.atomic()
        || i.locked()
        || i.operation() == Operation.MFENCE
        || i.operation() == Operation.OTHER;
  }

  private boolean analysed(Callee callee) {
    return callee.address().isPresent()
        && functions.contains(callee.address().getAsLong())
        && callee.name().filter(names::isKnown).isEmpty();
  }

  private boolean mayAcquire(Callee callee) {
    return callee
        .name()
        .map(n -> names.isKnown(n) ? names.acquires(n) : KnownFunctions.mayAcquire(n))
        .orElse(true);
  }

  /** Whether the instruction acquires or may lead to an acquire before the next one is reached. */
  boolean at(Instruction i) {
    if (i.operation() != Operation.CALL && i.operation() != Operation.INDIRECT_CALL) {
      return byItself(i);
    }
    Callee callee = callees.of(i);
    return analysed(callee) ? acquiring.contains(callee.address().getAsLong()) : mayAcquire(callee);
  }
}
