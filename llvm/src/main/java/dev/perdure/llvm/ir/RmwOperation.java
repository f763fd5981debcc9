package dev.perdure.llvm.ir;

import static org.bytedeco.llvm.global.LLVM.*;

/** What an atomic read-modify-write makes of the old value. */
public enum RmwOperation {
  EXCHANGE,
  ADD,
  SUBTRACT,
  AND,
  NAND,
  OR,
  XOR,
  MAX,
  MIN,
  UNSIGNED_MAX,
  UNSIGNED_MIN,
  FLOAT_ADD,
  FLOAT_SUBTRACT,
  OTHER;

  static RmwOperation of(int operation) {
    return switch (operation) {
      case LLVMAtomicRMWBinOpXchg -> EXCHANGE;
      case LLVMAtomicRMWBinOpAdd -> ADD;
      case LLVMAtomicRMWBinOpSub -> SUBTRACT;
      case LLVMAtomicRMWBinOpAnd -> AND;
      case LLVMAtomicRMWBinOpNand -> NAND;
      case LLVMAtomicRMWBinOpOr -> OR;
      case LLVMAtomicRMWBinOpXor -> XOR;
      case LLVMAtomicRMWBinOpMax -> MAX;
      case LLVMAtomicRMWBinOpMin -> MIN;
      case LLVMAtomicRMWBinOpUMax -> UNSIGNED_MAX;
      case LLVMAtomicRMWBinOpUMin -> UNSIGNED_MIN;
      case LLVMAtomicRMWBinOpFAdd -> FLOAT_ADD;
      case LLVMAtomicRMWBinOpFSub -> FLOAT_SUBTRACT;
      default -> OTHER;
    };
  }
}
