package dev.perdure.testkit.oracle;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.elf.ElfSection;
import dev.perdure.binary.elf.ElfSymbol;
import dev.perdure.model.code.Frame;
import dev.perdure.trace.definition.Definitions;
import dev.perdure.trace.definition.PmFile;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.event.EventSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads what Perdure recorded. The modules must have no debug information: then a site is a
 * function and an offset, or the module and an address.
 */
final class RecordedAccesses {
  private static final int CALL = 0xe8;
  private static final int JUMP = 0xe9;
  private static final int INDIRECT = 0xff;
  private static final int CALL_EXTENSION = 2;

  private final Map<String, Path> modules;
  private final Map<String, Map<String, Long>> functions = new HashMap<>();
  private final Map<Frame, Optional<Instruction>> instructions = new HashMap<>();
  private final AccessSet accesses = new AccessSet();

  /** An instruction, and whether it calls or jumps to a function. */
  private record Instruction(String module, long address, boolean calls) {}

  private RecordedAccesses(Map<String, Path> modules) {
    this.modules = modules;
  }

  /**
   * @param modules the files of the modules, by their names
   */
  static <T extends EventSource & Definitions> AccessSet read(T trace, Map<String, Path> modules)
      throws IOException {
    var recorded = new RecordedAccesses(modules);
    Event event = new Event();
    while (trace.next(event)) {
      recorded.add(event, trace);
    }
    return recorded.accesses;
  }

  private void add(Event e, Definitions trace) throws IOException {
    for (AccessKind kind : kinds(e)) {
      boolean bytes = kind == AccessKind.LOAD || kind == AccessKind.STORE;
      OptionalLong offset = bytes ? inPool(e.address(), trace.files()) : OptionalLong.of(0);
      Optional<Instruction> at = instruction(trace.site(e.site()).innermost());
      if (offset.isPresent() && at.isPresent() && !(at.get().calls && isBlock(e))) {
        accesses.add(
            new AccessSet.Key(at.get().module, at.get().address, kind),
            offset.getAsLong(),
            bytes ? size(e) : 0);
      }
    }
  }

  /** A call of an interposed function such as memcpy is a block at the call; qemu sees libc. */
  private static boolean isBlock(Event e) {
    return switch (e.kind()) {
      case EventKind.LOAD_BLOCK, EventKind.STORE_BLOCK, EventKind.STORE_NT_BLOCK -> true;
      default -> false;
    };
  }

  private static List<AccessKind> kinds(Event e) {
    return switch (e.kind()) {
      case EventKind.LOAD, EventKind.LOAD_BLOCK -> List.of(AccessKind.LOAD);
      case EventKind.STORE, EventKind.STORE_NT, EventKind.STORE_BLOCK, EventKind.STORE_NT_BLOCK ->
          List.of(AccessKind.STORE);
      // A locked instruction is one store to qemu, also a compare-and-swap that failed.
      case EventKind.RMW, EventKind.CAS_FAILED -> List.of(AccessKind.STORE);
      case EventKind.FLUSH ->
          e.info() == EventInfo.FLUSH_LIBRARY ? List.of() : List.of(AccessKind.FLUSH);
      case EventKind.FENCE ->
          e.info() <= EventInfo.FENCE_MFENCE ? List.of(AccessKind.FENCE) : List.of();
      default -> List.of();
    };
  }

  private static long size(Event e) {
    return isBlock(e) ? e.value() : e.size();
  }

  private static OptionalLong inPool(long address, List<PmFile> files) {
    for (PmFile file : files) {
      if (address >= file.address() && address - file.address() < file.length()) {
        return OptionalLong.of(address - file.address());
      }
    }
    return OptionalLong.empty();
  }

  private static boolean calls(ElfFile module, long address) throws IOException {
    for (ElfSection section : module.sections()) {
      if (section.executable() && section.contains(address)) {
        ByteBuffer code = module.content(section);
        int at = (int) (address - section.address());
        int first = code.get(at) & 0xff;
        return first == CALL || first == JUMP || first == INDIRECT || isEndOfCall(code, at);
      }
    }
    return false;
  }

  /** The site of an interposed function is the last byte of its call, before the return address. */
  private static boolean isEndOfCall(ByteBuffer code, int at) {
    if (at >= 4 && (code.get(at - 4) & 0xff) == CALL) {
      return true;
    }
    for (int length : new int[] {2, 3, 6, 7}) {
      int start = at + 1 - length;
      if (start >= 0
          && (code.get(start) & 0xff) == INDIRECT
          && (code.get(start + 1) >> 3 & 7) == CALL_EXTENSION) {
        return true;
      }
    }
    return false;
  }

  private Optional<Instruction> instruction(Frame frame) throws IOException {
    Optional<Instruction> known = instructions.get(frame);
    if (known == null) {
      known = find(frame);
      instructions.put(frame, known);
    }
    return known;
  }

  private Optional<Instruction> find(Frame frame) throws IOException {
    Path file = modules.get(frame.module());
    OptionalLong address = file == null ? OptionalLong.empty() : address(frame);
    if (address.isEmpty() || !ObservedModules.have(frame.module())) {
      return Optional.empty();
    }
    Path real = file.toRealPath();
    return Optional.of(
        new Instruction(
            ObservedModules.name(real.toString()),
            address.getAsLong(),
            calls(ElfFile.read(real).orElseThrow(), address.getAsLong())));
  }

  private OptionalLong address(Frame frame) throws IOException {
    String inModule = frame.module() + "+0x";
    if (frame.function().startsWith(inModule)) {
      return OptionalLong.of(Long.parseLong(frame.function().substring(inModule.length()), 16));
    }
    Long start = functions(frame.module()).get(frame.function());
    return start == null || frame.offset() == Frame.NO_OFFSET
        ? OptionalLong.empty()
        : OptionalLong.of(start + frame.offset());
  }

  private Map<String, Long> functions(String module) throws IOException {
    Map<String, Long> known = functions.get(module);
    if (known == null) {
      known = new HashMap<>();
      for (ElfSymbol s : ElfFile.read(modules.get(module)).orElseThrow().symbols()) {
        known.putIfAbsent(s.name(), s.address());
      }
      functions.put(module, known);
    }
    return known;
  }
}
