package dev.perdure.llvm.assembly;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** What each instruction of an asm statement does to memory. */
final class EffectReader {
  private final List<Constraint> constraints;
  private final boolean single;
  private List<Effect> effects = new ArrayList<>();

  /**
   * @param single whether the text has one instruction only
   */
  EffectReader(List<Constraint> constraints, boolean single) {
    this.constraints = constraints;
    this.single = single;
  }

  List<Effect> read(Statement statement) {
    effects = new ArrayList<>();
    Mnemonic mnemonic = Mnemonic.of(statement.mnemonic());
    Optional<Operand> memory = memory(statement);
    switch (statement.mnemonic()) {
      case "sfence" -> effects.add(new Effect.StoreFence());
      case "mfence" -> effects.add(new Effect.FullFence());
      case "clwb" -> flush(Effect.FlushKind.CLWB, memory);
      case "clflushopt" -> flush(Effect.FlushKind.CLFLUSHOPT, memory);
      case "clflush" ->
          flush(
              statement.data16() ? Effect.FlushKind.CLFLUSHOPT : Effect.FlushKind.CLFLUSH, memory);
      default -> {
        boolean clwb = statement.data16() && statement.mnemonic().startsWith("xsaveopt");
        if (clwb) {
          flush(Effect.FlushKind.CLWB, memory);
        } else if (statement.locked() || mnemonic.base().equals("xchg") && memory.isPresent()) {
          Address address = memory.map(this::address).orElseGet(Address.Unknown::new);
          int size = size(statement, mnemonic);
          effects.add(new Effect.LockedRmw(mnemonic.rmwKind(), address, size));
        } else if (statement.isString()) {
          string(statement, mnemonic);
        } else {
          accesses(statement, mnemonic);
        }
      }
    }
    return effects;
  }

  /** The operand in memory; no instruction has two that are written out. */
  Optional<Operand> memory(Statement statement) {
    return statement.operands().stream().filter(this::isMemory).findFirst();
  }

  /** Whether an operand of the statement is a general register or a number. */
  boolean isGeneral(int number) {
    if (!exists(number)) {
      return false;
    }
    OptionalInt tied = constraints.get(number).tied();
    return constraints.get(tied.orElse(number)).general();
  }

  /** One name for all that stands for the same register. */
  String register(Operand operand) {
    if (operand instanceof Operand.Register register) {
      return RegisterName.canonical(register.name());
    }
    OptionalInt number = operand.operandNumber();
    if (number.isEmpty() || !exists(number.getAsInt())) {
      return "";
    }
    Constraint constraint = constraints.get(number.getAsInt());
    if (constraint.tied().isPresent()) {
      return register(new Operand.Numbered(constraint.tied().getAsInt(), 0));
    }
    return constraint.register().isEmpty()
        ? "$" + number.getAsInt()
        : RegisterName.canonical(constraint.register());
  }

  private void flush(Effect.FlushKind kind, Optional<Operand> memory) {
    memory.ifPresent(operand -> effects.add(new Effect.Flush(kind, address(operand))));
  }

  private void string(Statement statement, Mnemonic mnemonic) {
    OptionalInt to = argumentIn("di");
    OptionalInt from = argumentIn("si");
    OptionalInt count = argumentIn("cx");
    if (!statement.repeated() || to.isEmpty() || count.isEmpty()) {
      return;
    }
    Address target = new Address.Computed(to.getAsInt(), 0, 0, 0);
    if (mnemonic.base().equals("stos")) {
      effects.add(new Effect.Fill(target, count.getAsInt(), mnemonic.size()));
    } else if (mnemonic.base().equals("movs") && from.isPresent()) {
      Address source = new Address.Computed(from.getAsInt(), 0, 0, 0);
      effects.add(new Effect.Copy(target, source, count.getAsInt(), mnemonic.size()));
    }
  }

  private void accesses(Statement statement, Mnemonic mnemonic) {
    List<Operand> operands = statement.operands();
    int size = size(statement, mnemonic);
    for (int i = 0; i < operands.size(); i++) {
      Operand operand = operands.get(i);
      if (!isMemory(operand)) {
        continue;
      }
      boolean destination = i == operands.size() - 1;
      Mnemonic.Access access = destination ? mnemonic.destination() : mnemonic.source();
      if (access == Mnemonic.Access.UNKNOWN) {
        access = byConstraint(operand);
      }
      boolean nonTemporal = mnemonic.isNonTemporalMove();
      Address address = address(operand);
      if (access == Mnemonic.Access.READ || access == Mnemonic.Access.READ_WRITE) {
        effects.add(new Effect.Load(address, size));
      }
      if (access == Mnemonic.Access.WRITE || access == Mnemonic.Access.READ_WRITE) {
        Source source = mnemonic.isMove() ? source(operands.get(0)) : new Source.Unknown();
        effects.add(new Effect.Store(address, source, size, nonTemporal));
      }
    }
  }

  private Mnemonic.Access byConstraint(Operand operand) {
    OptionalInt number = operand.operandNumber();
    return number.isPresent() && constraints.get(number.getAsInt()).output()
        ? Mnemonic.Access.WRITE
        : Mnemonic.Access.READ;
  }

  private Source source(Operand operand) {
    if (operand instanceof Operand.Immediate immediate) {
      return new Source.Constant(immediate.value());
    }
    OptionalInt number = operand.operandNumber();
    if (number.isEmpty() || !exists(number.getAsInt()) || isMemory(operand)) {
      return new Source.Unknown();
    }
    // The text may have changed the register of an input that is tied to an output.
    boolean unchanged = single || !constraints.get(number.getAsInt()).output();
    OptionalInt argument = argument(number.getAsInt());
    return unchanged && argument.isPresent()
        ? new Source.Argument(argument.getAsInt())
        : new Source.Unknown();
  }

  private int size(Statement statement, Mnemonic mnemonic) {
    int size = mnemonic.size();
    for (Operand operand : statement.operands()) {
      if (size == 0 && operand instanceof Operand.Register register) {
        size = RegisterName.size(register.name());
      } else if (size == 0 && operand instanceof Operand.Numbered numbered) {
        size = numbered.size();
      } else if (size == 0 && operand instanceof Operand.Memory memory) {
        size = memory.size();
      }
    }
    return size;
  }

  private boolean isMemory(Operand operand) {
    if (operand instanceof Operand.Memory) {
      return true;
    }
    OptionalInt number = operand.operandNumber();
    return number.isPresent()
        && exists(number.getAsInt())
        && constraints.get(number.getAsInt()).indirect();
  }

  private Address address(Operand operand) {
    if (operand instanceof Operand.Memory memory) {
      OptionalInt base = argument(memory.base());
      OptionalInt index = argument(memory.index());
      if (base.isEmpty() || memory.scale() != 0 && index.isEmpty()) {
        return new Address.Unknown();
      }
      return new Address.Computed(
          base.getAsInt(), index.orElse(0), memory.scale(), memory.displacement());
    }
    OptionalInt argument = argument(operand);
    return argument.isPresent()
        ? new Address.MemoryOperand(argument.getAsInt())
        : new Address.Unknown();
  }

  OptionalInt argument(Operand operand) {
    if (operand instanceof Operand.Register register) {
      return argumentIn(RegisterName.canonical(register.name()));
    }
    OptionalInt number = operand.operandNumber();
    return number.isPresent() ? argument(number.getAsInt()) : OptionalInt.empty();
  }

  private OptionalInt argument(int number) {
    if (!exists(number)) {
      return OptionalInt.empty();
    }
    OptionalInt own = constraints.get(number).argument();
    if (own.isPresent()) {
      return own;
    }
    return constraints.stream()
        .filter(c -> c.tied().isPresent() && c.tied().getAsInt() == number)
        .mapToInt(c -> c.argument().orElseThrow())
        .findFirst();
  }

  private OptionalInt argumentIn(String register) {
    for (int i = 0; i < constraints.size(); i++) {
      if (RegisterName.canonical(constraints.get(i).register()).equals(register)) {
        OptionalInt argument = argument(i);
        if (argument.isPresent()) {
          return argument;
        }
      }
    }
    return OptionalInt.empty();
  }

  private boolean exists(int number) {
    return number < constraints.size();
  }
}
