package dev.perdure.binary.flow;

import dev.perdure.binary.decode.Access;
import dev.perdure.binary.decode.Decoder;
import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.elf.ElfSection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A section of code, and which parts of it are functions. */
public final class CodeSection {
  private static final int RSP = 4;

  private final byte[] bytes;
  private final long start;
  private final long end;
  private final Decoder decoder;

  /** Start and end of what is no place for further functions. */
  private final TreeMap<Long, Long> taken = new TreeMap<>();

  /** The parts of it that are left as they are. */
  private final Set<Long> leftAlone = new HashSet<>();

  CodeSection(ElfFile elf, ElfSection section) throws IOException {
    this.bytes = elf.content(section).array();
    this.start = section.address();
    this.end = start + bytes.length;
    this.decoder = new Decoder(bytes, start);
  }

  /** A range that no function is made of. */
  void leaveAlone(long from, long to) {
    taken.put(from, Math.min(to, end));
    leftAlone.add(from);
  }

  /** The function in a range, if all of it is understood; else that is left alone. */
  Optional<Function> function(long from, long to) {
    List<Instruction> code = new ArrayList<>();
    long at = from;
    long limit = Math.min(to, end);
    while (at < limit) {
      Optional<Instruction> next = understood(at, limit);
      if (next.isEmpty()) {
        break;
      }
      code.add(next.get());
      at = next.get().end();
    }
    if (code.isEmpty() || at < limit) {
      leaveAlone(from, to);
      return Optional.empty();
    }
    return Optional.of(take(code));
  }

  private Optional<Instruction> understood(long at, long limit) {
    return decoder
        .at(at)
        .filter(
            i ->
                i.end() <= limit
                    && (!i.operation().transactional() || !Processor.hasTransactions()));
  }

  private Function take(List<Instruction> code) {
    long from = code.get(0).address();
    long to = code.get(code.size() - 1).end();
    taken.put(from, to);
    return new Function(from, to, code);
  }

  /**
   * The function that begins where known code leads to, as far as control goes on from there: by
   * itself, or by jumps over what stands between. Empty where there is a function already, or where
   * something is not understood.
   */
  Optional<Function> functionAt(long from) {
    List<Instruction> code = isFree(from) ? readFrom(from) : List.of();
    return code.isEmpty() ? Optional.empty() : Optional.of(take(code));
  }

  private boolean isFree(long address) {
    var below = taken.floorEntry(address);
    return address >= start && address < end && (below == null || address >= below.getValue());
  }

  /** No instructions if something is not understood. */
  private List<Instruction> readFrom(long from) {
    Long above = taken.higherKey(from);
    long limit = above == null ? end : above;
    List<Instruction> code = new ArrayList<>();
    Set<Long> targets = new HashSet<>();
    long at = from;
    boolean goesOn = true;
    while (goesOn && at < limit) {
      Optional<Instruction> next = understood(at, limit);
      if (next.isEmpty()) {
        return List.of();
      }
      Instruction i = next.get();
      code.add(i);
      at = i.end();
      if (i.operation().relative()) {
        targets.add(i.target());
      }
      goesOn = !i.operation().endsFlow() || isReached(at, limit, targets);
    }
    return goesOn && at == end ? List.of() : code;
  }

  /** Whether there may be a function that accesses memory, and that nobody knows of. */
  boolean seemsToAccessMemory(long address) {
    return isFree(address)
        && readFrom(address).stream()
            .anyMatch(
                i -> i.access() != Access.NONE && (i.memory().registers() & ~(1 << RSP)) != 0);
  }

  /** Whether one of the targets is here, or behind the padding that stands here. */
  private boolean isReached(long from, long limit, Set<Long> targets) {
    long at = from;
    while (!targets.contains(at)) {
      int padding = at < limit ? Padding.lengthAt(bytes, start, at) : 0;
      if (padding == 0) {
        return false;
      }
      at += padding;
    }
    return at < limit;
  }

  /** A part of the section that is no function. */
  record Rest(long from, long to) {}

  List<Rest> rest() {
    List<Rest> parts = new ArrayList<>();
    long at = start;
    for (var entry : taken.entrySet()) {
      if (at < entry.getKey()) {
        parts.add(new Rest(at, entry.getKey()));
      }
      if (leftAlone.contains(entry.getKey())) {
        parts.add(new Rest(entry.getKey(), entry.getValue()));
      }
      at = Math.max(at, entry.getValue());
    }
    if (at < end) {
      parts.add(new Rest(at, end));
    }
    return parts;
  }

  long behindPadding(Rest part) {
    long at = part.from();
    while (at < part.to() && Padding.lengthAt(bytes, start, at) > 0) {
      at += Padding.lengthAt(bytes, start, at);
    }
    return Math.min(at, part.to());
  }

  /** What may be the instructions of a part of which nothing is known. */
  Stream<Instruction> sweep(Rest part) {
    return Stream.iterate(
            part.from(),
            at -> at < part.to(),
            at -> decoder.at(at).map(Instruction::end).orElse(at + 1))
        .flatMap(at -> decoder.at(at).stream());
  }
}
