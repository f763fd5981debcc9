package dev.perdure.llvm.ir;

import static org.bytedeco.llvm.global.LLVM.*;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.llvm.LLVM.LLVMBasicBlockRef;
import org.bytedeco.llvm.LLVM.LLVMValueRef;

/** A basic block. */
public final class Block {
  private final LLVMBasicBlockRef ref;

  Block(LLVMBasicBlockRef ref) {
    this.ref = ref;
  }

  LLVMBasicBlockRef ref() {
    return ref;
  }

  /** The instructions as they are now: later insertions do not show. */
  public List<Instruction> instructions() {
    List<Instruction> instructions = new ArrayList<>();
    for (LLVMValueRef i = LLVMGetFirstInstruction(ref); i != null; i = LLVMGetNextInstruction(i)) {
      instructions.add(new Instruction(i));
    }
    return instructions;
  }

  /** Where code may be put first: behind phis and the landing pad. */
  public Instruction firstInsertionPoint() {
    LLVMValueRef i = LLVMGetFirstInstruction(ref);
    while (true) {
      int opcode = LLVMGetInstructionOpcode(i);
      if (opcode != LLVMPHI
          && opcode != LLVMLandingPad
          && opcode != LLVMCatchPad
          && opcode != LLVMCleanupPad) {
        return new Instruction(i);
      }
      i = LLVMGetNextInstruction(i);
    }
  }

  /** The first instruction that is no alloca. */
  public Instruction afterAllocas() {
    LLVMValueRef i = LLVMGetFirstInstruction(ref);
    while (LLVMGetInstructionOpcode(i) == LLVMAlloca) {
      i = LLVMGetNextInstruction(i);
    }
    return new Instruction(i);
  }

  /** The last instruction. */
  public Instruction terminator() {
    return new Instruction(LLVMGetBasicBlockTerminator(ref));
  }

  /** The blocks that control may pass to from here, in the order of the terminator's operands. */
  public List<Block> successors() {
    List<Block> successors = new ArrayList<>();
    LLVMValueRef last = LLVMGetBasicBlockTerminator(ref);
    for (int i = 0; i < LLVMGetNumSuccessors(last); i++) {
      successors.add(new Block(LLVMGetSuccessor(last, i)));
    }
    return successors;
  }

  /** Whether exactly one branch leads here. */
  public boolean hasSinglePredecessor() {
    var use = LLVMGetFirstUse(LLVMBasicBlockAsValue(ref));
    return use != null && LLVMGetNextUse(use) == null;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Block b && b.ref.address() == ref.address();
  }

  @Override
  public int hashCode() {
    return Long.hashCode(ref.address());
  }
}
