package dev.perdure.llvm.ir;

import static org.bytedeco.llvm.global.LLVM.*;

import java.util.Optional;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.llvm.LLVM.LLVMContextRef;
import org.bytedeco.llvm.LLVM.LLVMMetadataRef;
import org.bytedeco.llvm.LLVM.LLVMValueRef;

/**
 * A lexical block, function, class or namespace of the debug information. The C API has no
 * accessors for names and parents: they are operands 1 (scope), 2 (name) and 3 (linkage name) of
 * the metadata node.
 */
public final class DebugScope {
  private static final int PARENT = 1;
  private static final int NAME = 2;
  private static final int LINKAGE_NAME = 3;

  private final LLVMContextRef context;
  private final LLVMMetadataRef ref;

  DebugScope(LLVMContextRef context, LLVMMetadataRef ref) {
    this.context = context;
    this.ref = ref;
  }

  /** The file as the compiler saw it, or nothing. */
  public String file() {
    LLVMMetadataRef file = LLVMDIScopeGetFile(ref);
    if (file == null) {
      return "";
    }
    try (IntPointer length = new IntPointer(1)) {
      BytePointer name = LLVMDIFileGetFilename(file, length);
      return name == null ? "" : name.limit(length.get()).getString();
    }
  }

  /** The function around this block, or the scope itself. */
  public DebugScope subprogram() {
    DebugScope scope = this;
    while (scope.isBlock()) {
      Optional<DebugScope> parent = scope.parent();
      if (parent.isEmpty()) {
        return scope;
      }
      scope = parent.get();
    }
    return scope;
  }

  /** The line where a function begins. */
  public int line() {
    return kind() == LLVMDISubprogramMetadataKind ? LLVMDISubprogramGetLine(ref) : 0;
  }

  public boolean isNamespace() {
    return kind() == LLVMDINamespaceMetadataKind;
  }

  /** A namespace, class, structure or union, whose name qualifies what is inside. */
  public boolean qualifies() {
    return isNamespace() || kind() == LLVMDICompositeTypeMetadataKind;
  }

  public Optional<DebugScope> parent() {
    return operand(PARENT)
        .filter(value -> LLVMIsAMDNode(value) != null)
        .map(value -> new DebugScope(context, LLVMValueAsMetadata(value)));
  }

  public String name() {
    return string(NAME);
  }

  public String linkageName() {
    return string(LINKAGE_NAME);
  }

  private boolean isBlock() {
    int kind = kind();
    return kind == LLVMDILexicalBlockMetadataKind || kind == LLVMDILexicalBlockFileMetadataKind;
  }

  private int kind() {
    return LLVMGetMetadataKind(ref);
  }

  private String string(int index) {
    Optional<LLVMValueRef> value = operand(index).filter(v -> LLVMIsAMDString(v) != null);
    if (value.isEmpty()) {
      return "";
    }
    try (IntPointer length = new IntPointer(1)) {
      return LLVMGetMDString(value.get(), length).limit(length.get()).getString();
    }
  }

  private Optional<LLVMValueRef> operand(int index) {
    LLVMValueRef node = LLVMMetadataAsValue(context, ref);
    int count = LLVMGetMDNodeNumOperands(node);
    if (index >= count) {
      return Optional.empty();
    }
    try (var operands = new PointerPointer<LLVMValueRef>(count)) {
      LLVMGetMDNodeOperands(node, operands);
      return Optional.ofNullable(operands.get(LLVMValueRef.class, index));
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DebugScope s && s.ref.address() == ref.address();
  }

  @Override
  public int hashCode() {
    return Long.hashCode(ref.address());
  }
}
