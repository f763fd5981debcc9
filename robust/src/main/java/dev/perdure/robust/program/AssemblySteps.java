package dev.perdure.robust.program;

import dev.perdure.llvm.assembly.Address;
import dev.perdure.llvm.assembly.AssemblyEffects;
import dev.perdure.llvm.assembly.Effect;
import dev.perdure.llvm.assembly.Source;
import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Type;
import dev.perdure.llvm.ir.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The steps of inline assembly: flushes, fences, exchanges and stores. */
final class AssemblySteps {
  private final BitcodeModule module;
  private final Values values;

  AssemblySteps(BitcodeModule module, Values values) {
    this.module = module;
    this.values = values;
  }

  void read(Call call, StepSink sink) {
    AssemblyEffects assembly =
        AssemblyEffects.of(call.assemblyText(), call.assemblyConstraints(), call.isIntelAssembly());
    assembly.effects().forEach(effect -> read(call, effect, sink));
  }

  private void read(Call call, Effect effect, StepSink sink) {
    if (effect instanceof Effect.StoreFence || effect instanceof Effect.FullFence) {
      sink.fence();
    } else if (effect instanceof Effect.Flush flush) {
      pmLocation(call, flush.address(), sink)
          .ifPresent(
              location ->
                  sink.flush(
                      sink.addresses().place(location, Extent.of(1)),
                      flush.kind() == Effect.FlushKind.CLFLUSH));
    } else if (effect instanceof Effect.LockedRmw rmw) {
      Optional<Location> location = pmLocation(call, rmw.address(), sink);
      if (location.isPresent()) {
        int size = size(call, rmw.address(), rmw.size());
        sink.write(
            sink.addresses().place(location.get(), Extent.of(size, size)),
            Values.NONE,
            Step.Manner.EXCHANGE);
      } else {
        sink.release("locked instruction", true);
      }
      publishArguments(call, sink);
    } else if (effect instanceof Effect.Store store) {
      store(call, store, sink);
    } else if (effect instanceof Effect.Load load) {
      pmLocation(call, load.address(), sink)
          .ifPresent(
              location -> {
                int size = size(call, load.address(), load.size());
                sink.atomicRead(sink.addresses().place(location, Extent.of(size, size)));
              });
    } else if (effect instanceof Effect.Copy copy) {
      block(call, copy.to(), copy.count(), copy.size(), sink);
    } else if (effect instanceof Effect.Fill fill) {
      block(call, fill.to(), fill.count(), fill.size(), sink);
    }
  }

  private void store(Call call, Effect.Store store, StepSink sink) {
    Optional<Location> location = pmLocation(call, store.address(), sink);
    if (store.source() instanceof Source.Argument argument && location.isEmpty()) {
      sink.publish(call.argument(argument.argument()));
    }
    if (location.isEmpty()) {
      return;
    }
    int stored =
        store.source() instanceof Source.Argument argument
            ? sink.reference(call.argument(argument.argument()))
            : Values.NONE;
    int size = size(call, store.address(), store.size());
    sink.write(
        sink.addresses().place(location.get(), Extent.of(size, size)),
        stored,
        store.nonTemporal() ? Step.Manner.NON_TEMPORAL : Step.Manner.ATOMIC);
  }

  private void block(Call call, Address to, int count, int size, StepSink sink) {
    pmLocation(call, to, sink)
        .ifPresent(
            location ->
                sink.write(
                    sink.addresses()
                        .place(location, sink.addresses().extent(call.argument(count), size)),
                    Values.NONE,
                    Step.Manner.PLAIN));
  }

  /** An exchange may store any of its arguments. */
  private static void publishArguments(Call call, StepSink sink) {
    for (int i = 0; i < call.argumentCount(); i++) {
      if (call.elementType(i).isEmpty()) {
        sink.publish(call.argument(i));
      }
    }
  }

  private Optional<Location> pmLocation(Call call, Address address, StepSink sink) {
    if (address instanceof Address.MemoryOperand operand) {
      Value pointer = call.argument(operand.argument());
      return sink.mayBePm(pointer)
          ? Optional.of(sink.addresses().location(pointer))
          : Optional.empty();
    }
    if (!(address instanceof Address.Computed computed)) {
      return Optional.empty();
    }
    Value base = call.argument(computed.base());
    Type type = base.type();
    boolean wide = type.isOrdinaryPointer() || type.isInteger() && type.numberBits() == Long.SIZE;
    if (!wide || !sink.mayBePm(base)) {
      return Optional.empty();
    }
    Location start =
        type.isPointer() ? sink.addresses().location(base) : Location.at(values.number(base), 0);
    List<Term> terms = new ArrayList<>(start.terms());
    if (computed.scale() != 0) {
      terms.add(new Term(values.number(call.argument(computed.index())), computed.scale()));
    }
    return Optional.of(
        new Location(start.base(), terms, start.offset() + computed.displacement(), true));
  }

  private int size(Call call, Address address, int said) {
    if (said != 0) {
      return said;
    }
    return address instanceof Address.MemoryOperand operand
        ? call.elementType(operand.argument())
            .map(type -> (int) module.storeSize(type))
            .orElse(Long.BYTES)
        : Long.BYTES;
  }
}
