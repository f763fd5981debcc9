package dev.perdure.binary.region;

import dev.perdure.binary.decode.MemoryOperand;
import dev.perdure.model.region.AccessKind;
import java.util.List;

/**
 * A region that is announced before an instruction.
 *
 * @param index the instruction's, in its function
 * @param address what the access will be of, as it can be computed there
 * @param length in bytes
 * @param access the address of the instruction that makes the access
 */
public record Announcement(
    int index, AccessKind kind, MemoryOperand address, int length, long access) {

  /** Whether one of the same kind, for the same bytes and at the same place is among them. */
  boolean isIn(List<Announcement> others) {
    return others.stream()
        .anyMatch(
            o ->
                o.index == index
                    && o.kind == kind
                    && o.length == length
                    && o.address.equals(address));
  }
}
