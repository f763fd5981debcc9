package dev.perdure.llvm.ir;

import java.io.IOException;

/** Bitcode that LLVM cannot read, or a module that does not pass its verifier. */
public final class BrokenModuleException extends IOException {
  private static final long serialVersionUID = 1;

  public BrokenModuleException(String message) {
    super(message);
  }
}
