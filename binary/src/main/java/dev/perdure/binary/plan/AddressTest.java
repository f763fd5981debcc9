package dev.perdure.binary.plan;

import dev.perdure.binary.decode.MemoryOperand;
import dev.perdure.binary.flow.Liveness;

/**
 * The test whether an address may be of interest. It is made in two steps: inline by the block of 4
 * GiB that holds the address, and out of line, where the block holds nothing but words that locked
 * instructions have touched, by the word itself.
 */
final class AddressTest {
  private static final int RED_ZONE = 128;
  private static final int RAX = 0;
  private static final int RSP = 4;
  private static final int NOT_EQUAL = 5;
  private static final int NEGATIVE = 8;

  /** What the test had to save. */
  private enum Saved {
    NOTHING,
    REGISTER,
    REGISTERS_AND_FLAGS
  }

  private final Assembler out;
  private final MemoryOperand operand;
  private final Saved saved;
  private final int register;
  private int branch;

  /**
   * @param live the registers and flags whose values are needed afterwards
   */
  AddressTest(Assembler out, MemoryOperand operand, int live) {
    int free = ~live & ~operand.registers() & 0xffff & ~(1 << RSP);
    this.out = out;
    this.operand = operand;
    if ((live & Liveness.FLAGS) != 0) {
      saved = Saved.REGISTERS_AND_FLAGS;
      register = scratch(operand, RAX + 1);
    } else if (free != 0) {
      saved = Saved.NOTHING;
      register = Integer.numberOfTrailingZeros(free);
    } else {
      saved = Saved.REGISTER;
      register = scratch(operand, RAX);
    }
  }

  /** A register, from that one on, that the address does not need. */
  static int scratch(MemoryOperand m, int from) {
    int register = from;
    while ((m.registers() & 1 << register) != 0 || register == RSP) {
      register++;
    }
    return register;
  }

  /** Writes the test; it goes on where the address is of no interest. */
  void write() {
    loadAddress();
    out.shiftToBlock(register);
    out.compareByte(register, Gate.BLOCK_MAP);
    if (saved == Saved.REGISTER) {
      restore();
    }
    branch = out.branchForward(NOT_EQUAL);
    if (saved == Saved.REGISTERS_AND_FLAGS) {
      restore();
    }
  }

  /**
   * Writes the second step, which the first leads to. It goes on where the address is of interest,
   * with everything as it was before the test. Blocks with persistent memory have a negative mark.
   *
   * @param otherwise where it leads to if not
   */
  void writeSecond(int otherwise) {
    boolean keepsFlags = saved == Saved.REGISTERS_AND_FLAGS;
    out.land(branch);
    int persistent = out.branchForward(NEGATIVE);
    if (keepsFlags) {
      restore();
    }
    loadAddress();
    out.shiftToFilter(register);
    out.compareByte(register, Gate.FILTER);
    int touched = out.branchForward(NOT_EQUAL);
    restore();
    out.jumpBack(otherwise);
    out.land(touched);
    if (keepsFlags) {
      out.land(persistent);
    }
    restore();
    if (!keepsFlags) {
      out.land(persistent);
    }
  }

  /** Leads to other code, with everything as it was before the test. */
  void leadTo(int position) {
    if (saved == Saved.REGISTERS_AND_FLAGS) {
      out.land(branch);
      restore();
      out.jumpBack(position);
    } else {
      out.landAt(branch, position);
    }
  }

  /** The address may need rax: it is computed before the flags go there. */
  private void loadAddress() {
    if (saved != Saved.NOTHING) {
      out.moveStack(-RED_ZONE);
    }
    if (saved == Saved.REGISTERS_AND_FLAGS) {
      out.push(RAX);
    }
    if (saved != Saved.NOTHING) {
      out.push(register);
    }
    out.lea(register, operand);
    if (saved == Saved.REGISTERS_AND_FLAGS) {
      out.saveFlags();
    }
  }

  private void restore() {
    if (saved == Saved.REGISTERS_AND_FLAGS) {
      out.restoreFlags();
    }
    if (saved != Saved.NOTHING) {
      out.pop(register);
    }
    if (saved == Saved.REGISTERS_AND_FLAGS) {
      out.pop(RAX);
    }
    if (saved != Saved.NOTHING) {
      out.moveStack(RED_ZONE);
    }
  }
}
