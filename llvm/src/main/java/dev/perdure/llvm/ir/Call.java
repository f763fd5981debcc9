package dev.perdure.llvm.ir;

import static org.bytedeco.llvm.global.LLVM.*;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.SizeTPointer;
import org.bytedeco.llvm.LLVM.LLVMAttributeRef;
import org.bytedeco.llvm.LLVM.LLVMValueRef;

/** A call, an invoke, or an asm goto. */
public final class Call extends Instruction {

  Call(LLVMValueRef ref) {
    super(ref);
  }

  public Value callee() {
    return new Value(LLVMGetCalledValue(ref()));
  }

  /** The function that is called, if the call names one. */
  public Optional<Function> calledFunction() {
    return callee().function();
  }

  /** The type of the function, also where it is called through a pointer. */
  public Type calledType() {
    return new Type(LLVMGetCalledFunctionType(ref()));
  }

  public int argumentCount() {
    return LLVMGetNumArgOperands(ref());
  }

  public Value argument(int index) {
    return operand(index);
  }

  public boolean isInlineAssembly() {
    return callee().kind() == LLVMInlineAsmValueKind;
  }

  public String assemblyText() {
    try (SizeTPointer length = new SizeTPointer(1)) {
      BytePointer text = LLVMGetInlineAsmAsmString(callee().ref(), length);
      return text == null ? "" : text.limit(length.get()).getString();
    }
  }

  public String assemblyConstraints() {
    try (SizeTPointer length = new SizeTPointer(1)) {
      BytePointer text = LLVMGetInlineAsmConstraintString(callee().ref(), length);
      return text == null ? "" : text.limit(length.get()).getString();
    }
  }

  /** Replaces the text of inline assembly; its operands stay. */
  public void setAssemblyText(String text) {
    var old = callee().ref();
    String constraints = assemblyConstraints();
    try (BytePointer newText = new BytePointer(text, StandardCharsets.UTF_8);
        BytePointer sameConstraints = new BytePointer(constraints)) {
      LLVMValueRef replaced =
          LLVMGetInlineAsm(
              LLVMGetInlineAsmFunctionType(old),
              newText,
              text.getBytes(StandardCharsets.UTF_8).length,
              sameConstraints,
              constraints.length(),
              LLVMGetInlineAsmHasSideEffects(old),
              LLVMGetInlineAsmNeedsAlignedStack(old),
              LLVMGetInlineAsmDialect(old),
              LLVMGetInlineAsmCanUnwind(old));
      LLVMSetOperand(ref(), LLVMGetNumOperands(ref()) - 1, replaced);
    }
  }

  /** Whether inline assembly says that it may read and write any memory. */
  public boolean clobbersMemory() {
    return List.of(assemblyConstraints().split(",")).contains("~{memory}");
  }

  /** Whether inline assembly reads or writes anything by name. */
  public boolean hasAssemblyOperands() {
    return List.of(assemblyConstraints().split(",")).stream()
        .anyMatch(constraint -> !constraint.isEmpty() && !constraint.startsWith("~"));
  }

  public boolean isIntelAssembly() {
    return LLVMGetInlineAsmDialect(callee().ref()) == LLVMInlineAsmDialectIntel;
  }

  /** What an indirect operand of inline assembly points to. */
  public Optional<Type> elementType(int argument) {
    return typeAttribute(argument, Attribute.ELEMENTTYPE);
  }

  /** What is passed as a copy of what an argument points to. */
  public Optional<Type> copied(int argument) {
    return typeAttribute(argument, Attribute.BYVAL);
  }

  private Optional<Type> typeAttribute(int argument, Attribute wanted) {
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(ref(), argument + 1, wanted.kind());
    return Optional.ofNullable(attribute).map(a -> new Type(LLVMGetTypeAttributeValue(a)));
  }

  /** How many arguments the function has by its type, where there may be more of them. */
  public OptionalInt fixedArguments() {
    var type = LLVMGetCalledFunctionType(ref());
    return LLVMIsFunctionVarArg(type) != 0
        ? OptionalInt.of(LLVMCountParamTypes(type))
        : OptionalInt.empty();
  }

  public boolean has(Attribute attribute) {
    return LLVMGetCallSiteEnumAttribute(ref(), LLVMAttributeFunctionIndex, attribute.kind())
        != null;
  }

  public void add(Attribute attribute) {
    var context = LLVMGetTypeContext(LLVMTypeOf(ref()));
    LLVMAddCallSiteAttribute(
        ref(), LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(context, attribute.kind(), 0));
  }

  public void remove(Attribute attribute) {
    LLVMRemoveCallSiteEnumAttribute(ref(), LLVMAttributeFunctionIndex, attribute.kind());
  }

  public boolean isMustTail() {
    return opcode() == Opcode.CALL && LLVMGetTailCallKind(ref()) == LLVMTailCallKindMustTail;
  }

  /** Where an invoke goes on. */
  public Block normalDestination() {
    return new Block(LLVMGetNormalDest(ref()));
  }

  /** Where an invoke goes on after an exception. */
  public Block unwindDestination() {
    return new Block(LLVMGetUnwindDest(ref()));
  }
}
