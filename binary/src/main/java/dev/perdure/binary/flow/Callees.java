package dev.perdure.binary.flow;

import dev.perdure.binary.decode.Decoder;
import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.Operation;
import dev.perdure.binary.elf.ElfSection;
import dev.perdure.binary.elf.ElfSymbol;
import dev.perdure.binary.elf.ImportedNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Finds out what the calls of a module lead to. */
public final class Callees {
  /** The longest stub of a linker: endbr64, jump. */
  private static final int STUB = 2;

  private record Stubs(ElfSection section, Decoder decoder) {}

  private final ImportedNames imports;
  private final List<Stubs> stubs = new ArrayList<>();
  private final Map<Long, String> names = new HashMap<>();
  private final Map<String, Long> addresses = new HashMap<>();

  public Callees(ModuleCode module) throws IOException {
    imports = ImportedNames.of(module.elf(), module.sections());
    for (ElfSection s : module.sections()) {
      if (s.executable() && s.name().startsWith(".plt")) {
        stubs.add(new Stubs(s, new Decoder(module.elf().content(s).array(), s.address())));
      }
    }
    for (ElfSymbol s : module.elf().symbols()) {
      if (s.function()) {
        names.putIfAbsent(s.address(), s.name());
        addresses.putIfAbsent(s.name(), s.address());
      }
    }
  }

  /** Every name that a callee may have. */
  public List<String> names() {
    List<String> all = new ArrayList<>(names.values());
    all.addAll(imports.all());
    return all;
  }

  /** What a call, or a jump that leaves its function, leads to. */
  public Callee of(Instruction i) {
    if (i.operation().relative()) {
      return stubs.stream()
          .filter(s -> s.section.contains(i.target()))
          .findFirst()
          .map(s -> ofStub(s, i.target()))
          .orElseGet(() -> at(i.target()));
    }
    return i.hasMemory() && i.memory().ripRelative() ? imported(i.ripTarget()) : Callee.UNKNOWN;
  }

  private Callee ofStub(Stubs stubs, long address) {
    long at = address;
    for (int n = 0; n < STUB && stubs.section.contains(at); n++) {
      Optional<Instruction> i = stubs.decoder.at(at);
      if (i.isEmpty()) {
        break;
      }
      if (i.get().operation() == Operation.INDIRECT_JUMP) {
        return of(i.get());
      }
      at = i.get().end();
    }
    return Callee.UNKNOWN;
  }

  private Callee imported(long slot) {
    return imports
        .at(slot)
        .map(
            name -> {
              Long own = addresses.get(name);
              return new Callee(
                  own == null ? OptionalLong.empty() : OptionalLong.of(own), Optional.of(name));
            })
        .orElse(Callee.UNKNOWN);
  }

  private Callee at(long address) {
    return new Callee(OptionalLong.of(address), Optional.ofNullable(names.get(address)));
  }
}
