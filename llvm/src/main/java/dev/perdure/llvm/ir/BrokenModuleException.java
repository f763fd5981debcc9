package dev.perdure.llvm.ir;

import java.io.IOException;

/** Bitcode that LLVM cannot read, link or write; the message names the file. */
public final class BrokenModuleException extends IOException {
  private static final long serialVersionUID = 1;

  public BrokenModuleException(String message) {
    super(message);
  }
}
