package dev.perdure.binary.decode;

/**
 * A decoded instruction.
 *
 * @param address of its first byte, relative to the module's base
 * @param opcode the last byte of the opcode
 * @param memory its memory operand, or {@link MemoryOperand#NONE}
 * @param hasMemory whether there is a memory operand, also one that is only computed
 * @param size bytes that are accessed
 * @param locked whether it has a lock prefix
 * @param repeated whether it has a rep or repne prefix
 * @param reads general registers that it may read, a bit each
 * @param writes general registers that it overwrites completely
 * @param changes general registers that it may change, in whole or in part; calls change what their
 *     callees change
 * @param flagsRead whether it may read arithmetic flags
 * @param flagsKilled whether it overwrites all of them, whatever they were
 * @param immediate the immediate or the relative displacement, sign-extended
 * @param immediateAt where in the instruction it is; 0 if there is none
 * @param register the general register that is moved to or from memory, or -1
 * @param operands which registers its encoding names
 * @param vector of gathers and masked moves only
 */
public record Instruction(
    long address,
    int length,
    int opcode,
    Operation operation,
    MemoryOperand memory,
    boolean hasMemory,
    Access access,
    int size,
    boolean locked,
    boolean repeated,
    int reads,
    int writes,
    int changes,
    boolean flagsRead,
    boolean flagsKilled,
    long immediate,
    int immediateAt,
    int register,
    RegisterOperands operands,
    VectorRegisters vector) {

  public long end() {
    return address + length;
  }

  /** Where a relative jump or call goes. */
  public long target() {
    return end() + immediate;
  }

  /** The address of a rip-relative operand. */
  public long ripTarget() {
    return end() + memory.displacement();
  }

  /** Whether it locks the bus: by a prefix, or because an exchange with memory always does. */
  public boolean atomic() {
    return hasMemory && (locked || operation == Operation.EXCHANGE);
  }
}
