package dev.perdure.binary.plan;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.elf.ElfSymbol;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import dev.perdure.model.config.Configuration;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** The functions of plain programs that the project's configuration names. */
public final class NamedFunctions {
  /** No function. */
  public static final NamedFunctions NONE =
      new NamedFunctions(Configuration.EMPTY, UnaryOperator.identity());

  private final Map<String, NamedFunction> byName;
  private final UnaryOperator<List<Site>> readable;

  /**
   * @param readable turns mangled names of functions into readable ones
   */
  public NamedFunctions(Configuration configuration, UnaryOperator<List<Site>> readable) {
    this.byName = NamedFunction.of(configuration);
    this.readable = readable;
  }

  /** Those of a module, by their addresses. */
  TreeMap<Long, NamedFunction> in(ElfFile elf) throws IOException {
    TreeMap<Long, NamedFunction> found = new TreeMap<>();
    if (byName.isEmpty()) {
      return found;
    }
    List<ElfSymbol> functions = elf.symbols().stream().filter(ElfSymbol::function).toList();
    List<Site> names =
        readable.apply(
            functions.stream().map(s -> new Site(List.of(new Frame(s.name(), "", 0)))).toList());
    for (int i = 0; i < functions.size(); i++) {
      NamedFunction named =
          byName.getOrDefault(
              functions.get(i).name(), byName.get(names.get(i).frames().get(0).function()));
      if (named != null) {
        found.put(functions.get(i).address(), named);
      }
    }
    return found;
  }
}
