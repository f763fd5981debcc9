package dev.perdure.llvm.ir;

import static org.bytedeco.llvm.global.LLVM.*;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.SizeTPointer;
import org.bytedeco.llvm.LLVM.LLVMContextRef;
import org.bytedeco.llvm.LLVM.LLVMDiagnosticHandler;
import org.bytedeco.llvm.LLVM.LLVMDiagnosticInfoRef;
import org.bytedeco.llvm.LLVM.LLVMErrorRef;
import org.bytedeco.llvm.LLVM.LLVMMemoryBufferRef;
import org.bytedeco.llvm.LLVM.LLVMModuleRef;
import org.bytedeco.llvm.LLVM.LLVMPassBuilderOptionsRef;
import org.bytedeco.llvm.LLVM.LLVMTargetDataRef;
import org.bytedeco.llvm.LLVM.LLVMTargetMachineRef;
import org.bytedeco.llvm.LLVM.LLVMTargetRef;
import org.bytedeco.llvm.LLVM.LLVMTypeRef;
import org.bytedeco.llvm.LLVM.LLVMValueRef;

/**
 * One module of bitcode with a context of its own. Closing it frees everything that came from it.
 */
public final class BitcodeModule implements AutoCloseable {
  private final LLVMContextRef context;
  private final LLVMModuleRef ref;
  private final Diagnostics diagnostics;
  private final LLVMTargetDataRef layout;

  private BitcodeModule(LLVMContextRef context, LLVMModuleRef ref, Diagnostics diagnostics) {
    this.context = context;
    this.ref = ref;
    this.diagnostics = diagnostics;
    this.layout = LLVMGetModuleDataLayout(ref);
  }

  /** Reads a file of bitcode. */
  public static BitcodeModule read(Path file) throws BrokenModuleException {
    LLVMContextRef context = LLVMContextCreate();
    Diagnostics diagnostics = new Diagnostics();
    LLVMContextSetDiagnosticHandler(context, diagnostics, null);
    try {
      return new BitcodeModule(context, parse(context, file, diagnostics), diagnostics);
    } catch (BrokenModuleException e) {
      LLVMContextDispose(context);
      throw e;
    }
  }

  private static LLVMModuleRef parse(LLVMContextRef context, Path file, Diagnostics diagnostics)
      throws BrokenModuleException {
    BytePointer message = new BytePointer((Pointer) null);
    LLVMMemoryBufferRef buffer = new LLVMMemoryBufferRef();
    BytePointer path = new BytePointer(file.toString(), StandardCharsets.UTF_8);
    LLVMModuleRef ref = new LLVMModuleRef();
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, buffer, message) != 0) {
      throw new BrokenModuleException("cannot read " + file + ": " + message.getString());
    }
    int failed = LLVMParseBitcodeInContext2(context, buffer, ref);
    LLVMDisposeMemoryBuffer(buffer);
    if (failed != 0) {
      throw new BrokenModuleException(
          "cannot read the bitcode of " + file + ": " + diagnostics.text());
    }
    return ref;
  }

  /** Links another file of bitcode into the module. */
  public void link(Path file) throws BrokenModuleException {
    LLVMModuleRef other = parse(context, file, diagnostics);
    if (LLVMLinkModules2(ref, other) != 0) {
      throw new BrokenModuleException("cannot link " + file + ": " + diagnostics.text());
    }
  }

  /** Links textual IR into the module and returns nothing: find its functions by name. */
  public void link(String text) throws BrokenModuleException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    LLVMModuleRef other = new LLVMModuleRef();
    try (BytePointer contents = new BytePointer(bytes);
        BytePointer name = new BytePointer("prelude")) {
      LLVMMemoryBufferRef buffer =
          LLVMCreateMemoryBufferWithMemoryRangeCopy(contents, bytes.length, name);
      BytePointer message = new BytePointer((Pointer) null);
      if (LLVMParseIRInContext(context, buffer, other, message) != 0) {
        throw new BrokenModuleException("cannot parse the prelude: " + message.getString());
      }
    }
    LLVMSetTarget(other, LLVMGetTarget(ref));
    LLVMSetDataLayout(other, LLVMGetDataLayoutStr(ref));
    if (LLVMLinkModules2(ref, other) != 0) {
      throw new BrokenModuleException("cannot link the prelude: " + diagnostics.text());
    }
  }

  /** All functions, declarations included. */
  public List<Function> functions() {
    List<Function> functions = new ArrayList<>();
    for (LLVMValueRef f = LLVMGetFirstFunction(ref); f != null; f = LLVMGetNextFunction(f)) {
      functions.add(new Function(f));
    }
    return functions;
  }

  public Optional<Function> function(String name) {
    return Optional.ofNullable(LLVMGetNamedFunction(ref, name)).map(Function::new);
  }

  public Optional<Value> global(String name) {
    return Optional.ofNullable(LLVMGetNamedGlobal(ref, name)).map(Value::new);
  }

  /** Assembly at file scope. */
  public String assembly() {
    try (SizeTPointer length = new SizeTPointer(1)) {
      BytePointer text = LLVMGetModuleInlineAsm(ref, length);
      return text == null ? "" : text.limit(length.get()).getString();
    }
  }

  public void setAssembly(String text) {
    try (BytePointer bytes = new BytePointer(text, StandardCharsets.UTF_8)) {
      LLVMSetModuleInlineAsm2(ref, bytes, text.getBytes(StandardCharsets.UTF_8).length);
    }
  }

  public Builder builder() {
    return new Builder(context);
  }

  public Type integerType(int bits) {
    return new Type(LLVMIntTypeInContext(context, bits));
  }

  public Type pointerType() {
    return new Type(LLVMPointerTypeInContext(context, 0));
  }

  /** How many bytes a store of the type writes. */
  public long storeSize(Type type) {
    return LLVMStoreSizeOfType(layout, type.ref());
  }

  /** Where in memory a field of a struct begins. */
  public long fieldOffset(Type struct, int index) {
    return LLVMOffsetOfElement(layout, struct.ref(), index);
  }

  /** The size of the type in bits; differs from the store size for odd integers. */
  public long bits(Type type) {
    return LLVMSizeOfTypeInBits(layout, type.ref());
  }

  /** The distance in bytes that a getelementptr adds, if it is a constant. */
  public OptionalLong constantOffset(Instruction getElementPointer) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(getElementPointer.ref());
    long offset = 0;
    for (int i = 1; i < getElementPointer.operandCount(); i++) {
      OptionalLong index = getElementPointer.operand(i).constantInteger();
      if (index.isEmpty()) {
        return OptionalLong.empty();
      }
      if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
        int field = (int) index.getAsLong();
        offset += LLVMOffsetOfElement(layout, type, field);
        type = LLVMStructGetTypeAtIndex(type, field);
      } else {
        if (i > 1) {
          type = LLVMGetElementType(type);
        }
        offset += index.getAsLong() * LLVMABISizeOfType(layout, type);
      }
    }
    return OptionalLong.of(offset);
  }

  /**
   * What a getelementptr adds to its base: a constant, and variables with the number of bytes that
   * one of them stands for.
   */
  public record Distance(long offset, List<Scaled> variables) {
    public Distance {
      variables = List.copyOf(variables);
    }
  }

  /** A variable times a number of bytes. */
  public record Scaled(Value variable, long bytes) {}

  /** Takes apart what a getelementptr, instruction or constant, adds to its base. */
  public Distance distance(Value getElementPointer) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(getElementPointer.ref());
    long offset = 0;
    List<Scaled> variables = new ArrayList<>();
    for (int i = 1; i < getElementPointer.operandCount(); i++) {
      Value operand = getElementPointer.operand(i);
      OptionalLong index = operand.constantInteger();
      if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
        int field = (int) index.orElseThrow();
        offset += LLVMOffsetOfElement(layout, type, field);
        type = LLVMStructGetTypeAtIndex(type, field);
        continue;
      }
      if (i > 1) {
        type = LLVMGetElementType(type);
      }
      long bytes = LLVMABISizeOfType(layout, type);
      if (index.isPresent()) {
        offset += index.getAsLong() * bytes;
      } else {
        variables.add(new Scaled(operand, bytes));
      }
    }
    return new Distance(offset, variables);
  }

  /** All global variables. */
  public List<Value> globals() {
    List<Value> globals = new ArrayList<>();
    for (LLVMValueRef g = LLVMGetFirstGlobal(ref); g != null; g = LLVMGetNextGlobal(g)) {
      globals.add(new Value(g));
    }
    return globals;
  }

  /** Whether the module was compiled as position-independent code. */
  public boolean positionIndependent() {
    return LLVMGetModuleFlag(ref, "PIC Level", "PIC Level".length()) != null;
  }

  /** Throws with the verifier's words if what Perdure has made of the module is not well-formed. */
  public void verify() {
    BytePointer message = new BytePointer((Pointer) null);
    if (LLVMVerifyModule(ref, LLVMReturnStatusAction, message) != 0) {
      throw new IllegalStateException("the instrumented module is broken: " + message.getString());
    }
  }

  /**
   * Runs LLVM's passes.
   *
   * @param pipeline as {@code opt -passes} takes it
   */
  public void run(String pipeline) {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    BytePointer triple = LLVMGetTarget(ref);
    BytePointer message = new BytePointer((Pointer) null);
    LLVMTargetRef target = new LLVMTargetRef();
    if (LLVMGetTargetFromTriple(triple, target, message) != 0) {
      throw new IllegalStateException(message.getString());
    }
    LLVMTargetMachineRef machine =
        LLVMCreateTargetMachine(
            target,
            triple.getString(),
            "x86-64",
            "",
            LLVMCodeGenLevelDefault,
            LLVMRelocPIC,
            LLVMCodeModelDefault);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(ref, pipeline, machine, options);
    LLVMDisposePassBuilderOptions(options);
    LLVMDisposeTargetMachine(machine);
    if (error != null) {
      throw new IllegalStateException(LLVMGetErrorMessage(error).getString());
    }
  }

  public void write(Path file) throws BrokenModuleException {
    try (BytePointer path = new BytePointer(file.toString(), StandardCharsets.UTF_8)) {
      if (LLVMWriteBitcodeToFile(ref, path) != 0) {
        throw new BrokenModuleException("cannot write " + file);
      }
    }
  }

  @Override
  public void close() {
    LLVMDisposeModule(ref);
    LLVMContextDispose(context);
    diagnostics.close();
  }

  /** Keeps what LLVM says: without a handler it would end the process. */
  private static final class Diagnostics extends LLVMDiagnosticHandler {
    private final StringBuilder text = new StringBuilder();

    @Override
    public void call(LLVMDiagnosticInfoRef info, Pointer unused) {
      if (LLVMGetDiagInfoSeverity(info) == LLVMDSError) {
        BytePointer description = LLVMGetDiagInfoDescription(info);
        text.append(text.isEmpty() ? "" : "; ").append(description.getString());
        LLVMDisposeMessage(description);
      }
    }

    String text() {
      return text.isEmpty() ? "unknown reason" : text.toString();
    }
  }
}
