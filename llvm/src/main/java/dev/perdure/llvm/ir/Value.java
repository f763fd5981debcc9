package dev.perdure.llvm.ir;

import static org.bytedeco.llvm.global.LLVM.*;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.SizeTPointer;
import org.bytedeco.llvm.LLVM.LLVMValueRef;

/** Anything that can be an operand. */
public class Value {
  private final LLVMValueRef ref;

  Value(LLVMValueRef ref) {
    this.ref = ref;
  }

  LLVMValueRef ref() {
    return ref;
  }

  public Type type() {
    return new Type(LLVMTypeOf(ref));
  }

  public String name() {
    try (SizeTPointer length = new SizeTPointer(1)) {
      BytePointer name = LLVMGetValueName2(ref, length);
      return name.limit(length.get()).getString();
    }
  }

  /** This value as an instruction, if it is one. */
  public Optional<Instruction> instruction() {
    return kind() == LLVMInstructionValueKind
        ? Optional.of(new Instruction(ref))
        : Optional.empty();
  }

  /** A global variable, function, alias: its address is fixed when the program is loaded. */
  public boolean isGlobal() {
    return switch (kind()) {
      case LLVMGlobalVariableValueKind,
          LLVMFunctionValueKind,
          LLVMGlobalAliasValueKind,
          LLVMGlobalIFuncValueKind ->
          true;
      default -> false;
    };
  }

  public boolean isConstantExpression() {
    return kind() == LLVMConstantExprValueKind;
  }

  /** Null, undefined and poison: no address at all. */
  public boolean isNullOrUndefined() {
    return switch (kind()) {
      case LLVMConstantPointerNullValueKind, LLVMUndefValueValueKind, LLVMPoisonValueValueKind ->
          true;
      default -> false;
    };
  }

  /** An argument that is passed as a copy on the stack. */
  public boolean isByValueArgument() {
    if (kind() != LLVMArgumentValueKind) {
      return false;
    }
    LLVMValueRef function = LLVMGetParamParent(ref);
    int kind = Attribute.BYVAL.kind();
    for (int i = 0; i < LLVMCountParams(function); i++) {
      if (LLVMGetParam(function, i).address() == ref.address()) {
        return LLVMGetEnumAttributeAtIndex(function, i + 1, kind) != null;
      }
    }
    return false;
  }

  /** A parameter of a function. */
  public boolean isArgument() {
    return kind() == LLVMArgumentValueKind;
  }

  /** This value as a function, if it is one. */
  public Optional<Function> function() {
    return kind() == LLVMFunctionValueKind ? Optional.of(new Function(ref)) : Optional.empty();
  }

  /** The value of an integer constant of at most 64 bits, sign-extended. */
  public OptionalLong constantInteger() {
    return kind() == LLVMConstantIntValueKind && LLVMGetIntTypeWidth(LLVMTypeOf(ref)) <= 64
        ? OptionalLong.of(LLVMConstIntGetSExtValue(ref))
        : OptionalLong.empty();
  }

  /** Hides a global from other modules. */
  public void makeInternal() {
    LLVMSetLinkage(ref, LLVMInternalLinkage);
  }

  /** Operand of an instruction or constant expression. */
  public Value operand(int index) {
    return new Value(LLVMGetOperand(ref, index));
  }

  public int operandCount() {
    return LLVMGetNumOperands(ref);
  }

  /** The opcode of a constant expression. */
  public Opcode constantOpcode() {
    return Opcode.of(LLVMGetConstOpcode(ref));
  }

  int kind() {
    return LLVMGetValueKind(ref);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Value v && v.ref.address() == ref.address();
  }

  @Override
  public int hashCode() {
    return Long.hashCode(ref.address());
  }

  /** The text that a constant pointer leads to, without its end. */
  public Optional<String> constantString() {
    if (LLVMIsAGlobalVariable(ref) == null || LLVMIsGlobalConstant(ref) == 0) {
      return Optional.empty();
    }
    LLVMValueRef text = LLVMGetInitializer(ref);
    if (text == null || LLVMIsConstantString(text) == 0) {
      return Optional.empty();
    }
    try (SizeTPointer length = new SizeTPointer(1)) {
      String all = LLVMGetAsString(text, length).limit(length.get()).getString();
      return Optional.of(all.replace("\0", ""));
    }
  }

  @Override
  public String toString() {
    BytePointer text = LLVMPrintValueToString(ref);
    String result = text.getString();
    LLVMDisposeMessage(text);
    return result;
  }

  /** Uses of the value by instructions, each as the instruction that uses it. */
  public Iterable<Instruction> users() {
    List<Instruction> users = new ArrayList<>();
    for (var use = LLVMGetFirstUse(ref()); use != null; use = LLVMGetNextUse(use)) {
      var user = LLVMGetUser(use);
      if (LLVMIsAInstruction(user) != null) {
        users.add(new Instruction(user));
      }
    }
    return users;
  }
}
