package dev.perdure.llvm.ir;

import static org.bytedeco.llvm.global.LLVM.*;

import java.util.Optional;
import org.bytedeco.llvm.LLVM.LLVMContextRef;
import org.bytedeco.llvm.LLVM.LLVMMetadataRef;

/** A line in a scope, and the call that the scope was inlined at. */
public final class DebugLocation {
  private final LLVMContextRef context;
  private final LLVMMetadataRef ref;

  DebugLocation(LLVMContextRef context, LLVMMetadataRef ref) {
    this.context = context;
    this.ref = ref;
  }

  /** Equal locations have equal numbers. */
  public long identity() {
    return ref.address();
  }

  public int line() {
    return LLVMDILocationGetLine(ref);
  }

  /** From 1; 0 where it is not known. */
  public int column() {
    return LLVMDILocationGetColumn(ref);
  }

  public DebugScope scope() {
    return new DebugScope(context, LLVMDILocationGetScope(ref));
  }

  public Optional<DebugLocation> inlinedAt() {
    return Optional.ofNullable(LLVMDILocationGetInlinedAt(ref))
        .map(at -> new DebugLocation(context, at));
  }

  /** Whether both stand in the same function instance, inlined or not. */
  public boolean sharesInstanceWith(DebugLocation other) {
    LLVMMetadataRef mine = LLVMDILocationGetInlinedAt(ref);
    LLVMMetadataRef theirs = LLVMDILocationGetInlinedAt(other.ref);
    boolean sameCall =
        mine == null ? theirs == null : theirs != null && mine.address() == theirs.address();
    return sameCall && scope().subprogram().equals(other.scope().subprogram());
  }
}
