package dev.perdure.binary.plan;

import dev.perdure.model.config.AllocFunction;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.config.LockMode;
import dev.perdure.model.config.RangeFunction;
import dev.perdure.model.config.ThreadFunction;
import dev.perdure.model.config.TryFunction;
import dev.perdure.model.config.TrySuccess;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A function that the project's configuration names, as the runtime is told of it. Arguments are
 * those that are passed in general registers, counted from 0.
 *
 * @param description the kind, then three arguments, four bits each, then flags
 * @param constant what a try function returns when it took the lock
 */
record NamedFunction(int description, long constant) {
  /** The order is that of native/src/named_gates.c. */
  private enum Kind {
    ACQUIRE,
    TRY_RESULT,
    TRY_OUT,
    RELEASE,
    ALLOC,
    FREE,
    FLUSH,
    PERSIST,
    FENCE,
    CREATE,
    JOIN
  }

  private static final int NO_ARGUMENT = 15;

  private static NamedFunction of(Kind kind, int first, int second, int third, int flag) {
    return of(kind, first, second, third, flag, 0);
  }

  private static NamedFunction of(
      Kind kind, int first, int second, int third, int flag, long constant) {
    return new NamedFunction(
        kind.ordinal() | first << 4 | second << 8 | third << 12 | flag << 16, constant);
  }

  /** By their names, plain or mangled. */
  static Map<String, NamedFunction> of(Configuration c) {
    Map<String, NamedFunction> all = new HashMap<>();
    c.sync()
        .acquire()
        .forEach(f -> all.put(f.function(), of(Kind.ACQUIRE, f.lock(), 0, 0, shared(f.mode()))));
    c.sync()
        .release()
        .forEach(f -> all.put(f.function(), of(Kind.RELEASE, f.lock(), 0, 0, shared(f.mode()))));
    c.sync().attempt().forEach(f -> all.put(f.function(), attempt(f)));
    c.sync().create().forEach(f -> all.put(f.function(), thread(Kind.CREATE, f)));
    c.sync().join().forEach(f -> all.put(f.function(), thread(Kind.JOIN, f)));
    c.allocators().alloc().forEach(f -> all.put(f.function(), allocation(f)));
    c.allocators().free().forEach(f -> all.put(f.function(), of(Kind.FREE, f.address(), 0, 0, 0)));
    c.flush().flush().forEach(f -> all.put(f.function(), range(Kind.FLUSH, f)));
    c.flush().persist().forEach(f -> all.put(f.function(), range(Kind.PERSIST, f)));
    c.flush().fence().forEach(f -> all.put(f, of(Kind.FENCE, 0, 0, 0, 0)));
    return all;
  }

  private static NamedFunction attempt(TryFunction f) {
    int shared = shared(f.mode());
    return f.success() instanceof TrySuccess.OutArgument out
        ? of(Kind.TRY_OUT, f.lock(), out.argument(), 0, shared)
        : of(Kind.TRY_RESULT, f.lock(), 0, 0, shared, ((TrySuccess.Returns) f.success()).value());
  }

  private static NamedFunction allocation(AllocFunction f) {
    return of(Kind.ALLOC, f.size(), argument(f.count()), argument(f.out()), f.zeroed() ? 1 : 0);
  }

  private static NamedFunction range(Kind kind, RangeFunction f) {
    return of(kind, f.address(), argument(f.length()), 0, 0);
  }

  private static NamedFunction thread(Kind kind, ThreadFunction f) {
    return of(kind, argument(f.thread()), 0, 0, 0);
  }

  private static int argument(OptionalInt index) {
    return index.orElse(NO_ARGUMENT);
  }

  private static int shared(LockMode mode) {
    return mode == LockMode.SHARED ? 1 : 0;
  }
}
