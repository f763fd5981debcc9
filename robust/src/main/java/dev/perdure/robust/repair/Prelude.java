package dev.perdure.robust.repair;

import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.BrokenModuleException;
import dev.perdure.llvm.ir.Function;
import dev.perdure.robust.FlushInstruction;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The functions of {@code prelude.ll} in a module. */
final class Prelude {
  private static final String PREFIX = "perdure_fix_";

  private final BitcodeModule module;

  Prelude(BitcodeModule module, FlushInstruction instruction) throws BrokenModuleException {
    this.module = module;
    try (InputStream in = Prelude.class.getResourceAsStream("prelude.ll")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      module.link(text.replace("${flush}", instruction.label()));
    } catch (BrokenModuleException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Keeps the functions private to the module; to be called when all of them are in use. */
  void makeInternal() {
    module.functions().stream()
        .filter(function -> function.hasBody() && function.name().startsWith(PREFIX))
        .forEach(Function::makeInternal);
  }

  Function function(String name) {
    return module.function(PREFIX + name).orElseThrow();
  }
}
