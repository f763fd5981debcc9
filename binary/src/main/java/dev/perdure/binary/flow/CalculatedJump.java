package dev.perdure.binary.flow;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.sum.RegisterAssignment;
import dev.perdure.binary.sum.RegisterSum;
import dev.perdure.binary.sum.Term;
import java.math.BigInteger;
import java.util.Optional;

/**
 * A jump to the sum of an address in the code and something else, as into pieces of code at equal
 * distances from each other. No table names where it leads to.
 *
 * @param from the address in the code
 * @param distance how far from there it leads: a multiple of this
 */
record CalculatedJump(long from, long distance) {
  private static final int REGISTERS = 16;

  /** How many instructions before the jump are looked at: each may leave an unknown value. */
  private static final int FARTHEST = 15;

  /** The one that is made by a jump through a register. */
  static Optional<CalculatedJump> at(Function f, int index) {
    RegisterSum target = RegisterSum.register(f.code().get(index).operands().rm());
    for (int i = index - 1; i >= Math.max(0, index - FARTHEST); i--) {
      Instruction x = f.code().get(i);
      if (x.operation().endsFlow()) {
        break;
      }
      target = before(x, target, REGISTERS + index - i);
    }
    return ofTarget(target);
  }

  /** The sum before an instruction; what cannot be computed has a number beyond the registers. */
  private static RegisterSum before(Instruction x, RegisterSum sum, int unknown) {
    return RegisterAssignment.before(x, x.changes(), sum)
        .orElseGet(
            () -> {
              RegisterSum before = sum;
              for (int r = 0; r < REGISTERS; r++) {
                if ((x.changes() & 1 << r) != 0) {
                  before = before.with(r, RegisterSum.register(unknown));
                }
              }
              return before;
            });
  }

  private static Optional<CalculatedJump> ofTarget(RegisterSum target) {
    BigInteger distance = BigInteger.ZERO;
    for (var entry : target.factors().entrySet()) {
      if (!(entry.getKey() instanceof Term.ModuleBase)) {
        distance = distance.gcd(BigInteger.valueOf(entry.getValue()));
      }
    }
    return distance.signum() == 0
        ? Optional.empty()
        : Optional.of(new CalculatedJump(target.constant(), distance.longValue()));
  }

  boolean mayLeadTo(long address) {
    return (address - from) % distance == 0;
  }
}
