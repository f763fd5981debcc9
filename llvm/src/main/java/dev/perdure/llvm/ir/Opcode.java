package dev.perdure.llvm.ir;

import static org.bytedeco.llvm.global.LLVM.*;

/** The opcodes that the instrumentation tells apart. */
public enum Opcode {
  ALLOCA,
  LOAD,
  STORE,
  FENCE,
  COMPARE_EXCHANGE,
  READ_MODIFY_WRITE,
  CALL,
  INVOKE,
  CALL_BRANCH,
  GET_ELEMENT_POINTER,
  BIT_CAST,
  FREEZE,
  SELECT,
  PHI,
  COMPARE,

  /** Integer arithmetic that cannot fail, and conversions between integers. */
  ARITHMETIC,
  POINTER_TO_INTEGER,
  INTEGER_TO_POINTER,
  EXTRACT_VALUE,
  INSERT_VALUE,
  VECTOR,
  RETURN,
  BRANCH,
  UNREACHABLE,
  OTHER;

  static Opcode of(int opcode) {
    return switch (opcode) {
      case LLVMAlloca -> ALLOCA;
      case LLVMLoad -> LOAD;
      case LLVMStore -> STORE;
      case LLVMFence -> FENCE;
      case LLVMAtomicCmpXchg -> COMPARE_EXCHANGE;
      case LLVMAtomicRMW -> READ_MODIFY_WRITE;
      case LLVMCall -> CALL;
      case LLVMInvoke -> INVOKE;
      case LLVMCallBr -> CALL_BRANCH;
      case LLVMGetElementPtr -> GET_ELEMENT_POINTER;
      case LLVMBitCast -> BIT_CAST;
      case LLVMFreeze -> FREEZE;
      case LLVMSelect -> SELECT;
      case LLVMPHI -> PHI;
      case LLVMICmp -> COMPARE;
      case LLVMAdd,
          LLVMSub,
          LLVMMul,
          LLVMAnd,
          LLVMOr,
          LLVMXor,
          LLVMShl,
          LLVMLShr,
          LLVMAShr,
          LLVMTrunc,
          LLVMZExt,
          LLVMSExt ->
          ARITHMETIC;
      case LLVMPtrToInt -> POINTER_TO_INTEGER;
      case LLVMIntToPtr -> INTEGER_TO_POINTER;
      case LLVMExtractValue -> EXTRACT_VALUE;
      case LLVMInsertValue -> INSERT_VALUE;
      case LLVMExtractElement, LLVMInsertElement, LLVMShuffleVector -> VECTOR;
      case LLVMRet -> RETURN;
      case LLVMBr -> BRANCH;
      case LLVMUnreachable -> UNREACHABLE;
      default -> OTHER;
    };
  }
}
