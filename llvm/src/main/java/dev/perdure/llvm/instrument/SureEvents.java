package dev.perdure.llvm.instrument;

import dev.perdure.llvm.ir.Value;
import java.util.HashSet;
import java.util.Set;

/**
 * What every way to or from a place has: an event in any case, or one if some object is PM.
 *
 * @param any whether there is an event in any case
 * @param objects objects with an access each, which is an event if the object is PM
 */
record SureEvents(boolean any, Set<Value> objects) {
  /** More objects at a time are not kept: functions can be very long. */
  private static final int MOST_OBJECTS = 32;

  static final SureEvents NONE = new SureEvents(false, Set.of());
  static final SureEvents ANY = new SureEvents(true, Set.of());

  /** What both ways have. */
  SureEvents and(SureEvents other) {
    if (any || other.any) {
      return any ? other : this;
    }
    Set<Value> both = new HashSet<>(objects);
    both.retainAll(other.objects);
    return new SureEvents(false, both);
  }

  SureEvents with(Value object) {
    if (contains(object)) {
      return this;
    }
    Set<Value> more = new HashSet<>(objects.size() < MOST_OBJECTS ? objects : Set.of());
    more.add(object);
    return new SureEvents(false, more);
  }

  /** Whether there is an event if the object is PM. */
  boolean contains(Value object) {
    return any || objects.contains(object);
  }
}
