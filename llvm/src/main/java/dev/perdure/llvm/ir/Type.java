package dev.perdure.llvm.ir;

import static org.bytedeco.llvm.global.LLVM.*;

import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.llvm.LLVM.LLVMTypeRef;

/** A type. */
public final class Type {
  private final LLVMTypeRef ref;

  Type(LLVMTypeRef ref) {
    this.ref = ref;
  }

  LLVMTypeRef ref() {
    return ref;
  }

  int kind() {
    return LLVMGetTypeKind(ref);
  }

  public boolean isInteger() {
    return kind() == LLVMIntegerTypeKind;
  }

  public boolean isPointer() {
    return kind() == LLVMPointerTypeKind;
  }

  /** Neither void nor one of the types that only LLVM itself has a use for. */
  public boolean isData() {
    return switch (kind()) {
      case LLVMVoidTypeKind,
          LLVMLabelTypeKind,
          LLVMMetadataTypeKind,
          LLVMTokenTypeKind,
          LLVMFunctionTypeKind ->
          false;
      default -> true;
    };
  }

  /** A pointer into the ordinary address space. */
  public boolean isOrdinaryPointer() {
    return isPointer() && LLVMGetPointerAddressSpace(ref) == 0;
  }

  /** IEEE formats whose bits are the bytes in memory: half, bfloat, float, double. */
  public boolean isPlainFloat() {
    return switch (kind()) {
      case LLVMHalfTypeKind, LLVMBFloatTypeKind, LLVMFloatTypeKind, LLVMDoubleTypeKind -> true;
      default -> false;
    };
  }

  public boolean isStruct() {
    return kind() == LLVMStructTypeKind;
  }

  public boolean isArray() {
    return kind() == LLVMArrayTypeKind;
  }

  /** How many fields a struct has. */
  public int fieldCount() {
    return LLVMCountStructElementTypes(ref);
  }

  public Type field(int index) {
    return new Type(LLVMStructGetTypeAtIndex(ref, index));
  }

  /** The name of a struct type; empty for literal ones. */
  public String structName() {
    BytePointer name = isStruct() ? LLVMGetStructName(ref) : null;
    return name == null ? "" : name.getString();
  }

  public boolean isFixedVector() {
    return kind() == LLVMVectorTypeKind;
  }

  public boolean isScalableVector() {
    return kind() == LLVMScalableVectorTypeKind;
  }

  /** Lanes of a vector. */
  public int lanes() {
    return LLVMGetVectorSize(ref);
  }

  /** What a vector or array consists of. */
  public Type element() {
    return new Type(LLVMGetElementType(ref));
  }

  /** The width of an integer or plain float. */
  public int numberBits() {
    return switch (kind()) {
      case LLVMIntegerTypeKind -> LLVMGetIntTypeWidth(ref);
      case LLVMDoubleTypeKind -> 64;
      case LLVMFloatTypeKind -> 32;
      default -> 16;
    };
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Type t && t.ref.address() == ref.address();
  }

  @Override
  public int hashCode() {
    return Long.hashCode(ref.address());
  }

  @Override
  public String toString() {
    BytePointer text = LLVMPrintTypeToString(ref);
    String result = text.getString();
    LLVMDisposeMessage(text);
    return result;
  }
}
