package dev.perdure.robust.program;

import dev.perdure.model.memory.CacheLine;

/**
 * A range of memory that an operation touches.
 *
 * @param alignment what is known of the reference's own alignment, at least 1
 */
public record Place(Location location, Extent extent, int alignment) {

  /** Whether a flush of this range certainly covers the bytes of another. */
  public boolean covers(Location other, Extent size) {
    if (!location.exact()
        || !other.exact()
        || location.base() != other.base()
        || !location.terms().equals(other.terms())) {
      return false;
    }
    if (location.offset() == other.offset() && (size.oneLine() || extent.equals(size))) {
      return true;
    }
    if (!extent.isConstant() || !size.isConstant()) {
      return false;
    }
    long from = location.offset();
    long last = from + Math.max(1, extent.bytes()) - 1;
    // A flush takes whole lines; which bytes share a line is known only of an aligned reference.
    if (alignment >= CacheLine.BYTES && location.terms().isEmpty()) {
      from = CacheLine.of(from);
      last = CacheLine.of(last) + CacheLine.BYTES - 1;
    }
    return from <= other.offset() && other.offset() + size.bytes() - 1 <= last;
  }

  /**
   * Whether the bytes of another location certainly lie in the one cache line of this place: within
   * a line, stores become persistent in their order.
   */
  public boolean sharesLine(Location other, Extent size) {
    if (!location.isConstant()
        || !other.isConstant()
        || location.base() != other.base()
        || !extent.isConstant()
        || !size.isConstant()) {
      return false;
    }
    long unit = Math.min(alignment, CacheLine.BYTES);
    long first = Math.floorDiv(Math.min(location.offset(), other.offset()), unit);
    long end = Math.max(location.offset() + extent.bytes(), other.offset() + size.bytes());
    return first == Math.floorDiv(end - 1, unit);
  }
}
