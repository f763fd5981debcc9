package dev.perdure.llvm.instrument;

import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.BrokenModuleException;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Type;
import dev.perdure.llvm.ir.Value;
import dev.perdure.model.code.SiteTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The functions of {@code prelude.ll} in a module, and what is added to it for single types. */
final class Prelude {
  static final String PREFIX = "perdure.";
  static final String RUNTIME_PREFIX = "__perdure_";

  /** The one runtime function that programs call by themselves, through perdure.h. */
  static final String MARK = "__perdure_mark";

  private final BitcodeModule module;
  private final Map<String, Function> functions = new HashMap<>();
  private final Map<Type, Function> blockStores = new HashMap<>();

  Prelude(BitcodeModule module) throws BrokenModuleException {
    this.module = module;
    module.link(resource("prelude.ll"));
  }

  /** Adds what code needs that carries labels beside its values. */
  void addLabels() throws BrokenModuleException {
    module.link(resource("labels.ll"));
  }

  /** The function {@code perdure.NAME}. */
  Function function(String name) {
    return functions.computeIfAbsent(name, n -> module.function(PREFIX + n).orElseThrow());
  }

  /** The function that records the store of a value of this type, if the type can be named. */
  Optional<Function> blockStore(Type type) {
    if (type.toString().contains("%")) {
      return Optional.empty();
    }
    return Optional.of(blockStores.computeIfAbsent(type, this::addBlockStore));
  }

  private Function addBlockStore(Type type) {
    String name = PREFIX + "block_store." + blockStores.size();
    String text =
        resource("block_store.ll").replace("${name}", name).replace("${type}", type.toString());
    try {
      module.link(text);
    } catch (BrokenModuleException e) {
      throw new UncheckedIOException(e);
    }
    return module.function(name).orElseThrow();
  }

  /** Adds the descriptor, the constructor, and the section with the table from a file. */
  void addRegistration(int sites, byte[] id, String tableFile) throws BrokenModuleException {
    StringBuilder escapedId = new StringBuilder();
    for (byte b : id) {
      escapedId.append('\\').append(HexFormat.of().withUpperCase().toHexDigits(b));
    }
    module.link(
        resource("registration.ll")
            .replace("${sites}", Integer.toString(sites))
            .replace("${id}", escapedId));
    addSection(SiteTable.SECTION, tableFile);
  }

  /** Adds a section that is not loaded, with the content of a file. */
  void addSection(String section, String file) throws BrokenModuleException {
    String path = file.replace("\\", "\\5C\\5C").replace("\"", "\\5C\\22");
    module.link(resource("section.ll").replace("${section}", section).replace("${file}", path));
  }

  /** Keeps everything private to the module, so that modules do not meet in the dynamic linker. */
  void makeInternal() {
    module.global("__perdure_base").ifPresent(Value::makeInternal);
    List<Function> own = new ArrayList<>();
    for (Function function : module.functions()) {
      if (function.hasBody() && isOurs(function.name())) {
        own.add(function);
      }
    }
    own.forEach(Function::makeInternal);
  }

  /** Functions that the instrumentation itself brings: never instrumented. */
  static boolean isOurs(String name) {
    return name.startsWith(PREFIX) || name.startsWith(RUNTIME_PREFIX) && !name.equals(MARK);
  }

  private static String resource(String name) {
    try (InputStream in = Prelude.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
