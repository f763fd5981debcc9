package dev.perdure.flow.region;

import java.util.Optional;

/**
 * What the search for starts asks of the instructions of a function.
 *
 * @param <A> an address as an expression: equal ones are interchangeable
 */
public interface Code<A> {
  /** How many instructions the block has. */
  int length(int block);

  /** Whether the instruction acquires, or may lead to an acquire. */
  boolean acquires(int block, int index);

  /**
   * The expression that gives, before the instruction, what {@code address} gives behind it; empty
   * where there is none.
   */
  Optional<A> before(int block, int index, A address);
}
