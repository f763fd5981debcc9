package dev.perdure.binary.sum;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.MemoryOperand;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An address as it can be computed from registers: a constant plus multiples of terms, modulo 2^64.
 * Equal sums have equal values; unequal ones may have.
 */
public record RegisterSum(long constant, Map<Term, Long> factors) {
  private static final int STACK_POINTER = 4;
  private static final Set<Long> SCALES = Set.of(1L, 2L, 4L, 8L);

  public RegisterSum {
    factors = Map.copyOf(factors);
  }

  public static RegisterSum constant(long value) {
    return new RegisterSum(value, Map.of());
  }

  public static RegisterSum register(int number) {
    return term(new Term.Register(number));
  }

  private static RegisterSum term(Term term) {
    return new RegisterSum(0, Map.of(term, 1L));
  }

  /** The result of an operator; a constant if both operands are. */
  public static RegisterSum computed(Operator operator, RegisterSum left, RegisterSum right) {
    return left.factors.isEmpty() && right.factors.isEmpty()
        ? constant(operator.of(left.constant, right.constant))
        : term(new Term.Computed(operator, left, right));
  }

  /** The result of an operator with one operand. */
  public static RegisterSum computed(Operator operator, RegisterSum operand) {
    return computed(operator, operand, constant(0));
  }

  /** The address of an instruction's memory operand. */
  public static RegisterSum address(Instruction i) {
    MemoryOperand m = i.memory();
    if (m.ripRelative()) {
      return term(new Term.ModuleBase()).plus(i.ripTarget());
    }
    RegisterSum sum = constant(m.displacement());
    sum = m.base() < 0 ? sum : sum.plus(register(m.base()));
    return m.index() < 0 ? sum : sum.plus(register(m.index()).times(m.scale()));
  }

  public RegisterSum plus(RegisterSum other) {
    Map<Term, Long> sums = new HashMap<>(factors);
    other.factors.forEach((term, factor) -> sums.merge(term, factor, Long::sum));
    sums.values().removeIf(factor -> factor == 0);
    return new RegisterSum(constant + other.constant, sums);
  }

  public RegisterSum plus(long value) {
    return new RegisterSum(constant + value, factors);
  }

  public RegisterSum times(long factor) {
    Map<Term, Long> products = new HashMap<>();
    factors.forEach((term, f) -> products.put(term, f * factor));
    products.values().removeIf(f -> f == 0);
    return new RegisterSum(constant * factor, products);
  }

  /** The same with something else in place of a register. */
  public RegisterSum with(int register, RegisterSum value) {
    RegisterSum result = constant(constant);
    for (var entry : factors.entrySet()) {
      RegisterSum replaced = term(entry.getKey());
      if (entry.getKey() instanceof Term.Register r && r.number() == register) {
        replaced = value;
      } else if (entry.getKey() instanceof Term.Computed c) {
        replaced =
            computed(c.operator(), c.left().with(register, value), c.right().with(register, value));
      }
      result = result.plus(replaced.times(entry.getValue()));
    }
    return result;
  }

  /** The registers that it needs, a bit each. */
  public int registers() {
    int bits = 0;
    for (Term term : factors.keySet()) {
      if (term instanceof Term.Register r) {
        bits |= 1 << r.number();
      } else if (term instanceof Term.Computed c) {
        bits |= c.left().registers() | c.right().registers();
      }
    }
    return bits;
  }

  /**
   * The same as the memory operand of an instruction, if it can be one: without the stack pointer,
   * which gates move.
   */
  public Optional<MemoryOperand> operand() {
    int base = MemoryOperand.NO_REGISTER;
    int index = MemoryOperand.NO_REGISTER;
    int scale = 1;
    for (var entry : factors.entrySet()) {
      if (!(entry.getKey() instanceof Term.Register r) || r.number() == STACK_POINTER) {
        return Optional.empty();
      }
      long factor = entry.getValue();
      if (factor == 1 && base == MemoryOperand.NO_REGISTER) {
        base = r.number();
      } else if (index == MemoryOperand.NO_REGISTER && SCALES.contains(factor)) {
        index = r.number();
        scale = (int) factor;
      } else {
        return Optional.empty();
      }
    }
    return base == MemoryOperand.NO_REGISTER || constant != (int) constant
        ? Optional.empty()
        : Optional.of(new MemoryOperand(base, index, scale, constant, false, false, 0));
  }

  /** How many terms there are, with those in operands. */
  public int size() {
    int size = 0;
    for (Term term : factors.keySet()) {
      size += 1 + (term instanceof Term.Computed c ? c.left().size() + c.right().size() : 0);
    }
    return size;
  }

  /** Its value if the registers hold these, in a module that is loaded at 0. */
  public long value(long[] registers) {
    long value = constant;
    for (var entry : factors.entrySet()) {
      long term = 0;
      if (entry.getKey() instanceof Term.Register r) {
        term = registers[r.number()];
      } else if (entry.getKey() instanceof Term.Computed c) {
        term = c.operator().of(c.left().value(registers), c.right().value(registers));
      }
      value += term * entry.getValue();
    }
    return value;
  }

  @Override
  public String toString() {
    return factors.entrySet().stream()
        .map(e -> e.getValue() + "*" + e.getKey() + " + ")
        .collect(Collectors.joining("", "", Long.toString(constant)));
  }
}
