package dev.perdure.llvm.ir;

import static org.bytedeco.llvm.global.LLVM.*;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.llvm.LLVM.LLVMBasicBlockRef;
import org.bytedeco.llvm.LLVM.LLVMMetadataRef;
import org.bytedeco.llvm.LLVM.LLVMValueRef;

/** An instruction. The accessors that speak of memory are for the opcodes that access it. */
public class Instruction extends Value {
  private static final String NONTEMPORAL = "nontemporal";
  private static final String TBAA = "tbaa";

  Instruction(LLVMValueRef ref) {
    super(ref);
  }

  public Opcode opcode() {
    return Opcode.of(LLVMGetInstructionOpcode(ref()));
  }

  public Block block() {
    return new Block(LLVMGetInstructionParent(ref()));
  }

  /** A branch without a condition. */
  public boolean isJump() {
    return LLVMGetInstructionOpcode(ref()) == LLVMBr && LLVMIsConditional(ref()) == 0;
  }

  /** The function that contains it. */
  public Function owner() {
    return new Function(LLVMGetBasicBlockParent(LLVMGetInstructionParent(ref())));
  }

  public Optional<Instruction> next() {
    return Optional.ofNullable(LLVMGetNextInstruction(ref())).map(Instruction::new);
  }

  public Optional<Instruction> previous() {
    return Optional.ofNullable(LLVMGetPreviousInstruction(ref())).map(Instruction::new);
  }

  /** The call view of a call, invoke or asm goto. */
  public Call asCall() {
    return new Call(ref());
  }

  /** The address of a load, store, read-modify-write or compare-exchange. */
  public Value address() {
    return operand(opcode() == Opcode.STORE ? 1 : 0);
  }

  /** What a store writes. */
  public Value stored() {
    return operand(0);
  }

  public boolean isVolatile() {
    return LLVMGetVolatile(ref()) != 0;
  }

  public boolean isNonTemporal() {
    return LLVMHasMetadata(ref()) != 0
        && LLVMGetMetadata(ref(), LLVMGetMDKindID(NONTEMPORAL, NONTEMPORAL.length())) != null;
  }

  /** The order; for a compare-exchange that of its success. */
  public AtomicOrder order() {
    return AtomicOrder.of(
        opcode() == Opcode.COMPARE_EXCHANGE
            ? LLVMGetCmpXchgSuccessOrdering(ref())
            : LLVMGetOrdering(ref()));
  }

  /** The order of a compare-exchange that finds another value. */
  public AtomicOrder orderOfFailure() {
    return AtomicOrder.of(LLVMGetCmpXchgFailureOrdering(ref()));
  }

  /** Whether an access or fence has acquire order; for a compare-exchange, in either case. */
  public boolean acquires() {
    return order().acquires() || opcode() == Opcode.COMPARE_EXCHANGE && orderOfFailure().acquires();
  }

  /** Ordered only against signal handlers of its own thread. */
  public boolean isSingleThread() {
    return opcode() == Opcode.FENCE
        ? toString().contains("syncscope(\"singlethread\")")
        : LLVMIsAtomicSingleThread(ref()) != 0;
  }

  public RmwOperation rmwOperation() {
    return RmwOperation.of(LLVMGetAtomicRMWBinOp(ref()));
  }

  /** Whether a getelementptr stays in the object that its base points into. */
  public boolean isInBounds() {
    return LLVMIsInBounds(ref()) != 0;
  }

  /**
   * The field that an access is said to be of by its type-based alias metadata.
   *
   * @param struct the type that contains the field
   * @param offset where in the type it lies
   */
  public record Field(String struct, long offset) {}

  /** The field of a struct that a load or store accesses, where the compiler has said so. */
  public Optional<Field> field() {
    LLVMValueRef tag =
        LLVMHasMetadata(ref()) == 0
            ? null
            : LLVMGetMetadata(ref(), LLVMGetMDKindID(TBAA, TBAA.length()));
    if (tag == null || LLVMGetMDNodeNumOperands(tag) < 3) {
      return Optional.empty();
    }
    try (var operands = new PointerPointer<LLVMValueRef>(LLVMGetMDNodeNumOperands(tag))) {
      LLVMGetMDNodeOperands(tag, operands);
      LLVMValueRef base = operands.get(LLVMValueRef.class, 0);
      LLVMValueRef access = operands.get(LLVMValueRef.class, 1);
      LLVMValueRef offset = operands.get(LLVMValueRef.class, 2);
      if (base == null || access == null || offset == null || base.address() == access.address()) {
        return Optional.empty();
      }
      return Optional.of(new Field(typeName(base), LLVMConstIntGetSExtValue(offset)));
    }
  }

  private static String typeName(LLVMValueRef typeNode) {
    try (var operands = new PointerPointer<LLVMValueRef>(LLVMGetMDNodeNumOperands(typeNode));
        IntPointer length = new IntPointer(1)) {
      LLVMGetMDNodeOperands(typeNode, operands);
      LLVMValueRef name = operands.get(LLVMValueRef.class, 0);
      return name == null || LLVMIsAMDString(name) == null
          ? ""
          : LLVMGetMDString(name, length).limit(length.get()).getString();
    }
  }

  /** Which field an extractvalue or insertvalue is about; of nested ones, the outermost first. */
  public List<Integer> fieldPath() {
    int count = LLVMGetNumIndices(ref());
    IntPointer indices = LLVMGetIndices(ref());
    List<Integer> path = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      path.add(indices.get(i));
    }
    return path;
  }

  /** Values that flow into a phi. */
  public int incomingCount() {
    return LLVMCountIncoming(ref());
  }

  public Value incoming(int index) {
    return new Value(LLVMGetIncomingValue(ref(), index));
  }

  /** The block that the value of the same index comes from. */
  public Block incomingBlock(int index) {
    return new Block(LLVMGetIncomingBlock(ref(), index));
  }

  public void addIncoming(Value value, Block from) {
    try (var values = new PointerPointer<LLVMValueRef>(1);
        var blocks = new PointerPointer<LLVMBasicBlockRef>(1)) {
      LLVMAddIncoming(ref(), values.put(0, value.ref()), blocks.put(0, from.ref()), 1);
    }
  }

  /** What a load, store or stack slot promises of its address. */
  public int alignment() {
    return LLVMGetAlignment(ref());
  }

  /** The type that a getelementptr steps through. */
  public Type sourceElementType() {
    return new Type(LLVMGetGEPSourceElementType(ref()));
  }

  /** Whether a comparison asks for equality; the other one that is asked for is its opposite. */
  public boolean isEquality() {
    return LLVMGetICmpPredicate(ref()) == LLVMIntEQ;
  }

  /** Whether a comparison asks if its first operand is smaller than its second. */
  public boolean isBelow() {
    int predicate = LLVMGetICmpPredicate(ref());
    return predicate == LLVMIntULT || predicate == LLVMIntSLT;
  }

  /** Whether a comparison asks if its first operand is larger than its second. */
  public boolean isAbove() {
    int predicate = LLVMGetICmpPredicate(ref());
    return predicate == LLVMIntUGT || predicate == LLVMIntSGT;
  }

  public boolean isAddition() {
    return LLVMGetInstructionOpcode(ref()) == LLVMAdd;
  }

  public boolean isBitwiseAnd() {
    return LLVMGetInstructionOpcode(ref()) == LLVMAnd;
  }

  public void setOperand(int index, Value value) {
    LLVMSetOperand(ref(), index, value.ref());
  }

  public void erase() {
    LLVMInstructionEraseFromParent(ref());
  }

  public Optional<DebugLocation> debugLocation() {
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(ref());
    return location == null
        ? Optional.empty()
        : Optional.of(new DebugLocation(LLVMGetTypeContext(LLVMTypeOf(ref())), location));
  }
}
