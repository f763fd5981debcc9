package dev.perdure.llvm.ir;

import static org.bytedeco.llvm.global.LLVM.*;

import java.util.List;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.llvm.LLVM.LLVMBuilderRef;
import org.bytedeco.llvm.LLVM.LLVMContextRef;
import org.bytedeco.llvm.LLVM.LLVMTypeRef;
import org.bytedeco.llvm.LLVM.LLVMValueRef;

/** Inserts instructions at a place. New instructions take the debug location of that place. */
public final class Builder implements AutoCloseable {
  private static final int MOST_ARGUMENTS = 16;
  private static final String MEMORY_CLOBBER = "~{memory}";

  private final LLVMBuilderRef ref;
  private final LLVMContextRef context;
  private final LLVMTypeRef i8;
  private final LLVMTypeRef i64;
  private final LLVMTypeRef pointer;
  private final PointerPointer<LLVMValueRef> arguments = new PointerPointer<>(MOST_ARGUMENTS);
  private final BytePointer unnamed = new BytePointer("");

  Builder(LLVMContextRef context) {
    this.context = context;
    this.ref = LLVMCreateBuilderInContext(context);
    this.i8 = LLVMInt8TypeInContext(context);
    this.i64 = LLVMInt64TypeInContext(context);
    this.pointer = LLVMPointerTypeInContext(context, 0);
  }

  /** Right before an instruction. */
  public Builder before(Instruction place) {
    LLVMPositionBuilderBefore(ref, place.ref());
    LLVMSetCurrentDebugLocation2(ref, LLVMInstructionGetDebugLoc(place.ref()));
    return this;
  }

  /** Right behind an instruction that is no terminator. */
  public Builder after(Instruction place) {
    LLVMPositionBuilderBefore(ref, LLVMGetNextInstruction(place.ref()));
    LLVMSetCurrentDebugLocation2(ref, LLVMInstructionGetDebugLoc(place.ref()));
    return this;
  }

  public Instruction call(Function function, Value... values) {
    return call(function, List.of(values));
  }

  public Instruction call(Function function, List<Value> values) {
    for (int i = 0; i < values.size(); i++) {
      arguments.put(i, values.get(i).ref());
    }
    LLVMValueRef call =
        LLVMBuildCall2(
            ref, function.functionType().ref(), function.ref(), arguments, values.size(), "");
    LLVMSetInstructionCallConv(call, function.callingConvention());
    return new Instruction(call);
  }

  /**
   * Keeps the compiler from moving accesses over this place; the processor sees nothing of it. It
   * is empty assembly, for over a fence of a single thread the code generator still moves loads.
   */
  public void compilerBarrier() {
    LLVMTypeRef type =
        LLVMFunctionType(
            LLVMVoidTypeInContext(context), new PointerPointer<LLVMTypeRef>(), 0, /* VarArg= */ 0);
    try (BytePointer clobber = new BytePointer(MEMORY_CLOBBER)) {
      LLVMValueRef assembly =
          LLVMGetInlineAsm(
              type,
              unnamed,
              0,
              clobber,
              MEMORY_CLOBBER.length(),
              /* HasSideEffects= */ 1,
              /* IsAlignStack= */ 0,
              LLVMInlineAsmDialectATT,
              /* CanThrow= */ 0);
      LLVMBuildCall2(ref, type, assembly, arguments, 0, "");
    }
  }

  /** A copy of an instruction, which has its own operands from now on. */
  public Instruction copy(Instruction original) {
    LLVMValueRef copy = LLVMInstructionClone(original.ref());
    LLVMInsertIntoBuilder(ref, copy);
    return new Instruction(copy);
  }

  public Value integer(int bits, long value) {
    return new Value(LLVMConstInt(LLVMIntTypeInContext(context, bits), value, 0));
  }

  /** The bits of an integer, pointer or plain float of at most 64 bits, zero-extended to 64. */
  public Value bits64(Value value) {
    Type type = value.type();
    if (type.isPointer()) {
      return new Value(LLVMBuildPtrToInt(ref, value.ref(), i64, unnamed));
    }
    return resize(asInteger(value), 64);
  }

  /** An integer of another width: zero-extended or cut. */
  public Value resize(Value integer, int bits) {
    return new Value(
        LLVMBuildIntCast2(
            ref, integer.ref(), LLVMIntTypeInContext(context, bits), /* IsSigned= */ 0, unnamed));
  }

  /** An integer of at least its width, with the sign kept. */
  public Value signExtended(Value integer, int bits) {
    return new Value(
        LLVMBuildIntCast2(
            ref, integer.ref(), LLVMIntTypeInContext(context, bits), /* IsSigned= */ 1, unnamed));
  }

  /** A float or a vector of numbers as the integer with the same bits; an integer as it is. */
  public Value asInteger(Value value) {
    Type type = value.type();
    if (type.isInteger()) {
      return value;
    }
    int bits =
        type.isFixedVector() ? type.lanes() * type.element().numberBits() : type.numberBits();
    return new Value(
        LLVMBuildBitCast(ref, value.ref(), LLVMIntTypeInContext(context, bits), unnamed));
  }

  /** An integer as a pointer; a pointer as it is. */
  public Value asPointer(Value value) {
    return value.type().isPointer()
        ? value
        : new Value(LLVMBuildIntToPtr(ref, value.ref(), pointer, unnamed));
  }

  /** A number of bytes behind a pointer. */
  public Value offset(Value base, Value bytes) {
    arguments.put(0, bytes.ref());
    return new Value(LLVMBuildGEP2(ref, i8, base.ref(), arguments, 1, ""));
  }

  public Value load(Type type, Value address) {
    return new Value(LLVMBuildLoad2(ref, type.ref(), address.ref(), unnamed));
  }

  public void store(Value value, Value address) {
    LLVMBuildStore(ref, value.ref(), address.ref());
  }

  /** A stack slot: to be built at a function's entry only. */
  public Value stackSlot(Type type) {
    return new Value(LLVMBuildAlloca(ref, type.ref(), unnamed));
  }

  public Value add(Value a, Value b) {
    return binary(LLVMAdd, a, b);
  }

  public Value subtract(Value a, Value b) {
    return binary(LLVMSub, a, b);
  }

  public Value multiply(Value a, Value b) {
    return binary(LLVMMul, a, b);
  }

  public Value and(Value a, Value b) {
    return binary(LLVMAnd, a, b);
  }

  public Value or(Value a, Value b) {
    return binary(LLVMOr, a, b);
  }

  public Value xor(Value a, Value b) {
    return binary(LLVMXor, a, b);
  }

  /** The bits of an integer from this one on. */
  public Value upper(Value integer, int from) {
    Value distance = new Value(LLVMConstInt(integer.type().ref(), from, 0));
    return binary(LLVMLShr, integer, distance);
  }

  public Value floatAdd(Value a, Value b) {
    return binary(LLVMFAdd, a, b);
  }

  public Value floatSubtract(Value a, Value b) {
    return binary(LLVMFSub, a, b);
  }

  public Value not(Value a) {
    return new Value(LLVMBuildNot(ref, a.ref(), unnamed));
  }

  public Value signedLess(Value a, Value b) {
    return compare(LLVMIntSLT, a, b);
  }

  public Value unsignedLess(Value a, Value b) {
    return compare(LLVMIntULT, a, b);
  }

  public Value equal(Value a, Value b) {
    return compare(LLVMIntEQ, a, b);
  }

  public Value notEqual(Value a, Value b) {
    return compare(LLVMIntNE, a, b);
  }

  public Value select(Value condition, Value yes, Value no) {
    return new Value(LLVMBuildSelect(ref, condition.ref(), yes.ref(), no.ref(), unnamed));
  }

  /** A field of a struct value. */
  public Value field(Value struct, int index) {
    return new Value(LLVMBuildExtractValue(ref, struct.ref(), index, unnamed));
  }

  /** A phi without incoming values yet, at the beginning of a block. */
  public Instruction phi(Type type) {
    return new Instruction(LLVMBuildPhi(ref, type.ref(), unnamed));
  }

  /** A lane of a vector. */
  public Value lane(Value vector, int index) {
    return new Value(LLVMBuildExtractElement(ref, vector.ref(), integer(32, index).ref(), unnamed));
  }

  private Value binary(int opcode, Value a, Value b) {
    return new Value(LLVMBuildBinOp(ref, opcode, a.ref(), b.ref(), unnamed));
  }

  private Value compare(int predicate, Value a, Value b) {
    return new Value(LLVMBuildICmp(ref, predicate, a.ref(), b.ref(), unnamed));
  }

  @Override
  public void close() {
    LLVMDisposeBuilder(ref);
    arguments.close();
    unnamed.close();
  }
}
