package dev.perdure.binary.decode;

import java.util.Optional;

/** Decodes one instruction at a time from the bytes of a section. */
public final class Decoder {
  private static final int LONGEST = 15;

  private final byte[] code;
  private final long base;

  private int at;
  private int end;
  private int rex;
  private int vvvv;
  private int encoding;
  private int map;
  private int prefix;
  private int vectorLength;
  private boolean wide;
  private boolean broadcast;
  private boolean operand16;
  private boolean narrow;
  private boolean segment;
  private boolean locked;
  private boolean repeated;
  private int modRm;
  private int vectorIndex;
  private int opmask;
  private int highFirst;
  private int highIndex;
  private MaskedElement element;
  private int displacementBytes;
  private int displacementAt;

  /**
   * @param code the bytes of a section
   * @param base the address of its first byte
   */
  public Decoder(byte[] code, long base) {
    this.code = code;
    this.base = base;
  }

  /** The instruction at an address, if the table has it and it lies within the section. */
  public Optional<Instruction> at(long address) {
    int start = Math.toIntExact(address - base);
    at = start;
    end = Math.min(code.length, start + LONGEST);
    try {
      return decode(address, start);
    } catch (Truncated e) {
      return Optional.empty();
    }
  }

  private static final class Truncated extends RuntimeException {
    private static final long serialVersionUID = 1L;
    static final Truncated INSTANCE = new Truncated();

    private Truncated() {
      super("cut short", null, false, false);
    }
  }

  private int next() {
    if (at >= end) {
      throw Truncated.INSTANCE;
    }
    return code[at++] & 0xff;
  }

  private long signed(int bytes) {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= (long) next() << 8 * i;
    }
    int shift = 64 - 8 * bytes;
    return bytes == 0 ? 0 : value << shift >> shift;
  }

  private Optional<Instruction> decode(long address, int start) {
    int opcode = opcode(prefixes());
    if (opcode < 0) {
      return Optional.empty();
    }
    int cell = OpcodeTable.cell(encoding, map, prefix, wide ? 1 : 0, opcode);
    OpcodeTable table = OpcodeTable.STANDARD;
    if (!table.exists(cell)) {
      return Optional.empty();
    }
    element = table.element(cell);
    modRm = table.hasModRm(cell) ? next() : 0xc0;
    Opcode form = table.form(cell, modRm >> 3 & 7, modRm >> 6 == 3);
    if (form == null) {
      return Optional.empty();
    }
    MemoryOperand memory =
        modRm >> 6 == 3 ? MemoryOperand.NONE : memory(form.operation() == Operation.GATHER);
    return operands(form, opcode, memory, address, start);
  }

  private int prefixes() {
    rex = 0;
    vvvv = 0;
    vectorLength = 16;
    broadcast = false;
    opmask = 0;
    highFirst = 0;
    highIndex = 0;
    operand16 = false;
    narrow = false;
    segment = false;
    locked = false;
    int repeat = 0;
    int b;
    while (true) {
      b = next();
      switch (b) {
        case 0x66 -> operand16 = true;
        case 0xf2, 0xf3 -> repeat = b;
        case 0x2e, 0x36, 0x3e, 0x26 -> segment |= false;
        case 0x64, 0x65 -> segment = true;
        case 0x67 -> narrow = true;
        case 0xf0 -> locked = true;
        default -> {
          if (b >> 4 == 4) {
            rex = b;
            b = next();
          }
          repeated = repeat != 0;
          wide = (rex & 8) != 0;
          prefix = repeat == 0xf3 ? 2 : repeat == 0xf2 ? 3 : operand16 ? 1 : 0;
          return b;
        }
      }
    }
  }

  /** The last byte of the opcode, or -1; sets encoding and map. */
  private int opcode(int first) {
    encoding = OpcodeTable.LEGACY;
    map = 0;
    switch (first) {
      case 0x0f -> {
        int second = next();
        map = second == 0x38 ? 2 : second == 0x3a ? 3 : 1;
        return map == 1 ? second : next();
      }
      case 0xc5 -> {
        int p = next();
        encoding = OpcodeTable.VEX;
        map = 1;
        rex = (~p & 0x80) >> 5;
        wide = false;
        vexTail(p);
        return next();
      }
      case 0xc4 -> {
        int p = next();
        int q = next();
        encoding = OpcodeTable.VEX;
        map = p & 0x1f;
        rex = (~p >> 5) & 7;
        wide = (q & 0x80) != 0;
        vexTail(q);
        return map >= 1 && map <= 3 ? next() : -1;
      }
      case 0x62 -> {
        return evex();
      }
      default -> {
        return first;
      }
    }
  }

  private void vexTail(int p) {
    vvvv = ~p >> 3 & 15;
    vectorLength = (p & 4) != 0 ? 32 : 16;
    prefix = p & 3;
    operand16 = false;
  }

  private int evex() {
    int p = next();
    int q = next();
    int r = next();
    encoding = OpcodeTable.EVEX;
    map = p & 7;
    rex = (~p >> 5) & 7;
    wide = (q & 0x80) != 0;
    vvvv = ~q >> 3 & 15;
    prefix = q & 3;
    operand16 = false;
    broadcast = (r & 0x10) != 0;
    opmask = r & 7;
    highFirst = ~p & 0x10;
    highIndex = (~r & 8) << 1;
    vectorLength = Math.min(64, 16 << (r >> 5 & 3));
    return map >= 1 && map != 4 && map <= 6 ? next() : -1;
  }

  private MemoryOperand memory(boolean gathers) {
    int mod = modRm >> 6;
    int rm = modRm & 7;
    int index = MemoryOperand.NO_REGISTER;
    int scale = 1;
    int register = rm | (rex & 1) << 3;
    displacementBytes = mod == 1 ? 1 : mod == 2 ? 4 : 0;
    if (rm == 4) {
      int sib = next();
      int i = sib >> 3 & 7 | (rex & 2) << 2;
      vectorIndex = i;
      index = i == 4 || gathers ? MemoryOperand.NO_REGISTER : i;
      scale = 1 << (sib >> 6);
      register = sib & 7 | (rex & 1) << 3;
      if ((sib & 7) == 5 && mod == 0) {
        register = MemoryOperand.NO_REGISTER;
        displacementBytes = 4;
      }
    } else if (rm == 5 && mod == 0) {
      register = MemoryOperand.RIP;
      displacementBytes = 4;
    }
    displacementAt = at;
    long displacement = signed(displacementBytes);
    return new MemoryOperand(register, index, scale, displacement, segment, narrow, 0);
  }

  private Optional<Instruction> operands(
      Opcode form, int opcode, MemoryOperand memory, long address, int start) {
    boolean inMemory = modRm >> 6 != 3;
    int operandSize = wide ? 8 : operand16 ? 2 : 4;
    Access access = Access.NONE;
    int size = 0;
    int reads = form.implicitReads() | memory.registers();
    int writes = form.implicitWrites();
    // The table names partial writes of implicit operands as reads only.
    int changes = form.implicitWrites() | form.implicitReads();
    boolean hasMemory = inMemory;
    long immediate = 0;
    int immediateAt = 0;
    int register = -1;
    for (OperandSpec o : form.operands()) {
      switch (o.place()) {
        case 'I', 'J' -> {
          immediateAt = at - start;
          immediate = signed(immediateBytes(o, operandSize));
        }
        case 'O' -> {
          hasMemory = true;
          access = o.access();
          size = o.bytes(operandSize, wide);
          immediateAt = at - start;
          memory =
              new MemoryOperand(
                  MemoryOperand.NO_REGISTER,
                  MemoryOperand.NO_REGISTER,
                  1,
                  signed(narrow ? 4 : 8),
                  segment,
                  narrow,
                  immediateAt);
        }
        case 'E', 'M', 'W' -> {
          if (inMemory) {
            access = o.access();
            size = memorySize(o, operandSize);
          } else if (o.place() == 'M') {
            return Optional.empty();
          } else if (o.place() == 'E' && !o.size().equals("0")) {
            int n = modRm & 7 | (rex & 1) << 3;
            int bytes = o.bytes(operandSize, wide);
            reads |= o.read() || bytes < 4 ? bit(n, bytes) : 0;
            writes |= o.written() && bytes >= 4 ? bit(n, bytes) : 0;
            changes |= o.written() ? bit(n, bytes) : 0;
          }
        }
        case 'G', 'Z', 'H' -> {
          int n =
              o.place() == 'G'
                  ? modRm >> 3 & 7 | (rex & 4) << 1
                  : o.place() == 'Z' ? opcode & 7 | (rex & 1) << 3 : vvvv;
          int bytes = o.bytes(operandSize, wide);
          reads |= o.read() || bytes < 4 ? bit(n, bytes) : 0;
          writes |= o.written() && bytes >= 4 ? bit(n, bytes) : 0;
          changes |= o.written() ? bit(n, bytes) : 0;
          register = bytes == 1 && rex == 0 && n >= 4 ? -1 : n;
        }
        default -> {
          // A vector register: neither general registers nor memory.
        }
      }
    }
    if (form.operation() == Operation.STRING) {
      size = (opcode & 1) == 0 ? 1 : operandSize;
    }
    if (hasMemory && inMemory) {
      memory = placed(memory, size, start);
    }
    Operation operation = masked(form.operation(), access) ? Operation.MASKED : form.operation();
    return Optional.of(
        new Instruction(
            address,
            at - start,
            opcode,
            operation,
            memory,
            hasMemory,
            access,
            size,
            locked,
            repeated,
            form.operation() == Operation.OTHER ? 0xffff : reads,
            form.operation() == Operation.OTHER ? 0 : writes & ~partial(form, operandSize),
            form.operation() == Operation.OTHER ? 0xffff : changes,
            form.flagsRead() || form.operation() == Operation.OTHER,
            form.flagsKilled() && !form.flagsRead(),
            immediate,
            immediateAt,
            register,
            named(opcode, operandSize),
            vector(form.operation(), operation, size)));
  }

  /** Whether a mask selects what is accessed. Gathers have one in any case. */
  private boolean masked(Operation operation, Access access) {
    return opmask != 0
        && modRm >> 6 != 3
        && operation != Operation.GATHER
        && operation != Operation.PACKED
        && (element != MaskedElement.ALL || access == Access.STORE);
  }

  private RegisterOperands named(int opcode, int operandSize) {
    return new RegisterOperands(
        encoding == OpcodeTable.LEGACY && map < 2 ? map : -1,
        modRm >> 3 & 7,
        modRm >> 3 & 7 | (rex & 4) << 1,
        modRm >> 6 == 3 ? modRm & 7 | (rex & 1) << 3 : -1,
        opcode & 7 | (rex & 1) << 3,
        operandSize,
        rex == 0);
  }

  private VectorRegisters vector(Operation named, Operation operation, int size) {
    boolean wanted =
        operation == Operation.GATHER
            || operation == Operation.MASKED
            || operation == Operation.MASKED_STORE
            || operation == Operation.PACKED;
    boolean mmx = encoding == OpcodeTable.LEGACY && prefix != 1;
    return !wanted
        ? VectorRegisters.NONE
        : new VectorRegisters(
            modRm >> 3 & 7 | (rex & 4) << 1 | highFirst,
            modRm & 7 | (rex & 1) << 3,
            vvvv,
            vectorIndex | highIndex,
            mmx ? 0 : vectorLength,
            wide,
            encoding != OpcodeTable.LEGACY,
            encoding == OpcodeTable.EVEX ? mask(named, size) : BitMask.NONE);
  }

  private BitMask mask(Operation named, int size) {
    if (size == 0) {
      return BitMask.NONE;
    }
    if (named == Operation.PACKED) {
      return new BitMask(opmask, vectorLength / size, size, vectorLength / size);
    }
    int bytes = Math.min(element.bytes(wide), size);
    int elements = size / bytes;
    boolean fills = broadcast || named == Operation.BROADCAST;
    return new BitMask(opmask, fills ? vectorLength / bytes : elements, bytes, elements);
  }

  private int memorySize(OperandSpec o, int operandSize) {
    if (o.place() != 'W') {
      return o.bytes(operandSize, wide);
    }
    return broadcast ? element.bytes(wide) : o.vectorBytes(vectorLength, wide);
  }

  /** With the final displacement: EVEX multiplies a short one by the size of the access. */
  private MemoryOperand placed(MemoryOperand m, int size, int start) {
    boolean scaled = encoding == OpcodeTable.EVEX && displacementBytes == 1;
    return new MemoryOperand(
        m.base(),
        m.index(),
        m.scale(),
        scaled ? m.displacement() * size : m.displacement(),
        m.segment(),
        m.narrow(),
        displacementAt - start);
  }

  private int immediateBytes(OperandSpec o, int operandSize) {
    if (o.place() == 'J') {
      return o.size().equals("b") ? 1 : 4;
    }
    return o.size().equals("v") ? operandSize : o.bytes(operandSize, wide);
  }

  /** Without REX, byte registers 4 to 7 are the upper halves of 0 to 3. */
  private int bit(int register, int bytes) {
    return 1 << (bytes == 1 && rex == 0 && register >= 4 && register < 8 ? register - 4 : register);
  }

  /** Implicit writes of fewer than four bytes leave the rest of the register as it was. */
  private static int partial(Opcode form, int operandSize) {
    return operandSize == 2 ? form.implicitWrites() : 0;
  }
}
