package dev.perdure.binary.elf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The words of a module that the loader fills with addresses of functions, by their names. */
public final class ImportedNames {
  private static final int RELA = 24;
  private static final int SYMBOL = 24;
  private static final int ADDRESS = 1;
  private static final int GLOBAL_ENTRY = 6;
  private static final int JUMP_SLOT = 7;

  private final Map<Long, String> names = new HashMap<>();

  private ImportedNames() {}

  public static ImportedNames of(ElfFile elf, List<ElfSection> sections) throws IOException {
    ImportedNames imports = new ImportedNames();
    for (ElfSection s : sections) {
      boolean linked = s.link() > 0 && s.link() < sections.size();
      if (s.type() == ElfSection.TYPE_RELA && s.allocated() && linked) {
        ElfSection symbols = sections.get(s.link());
        if (symbols.link() >= 0 && symbols.link() < sections.size()) {
          imports.add(
              elf.content(s), elf.content(symbols), elf.content(sections.get(symbols.link())));
        }
      }
    }
    return imports;
  }

  private void add(ByteBuffer table, ByteBuffer symbols, ByteBuffer strings) {
    for (int at = 0; at + RELA <= table.limit(); at += RELA) {
      int type = table.getInt(at + 8);
      long symbol = (table.getInt(at + 12) & 0xffffffffL) * SYMBOL;
      boolean fills = type == GLOBAL_ENTRY || type == JUMP_SLOT || type == ADDRESS;
      if (fills && symbol > 0 && symbol + SYMBOL <= symbols.limit()) {
        names.put(
            table.getLong(at), ElfFile.string(strings, symbols.getInt(Math.toIntExact(symbol))));
      }
    }
  }

  /** The function whose address the word at an address of the module holds. */
  public Optional<String> at(long address) {
    return Optional.ofNullable(names.get(address));
  }

  /** All names, each once. */
  public List<String> all() {
    return names.values().stream().distinct().toList();
  }
}
