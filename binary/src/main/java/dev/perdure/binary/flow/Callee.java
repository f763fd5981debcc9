package dev.perdure.binary.flow;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a call or a jump out of a function leads to.
 *
 * @param address where it is in this module, if it is
 * @param name its name, if it has one
 */
public record Callee(OptionalLong address, Optional<String> name) {
  /** Through a pointer, or to where no function is known. */
  public static final Callee UNKNOWN = new Callee(OptionalLong.empty(), Optional.empty());
}
