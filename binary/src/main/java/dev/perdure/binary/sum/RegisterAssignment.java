package dev.perdure.binary.sum;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.RegisterOperands;
import java.util.Optional;

/** What an instruction leaves in a register, where that can be computed from registers before. */
public record RegisterAssignment(int register, RegisterSum value) {
  private static final int RAX = 0;
  private static final int RSP = 4;

  /** Longer expressions are not worth their while. */
  private static final int LONGEST = 24;

  /**
   * The expression that gives, before the instruction, what {@code sum} gives behind it; empty
   * where there is none.
   *
   * @param changes the registers that the instruction may change
   */
  public static Optional<RegisterSum> before(Instruction i, int changes, RegisterSum sum) {
    int needed = changes & sum.registers();
    if (needed == 0) {
      return Optional.of(sum);
    }
    return of(i)
        .filter(a -> needed == 1 << a.register)
        .map(a -> sum.with(a.register, a.value))
        .filter(s -> s.size() <= LONGEST);
  }

  private static Optional<RegisterAssignment> of(Instruction i) {
    RegisterOperands o = i.operands();
    if (i.hasMemory()) {
      boolean computes = o.oneByte() && i.opcode() == 0x8d && !i.memory().narrow();
      return computes ? sized(o.field(), RegisterSum.address(i), o) : Optional.empty();
    }
    if (!o.oneByte()) {
      return ofTwoBytes(i, o);
    }
    if (isStackMove(i.opcode())) {
      boolean pops = i.opcode() >= 0x58 && i.opcode() <= 0x5f;
      return o.size() == 2
          ? Optional.empty()
          : Optional.of(new RegisterAssignment(RSP, register(RSP).plus(pops ? 8 : -8)));
    }
    return ofOneByte(i, o);
  }

  private static boolean isStackMove(int opcode) {
    return opcode >= 0x50 && opcode <= 0x5f || opcode == 0x68 || opcode == 0x6a;
  }

  private static Optional<RegisterAssignment> ofOneByte(Instruction i, RegisterOperands o) {
    RegisterSum rm = register(o.rm());
    RegisterSum field = register(o.field());
    RegisterSum immediate = RegisterSum.constant(i.immediate());
    boolean same = o.rm() == o.field();
    return switch (i.opcode()) {
      case 0x89 -> sized(o.rm(), field, o);
      case 0x8b -> sized(o.field(), rm, o);
      case 0x01 -> sized(o.rm(), rm.plus(field), o);
      case 0x03 -> sized(o.field(), field.plus(rm), o);
      case 0x29 -> sized(o.rm(), rm.plus(field.times(-1)), o);
      case 0x2b -> sized(o.field(), field.plus(rm.times(-1)), o);
      case 0x05 -> sized(RAX, register(RAX).plus(immediate), o);
      case 0x2d -> sized(RAX, register(RAX).plus(immediate.times(-1)), o);
      case 0x25 -> sized(RAX, RegisterSum.computed(Operator.AND, register(RAX), immediate), o);
      case 0x21 -> sized(o.rm(), RegisterSum.computed(Operator.AND, rm, field), o);
      case 0x23 -> sized(o.field(), RegisterSum.computed(Operator.AND, field, rm), o);
      case 0x09 -> sized(o.rm(), RegisterSum.computed(Operator.OR, rm, field), o);
      case 0x0b -> sized(o.field(), RegisterSum.computed(Operator.OR, field, rm), o);
      case 0x31, 0x33 -> {
        int target = i.opcode() == 0x31 ? o.rm() : o.field();
        yield sized(
            target,
            same ? RegisterSum.constant(0) : RegisterSum.computed(Operator.XOR, field, rm),
            o);
      }
      case 0x63 -> sized(o.field(), RegisterSum.computed(Operator.SIGNED_HALF, rm), o);
      case 0x69, 0x6b -> sized(o.field(), rm.times(i.immediate()), o);
      case 0xb8, 0xb9, 0xba, 0xbb, 0xbc, 0xbd, 0xbe, 0xbf -> sized(o.embedded(), immediate, o);
      case 0xc7 -> sized(o.rm(), immediate, o);
      default -> ofExtension(i, o, rm, immediate);
    };
  }

  private static Optional<RegisterAssignment> ofExtension(
      Instruction i, RegisterOperands o, RegisterSum rm, RegisterSum immediate) {
    int bits = 8 * o.size() - 1;
    return switch (i.opcode() << 4 | o.extension()) {
      case 0x810, 0x830 -> sized(o.rm(), rm.plus(immediate), o);
      case 0x815, 0x835 -> sized(o.rm(), rm.plus(immediate.times(-1)), o);
      case 0x811, 0x831 -> sized(o.rm(), RegisterSum.computed(Operator.OR, rm, immediate), o);
      case 0x814, 0x834 -> sized(o.rm(), RegisterSum.computed(Operator.AND, rm, immediate), o);
      case 0x816, 0x836 -> sized(o.rm(), RegisterSum.computed(Operator.XOR, rm, immediate), o);
      case 0xff0 -> sized(o.rm(), rm.plus(1), o);
      case 0xff1 -> sized(o.rm(), rm.plus(-1), o);
      case 0xf72 -> sized(o.rm(), rm.times(-1).plus(-1), o);
      case 0xf73 -> sized(o.rm(), rm.times(-1), o);
      case 0xc14, 0xc16 -> sized(o.rm(), rm.times(1L << (i.immediate() & bits)), o);
      case 0xd14, 0xd16 -> sized(o.rm(), rm.times(2), o);
      case 0xc15 -> shifted(o, Operator.SHIFT_RIGHT, i.immediate() & bits);
      case 0xd15 -> shifted(o, Operator.SHIFT_RIGHT, 1);
      case 0xc17 -> shifted(o, Operator.SHIFT_RIGHT_SIGNED, i.immediate() & bits);
      case 0xd17 -> shifted(o, Operator.SHIFT_RIGHT_SIGNED, 1);
      default -> Optional.empty();
    };
  }

  private static Optional<RegisterAssignment> shifted(
      RegisterOperands o, Operator operator, long by) {
    Operator half = operator == Operator.SHIFT_RIGHT ? Operator.LOW_HALF : Operator.SIGNED_HALF;
    RegisterSum operand =
        o.size() == 4 ? RegisterSum.computed(half, register(o.rm())) : register(o.rm());
    return sized(o.rm(), RegisterSum.computed(operator, operand, RegisterSum.constant(by)), o);
  }

  private static Optional<RegisterAssignment> ofTwoBytes(Instruction i, RegisterOperands o) {
    if (!o.twoBytes()) {
      return Optional.empty();
    }
    RegisterSum rm = register(o.rm());
    boolean upperByte = o.byteIsUpper();
    return switch (i.opcode()) {
      case 0xaf ->
          sized(o.field(), RegisterSum.computed(Operator.PRODUCT, register(o.field()), rm), o);
      case 0xb6 ->
          upperByte
              ? Optional.empty()
              : sized(o.field(), RegisterSum.computed(Operator.LOW_BYTE, rm), o);
      case 0xb7 -> sized(o.field(), RegisterSum.computed(Operator.LOW_WORD, rm), o);
      case 0xbe ->
          upperByte
              ? Optional.empty()
              : sized(o.field(), RegisterSum.computed(Operator.SIGNED_BYTE, rm), o);
      case 0xbf -> sized(o.field(), RegisterSum.computed(Operator.SIGNED_WORD, rm), o);
      default -> Optional.empty();
    };
  }

  /** A result of four bytes clears the upper half; two bytes leave the rest as it was. */
  private static Optional<RegisterAssignment> sized(
      int register, RegisterSum value, RegisterOperands o) {
    return switch (o.size()) {
      case 8 -> Optional.of(new RegisterAssignment(register, value));
      case 4 ->
          Optional.of(
              new RegisterAssignment(register, RegisterSum.computed(Operator.LOW_HALF, value)));
      default -> Optional.empty();
    };
  }

  private static RegisterSum register(int number) {
    return RegisterSum.register(number);
  }
}
