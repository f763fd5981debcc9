package dev.perdure.binary.flow;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.Operation;
import dev.perdure.binary.elf.ElfSection;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongRBTreeSet;
import it.unimi.dsi.fastutil.longs.LongSortedSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Every address in the code that something may jump to: direct targets, functions, landing pads,
 * and whatever a table, a relocation or a computed address may name. Too many are harmless (a patch
 * does not reach across one), too few are not.
 */
public final class JumpTargets {
  private static final int RELA = 24;
  private static final int RELATIVE = 8;
  private static final int IRELATIVE = 37;

  private final LongOpenHashSet direct = new LongOpenHashSet();
  private final LongOpenHashSet indirect = new LongOpenHashSet();
  private final LongOpenHashSet fromOutside = new LongOpenHashSet();
  private final ModuleCode module;
  private final List<ElfSection> code;
  private final TreeMap<Long, Function> functions = new TreeMap<>();

  private JumpTargets(ModuleCode module) {
    this.module = module;
    this.code = module.sections().stream().filter(ElfSection::executable).toList();
    module.functions().forEach(f -> functions.put(f.start(), f));
  }

  public static JumpTargets of(ModuleCode module) throws IOException {
    JumpTargets targets = new JumpTargets(module);
    targets.fromExceptions();
    targets.fromData();
    targets.fromCode();
    targets.fromRest();
    return targets;
  }

  /** Whether control may come to the address by other ways than from the instruction before it. */
  public boolean contains(long address) {
    return direct.contains(address) || indirect.contains(address);
  }

  /** Whether something other than a direct jump or call may lead to the address. */
  public boolean containsIndirect(long address) {
    return indirect.contains(address);
  }

  /** Whether control may come to the address by other ways than from within its function. */
  public boolean isEntry(long address) {
    return indirect.contains(address) || fromOutside.contains(address);
  }

  /** Where functions seem to be that only pointers lead to: the first of each part of the code. */
  public List<Long> unlisted() {
    LongSortedSet pointers = new LongRBTreeSet(indirect);
    return module.code().stream()
        .flatMap(section -> section.rest().stream().map(part -> unlisted(section, part, pointers)))
        .flatMapToLong(OptionalLong::stream)
        .boxed()
        .toList();
  }

  private static OptionalLong unlisted(
      CodeSection section, CodeSection.Rest part, LongSortedSet pointers) {
    return pointers
        .subSet(section.behindPadding(part), part.to())
        .longStream()
        .filter(section::seemsToAccessMemory)
        .findFirst();
  }

  private boolean inCode(long address) {
    for (ElfSection s : code) {
      if (s.contains(address)) {
        return true;
      }
    }
    return false;
  }

  private void indirect(long address) {
    if (inCode(address)) {
      indirect.add(address);
    }
  }

  private void fromExceptions() throws IOException {
    module.callSites().forEach(site -> indirect(site.landingPad()));
  }

  /** Words and relocations that hold addresses of code. */
  private void fromData() throws IOException {
    for (ElfSection s : module.sections()) {
      if (s.type() == ElfSection.TYPE_RELA) {
        ByteBuffer table = module.elf().content(s);
        for (int at = 0; at + RELA <= table.limit(); at += RELA) {
          int type = table.getInt(at + 8);
          if (type == RELATIVE || type == IRELATIVE) {
            indirect(table.getLong(at + 16));
          }
        }
      } else if (s.allocated() && !s.executable() && module.elf().fixedAddress()) {
        ByteBuffer data = module.elf().content(s);
        for (int at = 0; at + 8 <= data.limit(); at += 8) {
          indirect(data.getLong(at));
        }
      }
    }
  }

  private void fromCode() throws IOException {
    for (Function f : module.functions()) {
      direct.add(f.start());
      fromOutside.add(f.start());
      boolean jumps = false;
      for (int n = 0; n < f.code().size(); n++) {
        Instruction i = f.code().get(n);
        if (i.operation().relative()) {
          direct.add(i.target());
          if (f.indexOf(i.target()) < 0) {
            fromOutside.add(i.target());
          }
        }
        if (i.operation() == Operation.INDIRECT_JUMP) {
          jumps = true;
          calculated(f, n);
        }
      }
      for (Instruction i : f.code()) {
        if (i.hasMemory() && i.memory().ripRelative() && i.opcode() == 0x8d) {
          indirect(i.ripTarget());
          if (jumps) {
            relativeTable(i.ripTarget());
          }
        }
        if (jumps && i.hasMemory() && i.memory().index() >= 0 && i.memory().base() < 0) {
          absoluteTable(i.memory().displacement());
        }
        if (i.immediateAt() > 0 && module.elf().fixedAddress()) {
          indirect(i.immediate());
        }
      }
    }
  }

  /** What is in no function may jump to the midst of one, as parts of functions do. */
  private void fromRest() {
    for (CodeSection section : module.code()) {
      section.rest().stream()
          .flatMap(section::sweep)
          .filter(i -> i.operation().relative())
          .map(Instruction::target)
          .forEach(
              target -> {
                direct.add((long) target);
                fromOutside.add((long) target);
              });
    }
  }

  private void calculated(Function f, int index) {
    if (!f.code().get(index).hasMemory()) {
      CalculatedJump.at(f, index)
          .ifPresent(
              jump ->
                  functionWith(jump.from()).stream()
                      .flatMap(there -> there.code().stream())
                      .map(Instruction::address)
                      .filter(jump::mayLeadTo)
                      .forEach(this::indirect));
    }
  }

  private Optional<Function> functionWith(long address) {
    return Optional.ofNullable(functions.floorEntry(address))
        .map(Map.Entry::getValue)
        .filter(f -> address < f.end());
  }

  /** 32-bit distances from the table's own address. */
  private void relativeTable(long table) throws IOException {
    ByteBuffer data = dataAt(table);
    while (data.remaining() >= 4) {
      long target = table + data.getInt();
      if (!inCode(target)) {
        return;
      }
      indirect.add(target);
    }
  }

  private void absoluteTable(long table) throws IOException {
    ByteBuffer data = dataAt(table);
    while (data.remaining() >= 8) {
      long target = data.getLong();
      if (!inCode(target)) {
        return;
      }
      indirect.add(target);
    }
  }

  private ByteBuffer dataAt(long address) throws IOException {
    for (ElfSection s : module.sections()) {
      if (s.allocated() && s.contains(address) && s.address() != 0) {
        ByteBuffer data = contents.computeIfAbsent(s, this::content).duplicate();
        int offset = (int) (address - s.address());
        return offset > data.limit()
            ? ByteBuffer.allocate(0)
            : data.position(offset).slice().order(java.nio.ByteOrder.LITTLE_ENDIAN);
      }
    }
    return ByteBuffer.allocate(0);
  }

  private final java.util.Map<ElfSection, ByteBuffer> contents = new java.util.HashMap<>();

  private ByteBuffer content(ElfSection s) {
    try {
      return module.elf().content(s);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
