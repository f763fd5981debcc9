package dev.perdure.binary.region;

import dev.perdure.binary.decode.Access;
import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.MemoryOperand;
import dev.perdure.binary.decode.Operation;
import dev.perdure.binary.flow.FramePointer;
import dev.perdure.binary.flow.Function;
import dev.perdure.binary.sum.RegisterSum;
import dev.perdure.model.region.AccessKind;
import java.util.ArrayList;
import java.util.List;

/**
 * The accesses of an instruction that may touch persistent memory: not those of the stack, of
 * thread-local data, and of places that the module itself names.
 */
final class PmAccesses {
  private static final int RCX = 1;
  private static final int RSP = 4;
  private static final int RBP = 5;
  private static final int RSI = 6;
  private static final int RDI = 7;

  private final boolean framePointer;

  PmAccesses(Function function) {
    framePointer = FramePointer.isKeptBy(function);
  }

  List<PmAccess> of(Instruction i) {
    if (i.operation() == Operation.STRING) {
      return ofString(i);
    }
    if (!i.hasMemory() || cannotBePm(i.memory()) || hasOtherAddress(i.operation())) {
      return List.of();
    }
    List<RegisterSum> extent = List.of(RegisterSum.address(i));
    List<PmAccess> accesses = new ArrayList<>();
    if (i.access() == Access.LOAD || i.access() == Access.UPDATE) {
      accesses.add(new PmAccess(AccessKind.LOAD, extent));
    }
    if (i.access() == Access.STORE || i.access() == Access.UPDATE) {
      accesses.add(new PmAccess(AccessKind.STORE, extent));
    }
    return accesses;
  }

  /** Registers or a mask choose the address, or the size is not known. */
  private static boolean hasOtherAddress(Operation operation) {
    return switch (operation) {
      case GATHER,
          MASKED,
          MASKED_STORE,
          PACKED,
          DIRECT_STORE,
          BIT_STRING,
          TRANSLATE,
          AREA_LOAD,
          AREA_STORE,
          OTHER ->
          true;
      default -> false;
    };
  }

  private boolean cannotBePm(MemoryOperand m) {
    return m.segment()
        || m.narrow()
        || m.ripRelative()
        || m.base() == RSP
        || m.base() == RBP && framePointer
        || m.base() < 0 && m.index() < 0;
  }

  private static List<PmAccess> ofString(Instruction i) {
    PmAccess loadOfSource = access(i, AccessKind.LOAD, RSI);
    return switch (i.opcode() & ~1) {
      case 0xa4 -> List.of(loadOfSource, access(i, AccessKind.STORE, RDI));
      case 0xa6 -> List.of(loadOfSource, access(i, AccessKind.LOAD, RDI));
      case 0xaa -> List.of(access(i, AccessKind.STORE, RDI));
      case 0xac -> List.of(loadOfSource);
      default -> List.of(access(i, AccessKind.LOAD, RDI));
    };
  }

  private static PmAccess access(Instruction i, AccessKind kind, int pointer) {
    RegisterSum address = RegisterSum.register(pointer);
    return new PmAccess(
        kind, i.repeated() ? List.of(address, RegisterSum.register(RCX)) : List.of(address));
  }

  /** Whether an address is on the stack, as the region's start tells. */
  static boolean isOnStack(List<RegisterSum> extent) {
    return extent.get(0).registers() == 1 << RSP;
  }
}
