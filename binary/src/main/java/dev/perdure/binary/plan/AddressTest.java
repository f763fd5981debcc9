package dev.perdure.binary.plan;

import dev.perdure.binary.decode.MemoryOperand;
import dev.perdure.binary.flow.Liveness;

/**
 * The test whether an address may be of interest. It is made in two steps: inline by the block that
 * holds the address, and out of line, where the block holds nothing but words that locked
 * instructions have touched, by the word itself.
 */
final class AddressTest {
  private static final int RED_ZONE = 128;
  private static final int RAX = 0;
  private static final int RSP = 4;
  private static final int NOT_EQUAL = 5;
  private static final int NEGATIVE = 8;

  /** The runtime marks blocks for those who test an address so near. */
  private static final long NEAR = 0xffff;

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
  private final boolean redZone;
  private int branch;

  /**
   * @param live the registers and flags whose values are needed afterwards
   * @param redZone whether there may be something below the stack pointer
   */
  AddressTest(Assembler out, MemoryOperand operand, int live, boolean redZone) {
    int free = ~live & ~operand.registers() & 0xffff & ~(1 << RSP);
    this.out = out;
    this.operand = operand;
    this.redZone = redZone;
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

  /** Whether the base register alone tells the block, or one that is marked for its neighbour. */
  private boolean baseIsNear() {
    return operand.base() >= 0
        && !operand.ripRelative()
        && operand.index() < 0
        && !operand.narrow()
        && Math.abs(operand.displacement()) <= NEAR;
  }

  /** Writes the test; it goes on where the address is of no interest. */
  void write() {
    loadAddress(baseIsNear());
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
    loadAddress(false);
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
  private void loadAddress(boolean baseIsEnough) {
    if (saved != Saved.NOTHING && redZone) {
      out.moveStack(-RED_ZONE);
    }
    if (saved == Saved.REGISTERS_AND_FLAGS) {
      out.push(RAX);
    }
    if (saved != Saved.NOTHING) {
      out.push(register);
    }
    if (baseIsEnough) {
      out.move(register, operand.base());
    } else {
      out.lea(register, operand);
    }
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
    if (saved != Saved.NOTHING && redZone) {
      out.moveStack(RED_ZONE);
    }
  }
}
