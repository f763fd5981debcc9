package dev.perdure.binary.plan;

import dev.perdure.binary.decode.Access;
import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.MemoryOperand;
import dev.perdure.binary.decode.Operation;
import dev.perdure.binary.elf.ElfSection;
import dev.perdure.binary.flow.FramePointer;
import dev.perdure.binary.flow.Function;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Decides which instructions of a function are observed. Left out is what cannot be persistent
 * memory: the stack, thread-local data, and constants at a place that the module itself names.
 */
final class Candidates {
  private static final int RSP = 4;
  private static final int RBP = 5;
  private static final int LARGEST = 512;

  private final boolean framePointer;
  private final List<ElfSection> variables;
  private final Loads loads;
  private final List<Gap> gaps = new ArrayList<>();

  /**
   * @param variables sections that the program writes
   */
  Candidates(Function function, List<ElfSection> variables, Loads loads) {
    this.loads = loads;
    this.variables = variables;
    this.framePointer = FramePointer.isKeptBy(function);
  }

  /** Accesses that cannot be observed, by what they are. */
  List<Gap> gaps() {
    return gaps;
  }

  Optional<SiteKind> kind(Instruction i) {
    boolean reads = i.access() == Access.LOAD && !i.atomic();
    return observed(i)
        .filter(k -> loads == Loads.OBSERVED || !(k.onlyReads() || k == SiteKind.BIT && reads));
  }

  private Optional<SiteKind> observed(Instruction i) {
    if (i.operation().fence()) {
      return Optional.of(SiteKind.FENCE);
    }
    if (i.operation() == Operation.STRING) {
      return Optional.of(SiteKind.STRING);
    }
    if (i.atomic()) {
      return atomic(i);
    }
    if (i.operation() == Operation.TRANSLATE) {
      return Optional.of(SiteKind.TRANSLATE);
    }
    if (i.operation() == Operation.MASKED_STORE) {
      return vector(i);
    }
    if (i.operation() == Operation.DIRECT_STORE) {
      return i.memory().narrow() ? unobserved(i) : Optional.of(SiteKind.DIRECT_STORE);
    }
    if (!i.hasMemory() || neverWanted(i)) {
      return Optional.empty();
    }
    return switch (i.operation()) {
      case CLWB, CLFLUSHOPT, CLFLUSH -> Optional.of(SiteKind.FLUSH);
      case GATHER, MASKED, PACKED -> vector(i);
      case BIT_STRING -> Optional.of(SiteKind.BIT);
      case AREA_LOAD -> Optional.of(SiteKind.LOAD_NOW);
      case AREA_STORE -> Optional.of(SiteKind.STORE_AROUND);
      case OTHER -> unobserved(i);
      case INDIRECT_CALL, INDIRECT_JUMP -> Optional.of(SiteKind.LOAD_NOW);
      case STACK -> Optional.of(i.access() == Access.LOAD ? SiteKind.LOAD_NOW : SiteKind.STORE);
      default -> access(i);
    };
  }

  private Optional<SiteKind> atomic(Instruction i) {
    if (i.memory().segment()) {
      return Optional.empty();
    }
    if ((i.reads() & 1 << RSP) != 0 && !onStack(i)) {
      return unobserved(i);
    }
    if (i.operation() == Operation.BIT_STRING && !onStack(i)) {
      return Optional.of(SiteKind.BIT);
    }
    return Optional.of(onStack(i) ? SiteKind.FENCE : SiteKind.UPDATE_ATOMIC);
  }

  private static boolean onStack(Instruction i) {
    return i.memory().base() == RSP;
  }

  private Optional<SiteKind> vector(Instruction i) {
    return VectorAccess.of(i)
        .map(v -> v.stores() ? SiteKind.VECTOR_STORE : SiteKind.VECTOR_LOAD)
        .or(() -> unobserved(i));
  }

  private Optional<SiteKind> access(Instruction i) {
    boolean usesStackPointer = ((i.reads() | i.writes()) & 1 << RSP) != 0;
    return switch (i.access()) {
      case NONE -> Optional.empty();
      case LOAD -> Optional.of(usesStackPointer ? SiteKind.LOAD_NOW : SiteKind.LOAD);
      case STORE, UPDATE -> {
        if (valueKnown(i)) {
          yield Optional.of(SiteKind.STORE);
        }
        yield usesStackPointer || i.size() > LARGEST
            ? unobserved(i)
            : Optional.of(SiteKind.STORE_AROUND);
      }
    };
  }

  /** A move of a general register or a constant. */
  static boolean valueKnown(Instruction i) {
    boolean moves =
        i.operation() == Operation.MOVE
            || i.operation() == Operation.NONTEMPORAL && i.register() >= 0;
    return moves && i.access() == Access.STORE && (i.register() >= 0 || i.immediateAt() > 0);
  }

  private boolean neverWanted(Instruction i) {
    MemoryOperand m = i.memory();
    return m.segment()
        || m.base() == RSP
        || m.ripRelative() && !variable(i)
        || m.base() == RBP && framePointer
        || m.base() < 0 && m.index() < 0 && i.operation() != Operation.GATHER;
  }

  /**
   * A word that locked instructions may have touched, as a lock that a plain store frees, or a part
   * of an array that a pool is mapped over or that is declared to be persistent memory.
   */
  private boolean variable(Instruction i) {
    boolean moves =
        i.operation() != Operation.INDIRECT_CALL && i.operation() != Operation.INDIRECT_JUMP;
    return moves && variables.stream().anyMatch(s -> s.contains(i.ripTarget()));
  }

  private Optional<SiteKind> unobserved(Instruction i) {
    String what = i.operation().name().toLowerCase(Locale.ROOT).replace('_', '-');
    gaps.add(new Gap(i.address(), what));
    return Optional.empty();
  }
}
