package dev.perdure.llvm.ir;

import static org.bytedeco.llvm.global.LLVM.*;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bytedeco.llvm.LLVM.LLVMAttributeRef;
import org.bytedeco.llvm.LLVM.LLVMBasicBlockRef;
import org.bytedeco.llvm.LLVM.LLVMMetadataRef;
import org.bytedeco.llvm.LLVM.LLVMValueRef;

/** A function, with or without a body. */
public final class Function extends Value {

  Function(LLVMValueRef ref) {
    super(ref);
  }

  public boolean hasBody() {
    return LLVMIsDeclaration(ref()) == 0;
  }

  /** A copy of a body whose real one is in another module: it is never emitted. */
  public boolean isAvailableExternally() {
    return LLVMGetLinkage(ref()) == LLVMAvailableExternallyLinkage;
  }

  public boolean isIntrinsic() {
    return LLVMGetIntrinsicID(ref()) != 0;
  }

  public boolean has(Attribute attribute) {
    return LLVMGetEnumAttributeAtIndex(ref(), LLVMAttributeFunctionIndex, attribute.kind()) != null;
  }

  public void add(Attribute attribute) {
    var context = LLVMGetTypeContext(LLVMTypeOf(ref()));
    LLVMAddAttributeAtIndex(
        ref(), LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(context, attribute.kind(), 0));
  }

  public void remove(Attribute attribute) {
    LLVMRemoveEnumAttributeAtIndex(ref(), LLVMAttributeFunctionIndex, attribute.kind());
  }

  /** Whether code outside of the module may call it by its name. */
  public boolean isVisibleOutside() {
    int linkage = LLVMGetLinkage(ref());
    return linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage;
  }

  /** Whether it is used in any other way than being called. */
  public boolean isAddressTaken() {
    for (var use = LLVMGetFirstUse(ref()); use != null; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      boolean call = LLVMIsACallInst(user) != null || LLVMIsAInvokeInst(user) != null;
      if (!call || LLVMGetCalledValue(user).address() != ref().address() || isArgument(user)) {
        return true;
      }
    }
    return false;
  }

  private boolean isArgument(LLVMValueRef call) {
    for (int i = 0; i < LLVMGetNumArgOperands(call); i++) {
      if (LLVMGetOperand(call, i).address() == ref().address()) {
        return true;
      }
    }
    return false;
  }

  /** What a parameter points to a copy of. */
  public Optional<Type> copied(int parameter) {
    LLVMAttributeRef attribute =
        LLVMGetEnumAttributeAtIndex(ref(), parameter + 1, Attribute.BYVAL.kind());
    return Optional.ofNullable(attribute).map(a -> new Type(LLVMGetTypeAttributeValue(a)));
  }

  /** Whether it takes more arguments than it has parameters. */
  public boolean takesMore() {
    return LLVMIsFunctionVarArg(LLVMGlobalGetValueType(ref())) != 0;
  }

  public int parameterCount() {
    return LLVMCountParams(ref());
  }

  public Value parameter(int index) {
    return new Value(LLVMGetParam(ref(), index));
  }

  public Type functionType() {
    return new Type(LLVMGlobalGetValueType(ref()));
  }

  public int callingConvention() {
    return LLVMGetFunctionCallConv(ref());
  }

  /** The debug information of a function with a body; empty where there is none. */
  public Optional<DebugScope> debugScope() {
    LLVMMetadataRef scope = LLVMGetSubprogram(ref());
    return scope == null
        ? Optional.empty()
        : Optional.of(new DebugScope(LLVMGetTypeContext(LLVMTypeOf(ref())), scope));
  }

  public List<Value> parameters() {
    List<Value> parameters = new ArrayList<>();
    for (int i = 0; i < LLVMCountParams(ref()); i++) {
      parameters.add(new Value(LLVMGetParam(ref(), i)));
    }
    return parameters;
  }

  /** The blocks that can be reached, each behind those that dominate it. */
  public List<Block> blocksInOrder() {
    Deque<Block> order = new ArrayDeque<>();
    Set<Block> seen = new HashSet<>();
    Deque<Iterator<Block>> left = new ArrayDeque<>();
    Deque<Block> open = new ArrayDeque<>();
    Block entry = new Block(LLVMGetEntryBasicBlock(ref()));
    seen.add(entry);
    open.push(entry);
    left.push(entry.successors().iterator());
    while (!open.isEmpty()) {
      if (!left.peek().hasNext()) {
        left.pop();
        order.push(open.pop());
        continue;
      }
      Block next = left.peek().next();
      if (seen.add(next)) {
        open.push(next);
        left.push(next.successors().iterator());
      }
    }
    return List.copyOf(order);
  }

  public List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(ref());
        b != null;
        b = LLVMGetNextBasicBlock(b)) {
      blocks.add(new Block(b));
    }
    return blocks;
  }
}
