package dev.perdure.llvm.driver;

import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.sites.Demangler;
import java.io.IOException;

/** Work on the merged module of a program, before it is instrumented and compiled. */
@FunctionalInterface
public interface ModulePass {

  /** Reads or changes the module. Its functions have not been optimised yet. */
  void apply(BitcodeModule module, Demangler demangler) throws IOException;
}
