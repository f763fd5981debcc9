package dev.perdure.llvm.assembly;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The text of an asm statement with calls of the runtime between its instructions. Statements need
 * it whose effects cannot be told from outside: they compute addresses, or have loops.
 *
 * <p>A call keeps all registers and flags, and the red zone. It is told the address in rdi, and the
 * rest by operands of instructions behind it that do nothing.
 */
public final class ObservedText {
  /** In the order of {@code enum perdure_inside}. */
  private enum Kind {
    LOAD,
    STORE_AHEAD,
    STORE,
    FLUSH,
    FENCE,
    RMW_BEGIN,
    RMW_END,
    STRING_BEGIN,
    STRING_END
  }

  private static final String SKIP_RED_ZONE = "leaq -128(%rsp), %rsp\n\t";
  private static final String BACK = "leaq 128(%rsp), %rsp\n\t";
  private static final String BACK_OVER_VALUE = "leaq 136(%rsp), %rsp\n\t";
  private static final String PUSH_COUNTERS = "pushq %rdi\n\tpushq %rsi\n\tpushq %rcx\n\t";
  private static final String BACK_OVER_COUNTERS = "leaq 152(%rsp), %rsp\n\t";

  /** What is known around the statement. */
  public interface Surroundings {
    /** Whether an argument is the address of a stack object: a call shifts the stack. */
    boolean isOnStack(int argument);

    /** How many bytes a load, store or read-modify-write concerns. */
    int size(Effect effect);

    /** The number that the runtime has for the sort of the effect. */
    int sort(Effect effect);

    /** The local site that the calls tell. */
    int site();

    /** The number of the fence that a locked instruction is. */
    int lockedFence();
  }

  private final Surroundings surroundings;
  private final String text;
  private final List<Statement> statements;
  private final EffectReader reader;

  /**
   * @param source LLVM's form of the text, in AT&amp;T syntax
   * @param constraints LLVM's constraint string
   */
  public ObservedText(String source, String constraints, Surroundings surroundings) {
    this.surroundings = surroundings;
    StatementReader statementReader = new StatementReader(false);
    this.statements = statementReader.read(source);
    this.text = statementReader.text();
    this.reader = new EffectReader(Constraint.parse(constraints), statements.size() == 1);
  }

  /** Whether the effects, or their order, cannot be told from outside. */
  public boolean isNeeded() {
    List<Effect> effects = new ArrayList<>();
    statements.forEach(s -> effects.addAll(reader.read(s)));
    boolean more = effects.stream().anyMatch(e -> !isFence(e) && !(e instanceof Effect.LockedRmw));
    boolean jumps = statements.stream().anyMatch(s -> name(s).isJump());
    return jumps && more
        || isMixed(effects)
        || statements.stream().anyMatch(s -> isUnknownOutside(s) || usesChangedRegister(s));
  }

  /** From outside, some effects are told before the statement and others behind it. */
  private static boolean isMixed(List<Effect> effects) {
    boolean behind = false;
    for (Effect effect : effects) {
      if (behind && !isToldBehind(effect)) {
        return true;
      }
      behind |= isToldBehind(effect);
    }
    return false;
  }

  private static boolean isToldBehind(Effect effect) {
    boolean told = isFence(effect) || effect instanceof Effect.Flush;
    boolean known = effect instanceof Effect.Store s && !(s.source() instanceof Source.Unknown);
    return !told && !known && !(effect instanceof Effect.LockedRmw);
  }

  /** The text with its calls; empty if no instruction can be observed. */
  public Optional<String> withCalls() {
    if (text.contains(".intel_syntax") || statements.stream().anyMatch(this::forbidsCalls)) {
      return Optional.empty();
    }
    StringBuilder result = new StringBuilder();
    int from = 0;
    for (Statement statement : statements) {
      int start = Math.max(from, statement.start());
      int end = Math.max(from, statement.end());
      String before = before(statement);
      String after = after(statement);
      result.append(text, from, start).append(before).append(text, start, end);
      result.append(after.isEmpty() ? "" : "\n\t").append(after);
      from = end;
    }
    String observed = result.append(text.substring(from)).toString();
    return observed.equals(text) ? Optional.empty() : Optional.of(observed);
  }

  private boolean isUnknownOutside(Statement statement) {
    List<Effect> effects = reader.read(statement);
    if (statement.isString()) {
      return effects.isEmpty();
    }
    return place(statement).isPresent()
        && effects.stream().anyMatch(e -> address(e) instanceof Address.Unknown);
  }

  private boolean usesChangedRegister(Statement statement) {
    Set<String> used = addressRegisters(statement);
    return statements.stream()
        .filter(other -> other != statement)
        .anyMatch(other -> used.contains(changed(other)));
  }

  private Set<String> addressRegisters(Statement statement) {
    Set<String> registers = new HashSet<>();
    if (statement.isString()) {
      registers.addAll(Set.of("di", "si", "cx"));
    } else if (reader.memory(statement).orElse(Operand.UNKNOWN) instanceof Operand.Memory memory) {
      registers.add(reader.register(memory.base()));
      registers.add(reader.register(memory.index()));
    }
    registers.remove("");
    return registers;
  }

  private String changed(Statement statement) {
    int last = statement.operands().size() - 1;
    return last < 0 || name(statement).onlyReads()
        ? ""
        : reader.register(statement.operands().get(last));
  }

  /** The operand in memory, if it can be written in other instructions and may be shared. */
  private Optional<String> place(Statement statement) {
    Operand operand = reader.memory(statement).orElse(Operand.UNKNOWN);
    if (operand instanceof Operand.Memory memory) {
      boolean own = memory.text().matches("(?s).*%([re]?[sb]p|[fg]s)\\b.*");
      return own || memory.text().isEmpty() ? Optional.empty() : Optional.of(memory.text());
    }
    OptionalInt number = operand.operandNumber();
    return number.isPresent() && !surroundings.isOnStack(reader.argument(operand).orElseThrow())
        ? Optional.of("$" + number.getAsInt())
        : Optional.empty();
  }

  /** One that leaves the stack, or a jump that may not reach over a call. */
  private boolean forbidsCalls(Statement statement) {
    Mnemonic name = name(statement);
    int operands = statement.operands().size();
    int firstChanged = name.base().equals("mov") ? operands - 1 : 0;
    boolean changesOperands = Set.of("mov", "pop", "xchg").contains(name.base());
    return name.isShortJump()
        || name.base().equals("leave")
        || changesOperands
            && statement.operands().stream()
                .skip(Math.max(0, firstChanged))
                .anyMatch(o -> reader.register(o).equals("sp"));
  }

  private String before(Statement statement) {
    if (statement.isString()) {
      return SKIP_RED_ZONE
          + PUSH_COUNTERS
          + call(Kind.STRING_BEGIN, statement.stringOpcode(), name(statement).size());
    }
    StringBuilder calls = new StringBuilder();
    Optional<String> place = place(statement);
    for (Effect effect : reader.read(statement)) {
      if (isFence(effect)) {
        calls.append(fence(surroundings.sort(effect)));
      } else if (effect instanceof Effect.LockedRmw && place.isEmpty()) {
        calls.append(fence(surroundings.lockedFence()));
      } else if (effect instanceof Effect.LockedRmw) {
        calls.append(access(Kind.RMW_BEGIN, effect, place));
      } else if (effect instanceof Effect.Flush) {
        calls.append(access(Kind.FLUSH, effect, place));
      } else if (effect instanceof Effect.Store && value(statement).isPresent()) {
        calls.append(storeAhead(effect, place, value(statement).get()));
      } else if (effect instanceof Effect.Load && !isToldAfter(statement)) {
        calls.append(access(Kind.LOAD, effect, place));
      }
    }
    return calls.toString();
  }

  private String after(Statement statement) {
    if (statement.isString()) {
      return call(Kind.STRING_END, statement.stringOpcode(), name(statement).size())
          + BACK_OVER_COUNTERS;
    }
    StringBuilder calls = new StringBuilder();
    Optional<String> place = place(statement);
    for (Effect effect : reader.read(statement)) {
      if (effect instanceof Effect.LockedRmw) {
        calls.append(access(Kind.RMW_END, effect, place));
      } else if (effect instanceof Effect.Store && value(statement).isEmpty()) {
        calls.append(access(Kind.STORE, effect, place));
      } else if (effect instanceof Effect.Load && isToldAfter(statement)) {
        calls.append(access(Kind.LOAD, effect, place));
      }
    }
    return calls.toString();
  }

  /** Not if the load replaces its own address, or leads elsewhere. */
  private boolean isToldAfter(Statement statement) {
    return !addressRegisters(statement).contains(changed(statement))
        && !name(statement).isJump()
        && !name(statement).base().equals("call");
  }

  /**
   * What a move stores, as an operand of 64 bits: readers may see it before a call behind it is
   * made.
   */
  private Optional<String> value(Statement statement) {
    if (!Set.of("mov", "movnti").contains(name(statement).base())) {
      return Optional.empty();
    }
    Operand source = statement.operands().get(0);
    if (source instanceof Operand.Immediate immediate
        && immediate.value() == (int) immediate.value()) {
      return Optional.of("$$" + immediate.value());
    } else if (source instanceof Operand.Register register) {
      return RegisterName.whole(register.name()).map(n -> "%" + n);
    }
    return source.operandNumber().stream()
        .filter(reader::isGeneral)
        .mapToObj(n -> "${" + n + ":q}")
        .findFirst();
  }

  private String storeAhead(Effect effect, Optional<String> place, String value) {
    return place
        .map(
            p ->
                SKIP_RED_ZONE
                    + "pushq "
                    + value
                    + "\n\t"
                    + call(Kind.STORE_AHEAD, effect, p)
                    + BACK_OVER_VALUE)
        .orElse("");
  }

  private String fence(int sort) {
    return SKIP_RED_ZONE + call(Kind.FENCE, sort, 0) + BACK;
  }

  private String access(Kind kind, Effect effect, Optional<String> place) {
    return place.map(p -> SKIP_RED_ZONE + call(kind, effect, p) + BACK).orElse("");
  }

  private String call(Kind kind, Effect effect, String place) {
    int size = effect instanceof Effect.Flush ? 1 : surroundings.size(effect);
    return "pushq %rdi\n\tleaq "
        + place
        + ", %rdi\n\t"
        + call(kind, surroundings.sort(effect), size)
        + "popq %rdi\n\t";
  }

  private String call(Kind kind, int sort, int size) {
    int description = kind.ordinal() | sort << 8 | size << 16;
    return "callq *__perdure_inside@GOTPCREL(%rip)\n\t"
        + ".byte 0x0f, 0x1f, 0x80\n\t.long "
        + surroundings.site()
        + "\n\t.byte 0x0f, 0x1f, 0x80\n\t.long "
        + description
        + "\n\t.byte 0x0f, 0x1f, 0x05\n\t.long __perdure_base-.-4\n\t";
  }

  private static Mnemonic name(Statement statement) {
    return Mnemonic.of(statement.mnemonic());
  }

  private static boolean isFence(Effect effect) {
    return effect instanceof Effect.StoreFence || effect instanceof Effect.FullFence;
  }

  private static Address address(Effect effect) {
    if (effect instanceof Effect.Flush flush) {
      return flush.address();
    } else if (effect instanceof Effect.LockedRmw rmw) {
      return rmw.address();
    } else if (effect instanceof Effect.Store store) {
      return store.address();
    }
    return effect instanceof Effect.Load load ? load.address() : new Address.Unknown();
  }
}
