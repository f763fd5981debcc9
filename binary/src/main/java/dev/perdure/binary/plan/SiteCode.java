package dev.perdure.binary.plan;

import dev.perdure.binary.decode.Access;
import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.MemoryOperand;
import dev.perdure.binary.decode.Operation;
import dev.perdure.binary.region.Announcement;
import dev.perdure.model.region.AccessKind;
import java.util.ArrayList;
import java.util.List;

/**
 * The code around an observed instruction. Inline there is only the test whether the address may be
 * persistent memory; the call of the runtime stands behind all functions. When a gate is called the
 * address is on top of the stack, below it the red zone is left alone.
 */
final class SiteCode {
  private static final int RSP = 4;
  private static final int REGISTERS = 16;
  private static final int RED_ZONE = 128;

  /** From the stack pointer when a gate is called: behind the address and a register. */
  private static final int VALUE_PLACE = 16;

  private static final int VALUE_IN_MEMORY = 0xff;
  private static final int VALUE_CONSTANT = 0xfe;
  private static final int VALUE_ON_STACK = 0xfd;
  private static final int ATOMIC = 4;

  /** rdi, rsi, rdx, rcx, r8, r9. */
  private static final int[] ARGUMENTS = {7, 6, 2, 1, 8, 9};

  /** Six arguments, and a word that keeps the stack aligned. */
  private static final int NAMED_FRAME = 56;

  /** Room for indices, data and mask of a vector. */
  private static final int VECTORS = 160;

  private static final int VECTOR_DATA = 64;
  private static final int VECTOR_MASK = 128;

  private static final int CAS = 2;
  private static final int EXCHANGE = 1;
  private static final int OTHER = 0;
  private static final int EXCHANGE_ADD = 3;

  /** A call of the runtime that is written later, behind all functions. */
  private record Detour(
      Instruction instruction, SiteKind kind, Site site, AddressTest test, int before, int after) {}

  /** The call for a region that starts. */
  private record StartDetour(Announcement start, Site site, AddressTest test, int after) {}

  private final Assembler out;
  private final InstructionCopy copy;
  private final boolean redZone;
  private final List<Detour> detours = new ArrayList<>();
  private final List<StartDetour> starts = new ArrayList<>();

  /**
   * @param redZone whether the function may keep something below the stack pointer
   */
  SiteCode(Assembler out, InstructionCopy copy, boolean redZone) {
    this.out = out;
    this.copy = copy;
    this.redZone = redZone;
  }

  /** Writes an instruction with its observation. */
  void write(Instruction i, SiteKind kind, Site site, int live) {
    switch (kind) {
      case FENCE -> {
        out.moveStack(-RED_ZONE);
        out.callGate(Gate.FENCE, site, fence(i) << 24, 0);
        out.moveStack(RED_ZONE);
        copy.write(i);
      }
      case UPDATE_ATOMIC -> around(i, site, Gate.ATOMIC_BEGIN, Gate.ATOMIC_END, update(i));
      case STRING -> string(i, site);
      case BIT -> {
        int flags = (i.access() == Access.UPDATE ? 1 : 0) | (i.atomic() ? ATOMIC : 0);
        around(i, site, Gate.BIT_BEGIN, Gate.BIT_END, flags);
      }
      case TRANSLATE -> {
        out.moveStack(-RED_ZONE - 32);
        copyAl();
        copy.write(i);
        out.callGate(Gate.TRANSLATE, site, 0, 0);
        out.moveStack(RED_ZONE + 32);
      }
      case VECTOR_LOAD, VECTOR_STORE -> {
        if (i.operation() == Operation.GATHER) {
          vector(i, kind, site);
        } else {
          tested(i, kind, site, live);
        }
      }
      case DIRECT_STORE -> {
        int bytes = pushAddress(i);
        out.callGate(Gate.DIRECT_STORE, site, describe(i.size(), i.register(), 0), 0);
        out.moveStack(bytes);
        copy.write(i);
      }
      default -> tested(i, kind, site, live);
    }
  }

  /**
   * The entry of a function that the configuration names: calls the function, which follows, with a
   * gate before and one after it. The arguments in registers stand on the stack for both.
   */
  void writeNamed(NamedFunction function, Site site) {
    out.moveStack(-NAMED_FRAME);
    for (int i = 0; i < ARGUMENTS.length; i++) {
      out.storeRegister(ARGUMENTS[i], 8 * i);
    }
    out.callGate(Gate.NAMED_BEGIN, site, function.description(), 0);
    int call = out.callForward();
    out.callGate(Gate.NAMED_END, site, function.description(), function.constant());
    out.moveStack(NAMED_FRAME);
    out.bytes(0xc3);
    out.land(call);
  }

  private static int fence(Instruction i) {
    return i.operation() == Operation.SFENCE ? 0 : i.operation() == Operation.MFENCE ? 1 : 2;
  }

  private static int update(Instruction i) {
    return switch (i.operation()) {
      case EXCHANGE -> EXCHANGE;
      case COMPARE_EXCHANGE -> CAS;
      case EXCHANGE_ADD -> EXCHANGE_ADD;
      default -> OTHER;
    };
  }

  /** Writes an instruction and the test of its address alone, which is to lead somewhere else. */
  AddressTest writeTestOf(Instruction i, int live) {
    AddressTest test = new AddressTest(out, operand(i), live, redZone);
    test.write();
    copy.write(i);
    return test;
  }

  private void tested(Instruction i, SiteKind kind, Site site, int live) {
    AddressTest test = new AddressTest(out, operand(i), live, redZone);
    test.write();
    int before = out.position();
    copy.write(i);
    detours.add(new Detour(i, kind, site, test, before, out.position()));
  }

  /** Writes the announcement of a region, before an instruction. */
  void writeStart(Announcement start, Site site, int live) {
    AddressTest test = new AddressTest(out, start.address(), live, redZone);
    test.write();
    starts.add(new StartDetour(start, site, test, out.position()));
  }

  /** Writes the calls of the runtime of all observed instructions so far. */
  void writeDetours() {
    for (Detour d : detours) {
      d.test.writeSecond(d.before);
      detour(d);
    }
    detours.clear();
    for (StartDetour d : starts) {
      d.test.writeSecond(d.after);
      int bytes = pushAddress(d.start.address(), RED_ZONE);
      int kind = d.start.kind() == AccessKind.STORE ? 1 : 0;
      out.callGate(Gate.REGION_START, d.site, describe(d.start.length(), 0, kind), 0);
      out.moveStack(bytes);
      out.jumpBack(d.after);
    }
    starts.clear();
  }

  private void detour(Detour d) {
    Instruction i = d.instruction;
    switch (d.kind) {
      case LOAD, LOAD_FOLLOWED -> {
        int bytes = pushAddress(i);
        copy.write(i);
        leaveValue(loadedRegister(i));
        Gate gate = d.kind == SiteKind.LOAD ? Gate.LOAD : Gate.LOAD_FOLLOWED;
        out.callGate(gate, d.site, describe(i.size(), loadedRegister(i), 0), 0);
        out.moveStack(bytes);
        out.jumpBack(d.after);
      }
      case STORE_AROUND -> {
        int flags =
            (i.access() == Access.UPDATE ? 1 : 0)
                | (i.operation() == Operation.NONTEMPORAL ? 2 : 0);
        around(i, d.site, Gate.STORE_BEGIN, Gate.STORE_END, flags);
        out.jumpBack(d.after);
      }
      case STORE, STORE_PRECEDED -> {
        int nontemporal = i.operation() == Operation.NONTEMPORAL ? 2 : 0;
        int bytes = pushAddress(i);
        leaveValue(storedValue(i));
        Gate gate = d.kind == SiteKind.STORE ? Gate.STORE : Gate.STORE_PRECEDED;
        callBefore(d, gate, describe(i.size(), storedValue(i), nontemporal), bytes);
      }
      case FLUSH, FLUSH_PRECEDED ->
          before(
              d,
              d.kind == SiteKind.FLUSH ? Gate.FLUSH : Gate.FLUSH_PRECEDED,
              describe(1, VALUE_IN_MEMORY, i.operation().ordinal() - Operation.CLWB.ordinal()));
      case VECTOR_LOAD, VECTOR_STORE -> {
        vector(i, d.kind, d.site);
        out.jumpBack(d.after);
      }
      default -> before(d, Gate.LOAD_NOW, describe(i.size(), VALUE_IN_MEMORY, 0));
    }
  }

  private void before(Detour d, Gate gate, int description) {
    callBefore(d, gate, description, pushAddress(d.instruction));
  }

  private void callBefore(Detour d, Gate gate, int description, int bytes) {
    out.callGate(gate, d.site, description, d.instruction.immediate());
    out.moveStack(bytes);
    out.jumpBack(d.before);
  }

  private void around(Instruction i, Site site, Gate begin, Gate end, int flags) {
    int bytes = pushAddress(i);
    out.callGate(begin, site, describe(i.size(), copiedRegister(i), flags), 0);
    copy.write(i);
    out.callGate(end, site, describe(i.size(), copiedRegister(i), flags), 0);
    out.moveStack(bytes);
  }

  /** In the room below the address, unless the gate finds it somewhere else. */
  private void leaveValue(int register) {
    if (register < REGISTERS && register != RSP) {
      out.storeRegister(register, VALUE_PLACE);
    }
  }

  /** mov [rsp], rax: xlat changes al. */
  private void copyAl() {
    out.bytes(0x48, 0x89, 0x04, 0x24);
  }

  private void vector(Instruction i, SiteKind kind, Site site) {
    VectorAccess v = VectorAccess.of(i).orElseThrow();
    out.moveStack(-RED_ZONE - VECTORS);
    if (i.vector().masksByBits()) {
      saveLongVectors(i, v);
    } else {
      saveVectors(i, v);
    }
    int bytes = pushAddress(operand(i), 0);
    int description = v.description(i);
    if (kind == SiteKind.VECTOR_STORE) {
      out.callGate(Gate.VECTOR_STORE, site, description, 0);
    }
    copy.write(i);
    if (kind == SiteKind.VECTOR_LOAD) {
      out.callGate(Gate.VECTOR_LOAD, site, description, 0);
    }
    out.moveStack(bytes + RED_ZONE + VECTORS);
  }

  /** The gate finds the registers of indices, data and mask above what it has on the stack. */
  private void saveVectors(Instruction i, VectorAccess v) {
    boolean vex = i.vector().vex();
    if (v.indexed()) {
      out.storeVector(v.index(), 0, vex);
    }
    if (v.stores()) {
      out.storeVector(v.data(), VECTOR_DATA, vex);
    }
    out.storeVector(v.mask(), VECTOR_MASK, vex);
  }

  /** What is stored may be made from the data: the instruction itself writes it to the stack. */
  private void saveLongVectors(Instruction i, VectorAccess v) {
    if (v.indexed()) {
      out.storeLongVector(v.index(), 0);
    }
    if (v.stores() && v.indexed()) {
      out.storeLongVector(v.data(), VECTOR_DATA);
    } else if (v.stores()) {
      copy.writeToStack(i, VECTOR_DATA);
    }
    out.storeMask(v.mask(), v.maskBits(), VECTOR_MASK);
  }

  private void string(Instruction i, Site site) {
    int description = describe(i.size(), i.opcode(), i.repeated() ? 1 : 0);
    out.moveStack(-RED_ZONE - 32);
    out.callGate(Gate.STRING_BEGIN, site, description, 0);
    copy.write(i);
    out.callGate(Gate.STRING_END, site, description, 0);
    out.moveStack(RED_ZONE + 32);
  }

  /**
   * Leaves the address on the stack, two words of room below it, and all registers as they were.
   */
  private int pushAddress(Instruction i) {
    return pushAddress(operand(i), RED_ZONE);
  }

  private int pushAddress(MemoryOperand m, int below) {
    int register = AddressTest.scratch(m, 0);
    out.moveStack(-below - 16);
    out.push(register);
    out.lea(register, m.base() == RSP ? m.movedBy(below + 24) : m);
    out.push(register);
    // mov register, [rsp + 8]
    out.bytes(0x48 | (register & 8) >> 1, 0x8b, 0x44 | (register & 7) << 3, 0x24, 8);
    return below + 32;
  }

  private MemoryOperand operand(Instruction i) {
    return i.memory().ripRelative() ? copy.absolute(i) : VectorAccess.base(i);
  }

  private static int describe(int size, int register, int flags) {
    return size | register << 16 | flags << 24;
  }

  private static int storedValue(Instruction i) {
    if (i.operation() == Operation.STACK) {
      return VALUE_ON_STACK;
    }
    return i.register() < 0 ? VALUE_CONSTANT : i.register();
  }

  private static int loadedRegister(Instruction i) {
    boolean moved = i.operation() == Operation.MOVE || i.operation() == Operation.EXTEND;
    return moved && i.register() >= 0 ? i.register() : VALUE_IN_MEMORY;
  }

  private static int copiedRegister(Instruction i) {
    return i.register() >= 0 ? i.register() : VALUE_IN_MEMORY;
  }
}
