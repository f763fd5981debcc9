package dev.perdure.robust.program;

import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.ir.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Takes the addresses of one function apart into references and distances. References are what no
 * pointer arithmetic of the function produced, and addresses that a mark names as a new object.
 */
final class Addresses {
  private final BitcodeModule module;
  private final Values values;
  private final Set<Value> objects = new HashSet<>();
  private final Map<Integer, Integer> alignments = new HashMap<>();

  Addresses(BitcodeModule module, Values values, Function function) {
    this.module = module;
    this.values = values;
    for (Block block : function.blocks()) {
      for (Instruction instruction : block.instructions()) {
        if (instruction.opcode() == Opcode.CALL) {
          Marks.of(instruction.asCall())
              .filter(kind -> kind == Marks.Kind.ALLOC)
              .ifPresent(kind -> objects.add(Marks.address(instruction.asCall())));
        }
      }
    }
    for (Block block : function.blocks()) {
      block.instructions().forEach(this::noteAlignment);
    }
  }

  /** An access that is aligned says that its reference is, too, as far as the distance allows. */
  private void noteAlignment(Instruction instruction) {
    Opcode opcode = instruction.opcode();
    if (opcode == Opcode.LOAD || opcode == Opcode.STORE) {
      Location location = location(instruction.address());
      int alignment = instruction.alignment();
      if (location.isConstant() && location.offset() % alignment == 0) {
        alignments.merge(location.base(), alignment, Math::max);
      }
    }
  }

  Place place(Value address, Extent extent) {
    return place(location(address), extent);
  }

  Place place(Location location, Extent extent) {
    return new Place(location, extent, alignments.getOrDefault(location.base(), 1));
  }

  /** Whether a reference may be to an object that this function has got from an allocator. */
  boolean mayBeNew(Value reference) {
    return objects.contains(reference)
        || switch (opcode(reference)) {
          case CALL, INVOKE, PHI, SELECT -> true;
          default -> false;
        };
  }

  /** The reference that an address is computed from. */
  Value reference(Value address) {
    Value at = address;
    while (!objects.contains(at) && isDerived(at)) {
      at = at.operand(0);
    }
    return at;
  }

  Location location(Value address) {
    Value at = address;
    long offset = 0;
    List<Term> terms = new ArrayList<>();
    while (!objects.contains(at) && isDerived(at)) {
      if (opcode(at) == Opcode.GET_ELEMENT_POINTER) {
        BitcodeModule.Distance distance = module.distance(at);
        offset += distance.offset();
        for (BitcodeModule.Scaled scaled : distance.variables()) {
          terms.add(new Term(values.number(scaled.variable()), scaled.bytes()));
        }
      }
      at = at.operand(0);
    }
    terms.sort(Comparator.comparingInt(Term::value).thenComparingLong(Term::bytes));
    return new Location(values.number(at), terms, offset, true);
  }

  /** A number of elements as an extent. */
  Extent extent(Value count, long bytes) {
    OptionalLong constant = count.constantInteger();
    return constant.isPresent()
        ? Extent.of(constant.getAsLong() * bytes)
        : Extent.held(values.number(count), bytes);
  }

  private static boolean isDerived(Value value) {
    return switch (opcode(value)) {
      case GET_ELEMENT_POINTER -> !value.type().isFixedVector();
      case BIT_CAST, FREEZE -> value.type().isPointer();
      default -> false;
    };
  }

  private static Opcode opcode(Value value) {
    if (value.isConstantExpression()) {
      return value.constantOpcode();
    }
    return value.instruction().map(Instruction::opcode).orElse(Opcode.OTHER);
  }
}
