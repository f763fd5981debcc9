package dev.perdure.detect.finding;

import dev.perdure.model.finding.DurableEffect;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/** A write that depends on unpersisted bytes. */
public record Effect(
    int origin, DurableEffect.Flow flow, long address, long length, int thread, long time) {

  DurableEffect toDurable(int distinct, LongUnaryOperator ticksToNanos) {
    return toDurable(distinct, ticksToNanos, List.of());
  }

  DurableEffect toDurable(
      int distinct, LongUnaryOperator ticksToNanos, List<DurableEffect.Elsewhere> others) {
    return new DurableEffect(
        flow,
        address,
        length,
        thread,
        ticksToNanos.applyAsLong(time),
        distinct,
        Optional.empty(),
        others);
  }
}
