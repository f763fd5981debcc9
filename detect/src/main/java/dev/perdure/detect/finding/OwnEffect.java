package dev.perdure.detect.finding;

import dev.perdure.model.finding.Example;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * A thread read back its own unpersisted bytes, and made something durable of them.
 *
 * @param address of the bytes that were read
 */
public record OwnEffect(
    int storeOrigin,
    int loadOrigin,
    Effect effect,
    long address,
    int size,
    int thread,
    long storeTime,
    long loadTime,
    long count) {

  /** The same, seen once more. */
  public OwnEffect again() {
    return new OwnEffect(
        storeOrigin, loadOrigin, effect, address, size, thread, storeTime, loadTime, count + 1);
  }

  Example toExample(LongUnaryOperator ticksToNanos) {
    return new Example(
        address,
        size,
        thread,
        ticksToNanos.applyAsLong(storeTime),
        0,
        -1,
        false,
        thread,
        ticksToNanos.applyAsLong(loadTime),
        List.of(),
        List.of(),
        List.of(),
        false);
  }
}
