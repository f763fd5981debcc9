package dev.perdure.flow.region;

import java.util.Optional;

/**
 * How far a region reaches back from a place within the block.
 *
 * @param index the first instruction of it
 * @param isWhole whether nothing in the block stopped it
 */
record Prefix<A>(int block, int index, A address, boolean isWhole) {

  static <A> Prefix<A> of(Code<A> code, Place from, A address) {
    A current = address;
    for (int i = from.index() - 1; i >= 0; i--) {
      Optional<A> earlier =
          code.acquires(from.block(), i) ? Optional.empty() : code.before(from.block(), i, current);
      if (earlier.isEmpty()) {
        return new Prefix<>(from.block(), i + 1, current, false);
      }
      current = earlier.get();
    }
    return new Prefix<>(from.block(), 0, current, true);
  }

  Start<A> start() {
    return new Start<>(new Place(block, index), address);
  }
}
