package dev.perdure.llvm.region;

import dev.perdure.flow.region.Place;
import dev.perdure.flow.region.RegionStarts;
import dev.perdure.flow.region.Start;
import dev.perdure.llvm.instrument.Hooks;
import dev.perdure.llvm.instrument.Instrumentation;
import dev.perdure.llvm.instrument.PointerOrigin;
import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Value;
import dev.perdure.llvm.sites.Demangler;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.region.AccessKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Makes a program announce its regions where they start (Vardalith, section 4.1.2). A region that
 * starts next to its access, with nothing but plain accesses and arithmetic in between, is not
 * announced: the access opens it itself, nanoseconds later. Those of one kind, with the same range
 * and start, are announced once.
 */
public final class RegionAnnouncements implements Instrumentation.Addition {
  /** What makes regions one. */
  private record Announced(Place place, AccessKind kind, List<Value> extent, OptionalLong size) {}

  private final Configuration configuration;
  private final Demangler demangler;
  private Optional<Acquires> acquires = Optional.empty();

  public RegionAnnouncements(Configuration configuration, Demangler demangler) {
    this.configuration = configuration;
    this.demangler = demangler;
  }

  @Override
  public void instrument(Function function, Hooks hooks) {
    FunctionCode code = new FunctionCode(function, acquires(hooks));
    Map<Announced, Instruction> found = find(code, hooks);
    Map<Place, Instruction> points = new LinkedHashMap<>();
    found.keySet().forEach(a -> points.put(a.place, insertionPoint(function, code, a.place)));
    found.forEach(
        (announced, access) -> {
          hooks.before(points.get(announced.place));
          announce(hooks, announced, access);
        });
  }

  /** Functions that are instrumented already would look as if they called unknown ones. */
  private Acquires acquires(Hooks hooks) {
    if (acquires.isEmpty()) {
      List<Function> bodies =
          hooks.module().functions().stream().filter(ModuleRegions::isOwn).toList();
      acquires = Optional.of(Acquires.of(hooks.module(), bodies, configuration, demangler));
    }
    return acquires.get();
  }

  private static Map<Announced, Instruction> find(FunctionCode code, Hooks hooks) {
    PmAccesses accesses = new PmAccesses(hooks.module(), new PointerOrigin(hooks.declared()));
    RegionStarts<Extent> starts = new RegionStarts<>(code.graph(), code);
    Map<Announced, Instruction> found = new LinkedHashMap<>();
    for (int block = 0; block < code.blockCount(); block++) {
      for (int i = 0; i < code.length(block); i++) {
        Place place = new Place(block, i);
        Instruction instruction = code.from(place).get(0);
        for (PmAccess access : accesses.of(instruction)) {
          for (Start<Extent> start : starts.of(place, Extent.of(access.extent()))) {
            if (isWorthIt(code, start.place(), place)) {
              found.putIfAbsent(
                  new Announced(start.place(), access.kind(), access.extent(), access.size()),
                  instruction);
            }
          }
        }
      }
    }
    return found;
  }

  private static boolean isWorthIt(FunctionCode code, Place start, Place access) {
    if (start.block() != access.block() || start.index() > access.index()) {
      return true;
    }
    return code.from(start).subList(0, access.index() - start.index()).stream()
        .anyMatch(RegionAnnouncements::takesTime);
  }

  private static boolean takesTime(Instruction instruction) {
    return switch (instruction.opcode()) {
      case FENCE, COMPARE_EXCHANGE, READ_MODIFY_WRITE, INVOKE, CALL_BRANCH -> true;
      case CALL ->
          instruction
              .asCall()
              .calledFunction()
              .filter(
                  f -> f.name().startsWith("llvm.dbg.") || f.name().startsWith("llvm.lifetime."))
              .isEmpty();
      default -> false;
    };
  }

  /** The place itself, or behind what has to stand at the beginning of its block. */
  private static Instruction insertionPoint(Function function, FunctionCode code, Place place) {
    Block block = function.blocks().get(place.block());
    Instruction at = code.from(place).get(0);
    List<Instruction> before = code.from(new Place(place.block(), 0)).subList(0, place.index());
    Instruction first = place.block() == 0 ? block.afterAllocas() : block.firstInsertionPoint();
    return before.contains(first) ? at : first;
  }

  private static void announce(Hooks hooks, Announced announced, Instruction access) {
    Map<Value, Value> rebuilt = new LinkedHashMap<>();
    Value address = rebuild(hooks, announced.extent.get(0), rebuilt);
    Value length =
        announced.size.isPresent()
            ? hooks.int64(announced.size.getAsLong())
            : hooks.builder().resize(rebuild(hooks, announced.extent.get(1), rebuilt), 64);
    Value kind = hooks.int32(announced.kind == AccessKind.STORE ? 1 : 0);
    hooks.event("region_start", access, address, length, kind);
  }

  /** The value where the builder stands: arithmetic is done once more. */
  private static Value rebuild(Hooks hooks, Value value, Map<Value, Value> rebuilt) {
    Optional<Instruction> instruction = value.instruction();
    if (instruction.isEmpty() || !Extent.isComputed(instruction.get())) {
      return value;
    }
    if (!rebuilt.containsKey(value)) {
      Value[] operands = new Value[value.operandCount()];
      for (int i = 0; i < operands.length; i++) {
        operands[i] = rebuild(hooks, value.operand(i), rebuilt);
      }
      Instruction copy = hooks.builder().copy(instruction.get());
      for (int i = 0; i < operands.length; i++) {
        copy.setOperand(i, operands[i]);
      }
      rebuilt.put(value, copy);
    }
    return rebuilt.get(value);
  }
}
