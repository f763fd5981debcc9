package dev.perdure.llvm.instrument;

import dev.perdure.llvm.assembly.Effect;
import dev.perdure.llvm.assembly.ObservedText;
import dev.perdure.llvm.assembly.Source;
import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.ir.Value;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Assembly whose effects are told by calls in its text. */
final class AssemblyTexts {
  private static final Pattern FUNCTION = Pattern.compile("(?:^|[\\n;])\\s*([A-Za-z_][\\w.$]*):");

  private final Hooks hooks;

  AssemblyTexts(Hooks hooks) {
    this.hooks = hooks;
  }

  /** Changes the text of a statement whose effects cannot be told from outside. */
  boolean observeWhereNeeded(Call call) {
    return !call.isIntelAssembly() && text(call).isNeeded() && observe(call);
  }

  /** Changes the text of a statement around which nothing can be inserted. */
  boolean observe(Call call) {
    Optional<String> observed = call.isIntelAssembly() ? Optional.empty() : text(call).withCalls();
    observed.ifPresent(call::setAssemblyText);
    return observed.isPresent();
  }

  /** Changes the text of the functions that are written in assembly at file scope. */
  void observe(BitcodeModule module) {
    String text = module.assembly();
    StringBuilder observed = new StringBuilder();
    String name = "";
    int start = 0;
    Matcher function = FUNCTION.matcher(text);
    while (function.find()) {
      observed.append(observed(text.substring(start, function.start()), name));
      name = function.group(1);
      start = function.start();
    }
    observed.append(observed(text.substring(start), name));
    if (!observed.toString().equals(text)) {
      module.setAssembly(observed.toString());
    }
  }

  /** In statements a dollar is written twice. */
  private String observed(String text, String function) {
    if (function.isEmpty()) {
      return text;
    }
    Around around = new Around(hooks, Optional.empty(), () -> hooks.site(function));
    return new ObservedText(text.replace("$", "$$"), "", around)
        .withCalls()
        .map(t -> t.replace("$$", "$"))
        .orElse(text);
  }

  private ObservedText text(Call call) {
    return new ObservedText(
        call.assemblyText(),
        call.assemblyConstraints(),
        new Around(hooks, Optional.of(call), () -> hooks.site(call)));
  }

  /**
   * @param call whose operands the text has
   */
  private record Around(Hooks hooks, Optional<Call> call, IntSupplier siteOf)
      implements ObservedText.Surroundings {

    @Override
    public boolean isOnStack(int argument) {
      Optional<Instruction> pointer = call.orElseThrow().argument(argument).instruction();
      while (pointer.isPresent()
          && (pointer.get().opcode() == Opcode.GET_ELEMENT_POINTER
              || pointer.get().opcode() == Opcode.BIT_CAST)) {
        pointer = pointer.get().operand(0).instruction();
      }
      return pointer.isPresent() && pointer.get().opcode() == Opcode.ALLOCA;
    }

    @Override
    public int size(Effect effect) {
      if (effect instanceof Effect.Store store) {
        return bytes(store);
      } else if (effect instanceof Effect.LockedRmw rmw) {
        return (int) Math.min(AssemblyCalls.size(hooks, call, rmw.address(), rmw.size()), 16);
      }
      return effect instanceof Effect.Load load
          ? (int) AssemblyCalls.size(hooks, call, load.address(), load.size())
          : 0;
    }

    private int bytes(Effect.Store store) {
      boolean byValue = store.size() == 0 && store.source() instanceof Source.Argument;
      return byValue
          ? (int) hooks.module().storeSize(value((Source.Argument) store.source()).type())
          : (int) AssemblyCalls.size(hooks, call, store.address(), store.size());
    }

    private Value value(Source.Argument source) {
      return call.orElseThrow().argument(source.argument());
    }

    @Override
    public int sort(Effect effect) {
      if (effect instanceof Effect.Flush flush) {
        return AssemblyCalls.number(flush);
      } else if (effect instanceof Effect.LockedRmw rmw) {
        return AssemblyCalls.number(rmw);
      } else if (effect instanceof Effect.Store store) {
        return store.nonTemporal() ? 1 : 0;
      } else if (effect instanceof Effect.StoreFence) {
        return AccessInfo.FENCE_SFENCE;
      }
      return effect instanceof Effect.FullFence ? AccessInfo.FENCE_MFENCE : 0;
    }

    @Override
    public int site() {
      return siteOf.getAsInt();
    }

    @Override
    public int lockedFence() {
      return AccessInfo.FENCE_LOCKED;
    }
  }
}
