package dev.perdure.llvm.labels;

import dev.perdure.llvm.instrument.Hooks;
import dev.perdure.llvm.instrument.Instrumentation;
import dev.perdure.llvm.instrument.PointerOrigin;
import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Builder;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.ir.RmwOperation;
import dev.perdure.llvm.ir.Type;
import dev.perdure.llvm.ir.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Gives the values of one function their labels, in an order in which definitions come first. */
public final class FunctionLabels {
  private final Function function;
  private final Hooks hooks;
  private final ValueLabels labels;
  private final StructLabels structs;
  private final CallLabels calls;
  private final PointerOrigin origin;
  private final Map<Instruction, Instruction> phis = new LinkedHashMap<>();

  private FunctionLabels(Function function, Hooks hooks) {
    this.function = function;
    this.hooks = hooks;
    this.origin = new PointerOrigin(hooks.declared());
    this.labels = new ValueLabels(hooks);
    this.structs = new StructLabels(hooks, labels);
    this.calls = new CallLabels(hooks, labels, structs);
  }

  /** What the instrumentation adds to each function. */
  public static Instrumentation.Addition addition() {
    return new Instrumentation.Addition() {
      @Override
      public void instrument(Function function, Hooks hooks) {
        new FunctionLabels(function, hooks).run();
      }

      @Override
      public boolean usesLabels() {
        return true;
      }
    };
  }

  private void run() {
    List<Block> blocks = function.blocksInOrder();
    List<List<Instruction>> originals = blocks.stream().map(Block::instructions).toList();
    parameters();
    for (List<Instruction> block : originals) {
      block.forEach(this::visit);
    }
    phis.forEach(this::close);
  }

  private void parameters() {
    List<Value> parameters = function.parameters();
    if (parameters.isEmpty()) {
      return;
    }
    hooks.before(function.blocks().get(0).afterAllocas());
    Value entered = hooks.call("label_entered", function);
    for (int i = 0; i < Math.min(parameters.size(), CallLabels.MOST_ARGUMENTS); i++) {
      Value label = hooks.call("label_parameter", entered, hooks.int32(i));
      Optional<Type> copied = function.copied(i);
      if (copied.isPresent()) {
        hooks.call("label_copied", parameters.get(i), size(copied.get()), label);
      } else {
        labels.set(parameters.get(i), label);
      }
    }
    if (function.takesMore()) {
      hooks.call("label_listed", entered, hooks.int32(parameters.size()));
    }
  }

  private void visit(Instruction i) {
    switch (i.opcode()) {
      case LOAD -> load(i);
      case STORE -> store(i);
      case READ_MODIFY_WRITE -> readModifyWrite(i);
      case COMPARE_EXCHANGE -> compareExchange(i);
      case PHI -> open(i);
      case SELECT -> select(i);
      case RETURN -> leave(i);
      case EXTRACT_VALUE -> labels.set(i, structs.of(i.operand(0), i.fieldPath().get(0)));
      case INSERT_VALUE -> {
        compute(i);
        structs.inserted(i);
      }
      case CALL, INVOKE, CALL_BRANCH -> calls.visit(i.asCall());
      case ALLOCA, FENCE -> {}
      default -> compute(i);
    }
  }

  private void load(Instruction load) {
    if (isOrdinary(load.address()) && !load.type().isScalableVector()) {
      hooks.before(load);
      labels.set(load, loaded(load, load.type()));
      if (!origin.mayBePm(load.address())) {
        structs.loaded(load);
      }
    }
  }

  private Value loaded(Instruction access, Type type) {
    Value address = access.address();
    return hooks.event("label_load", access, address, size(type), labels.of(address));
  }

  private void store(Instruction store) {
    Value value = store.stored();
    if (!isOrdinary(store.address()) || value.type().isScalableVector()) {
      return;
    }
    hooks.before(store);
    stored(store, value.type(), labels.of(value));
  }

  private void stored(Instruction access, Type type, Value content) {
    Value address = access.address();
    hooks.event("label_store", access, address, size(type), content, labels.of(address));
    if (origin.mayBePm(address)) {
      hooks.after(access);
      hooks.event("label_stored", access, address);
    }
  }

  private void readModifyWrite(Instruction rmw) {
    if (!isOrdinary(rmw.address())) {
      return;
    }
    Value operand = rmw.operand(1);
    hooks.before(rmw);
    Value old = loaded(rmw, operand.type());
    boolean exchange = rmw.rmwOperation() == RmwOperation.EXCHANGE;
    Value content = exchange ? labels.of(operand) : labels.union(labels.of(operand), old);
    labels.set(rmw, old);
    stored(rmw, operand.type(), content);
  }

  private void compareExchange(Instruction exchange) {
    if (!isOrdinary(exchange.address())) {
      return;
    }
    Value desired = exchange.operand(2);
    hooks.before(exchange);
    labels.set(exchange, loaded(exchange, desired.type()));
    Builder builder = hooks.after(exchange);
    Value address = exchange.address();
    hooks.event(
        "label_store_if",
        exchange,
        builder.field(exchange, 1),
        address,
        size(desired.type()),
        labels.of(desired),
        labels.of(address));
  }

  private void open(Instruction phi) {
    if (phi.type().isData()) {
      Instruction label = hooks.before(phi).phi(hooks.module().integerType(32));
      labels.set(phi, label);
      phis.put(phi, label);
    }
  }

  private void close(Instruction phi, Instruction label) {
    for (int i = 0; i < phi.incomingCount(); i++) {
      Value value = phi.incoming(i);
      // The label of an invoke's result is only known behind the edge that leads here.
      boolean late = value.instruction().filter(v -> v.opcode() == Opcode.INVOKE).isPresent();
      label.addIncoming(late ? labels.none() : labels.of(value), phi.incomingBlock(i));
    }
  }

  private void select(Instruction select) {
    Value yes = labels.of(select.operand(1));
    Value no = labels.of(select.operand(2));
    if (yes.equals(no)) {
      labels.set(select, yes);
      return;
    }
    Value condition = select.operand(0);
    Builder builder = hooks.before(select);
    labels.set(
        select,
        condition.type().isInteger() ? builder.select(condition, yes, no) : labels.union(yes, no));
  }

  private void leave(Instruction leave) {
    if (leave.operandCount() == 0
        || leave
            .operand(0)
            .instruction()
            .filter(v -> v.opcode() == Opcode.CALL && v.asCall().isMustTail())
            .isPresent()) {
      return;
    }
    hooks.before(leave);
    hooks.call("label_return", labels.of(leave.operand(0)));
    structs.returned(leave.operand(0));
  }

  private void compute(Instruction i) {
    if (!i.type().isData()) {
      return;
    }
    hooks.before(i);
    Value label = labels.none();
    for (int k = 0; k < i.operandCount(); k++) {
      label = labels.union(label, labels.of(i.operand(k)));
    }
    labels.set(i, label);
  }

  private Value size(Type type) {
    return hooks.int64(hooks.module().storeSize(type));
  }

  private static boolean isOrdinary(Value address) {
    return address.type().isOrdinaryPointer();
  }
}
