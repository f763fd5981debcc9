package dev.perdure.binary.plan;

/**
 * A place that is not observed.
 *
 * @param address in the module
 * @param what the kind of instruction, or why
 */
public record Gap(long address, String what) {
  /** A function that holds something that is no known instruction; it is left as it is. */
  static final String NOT_UNDERSTOOD = "function-not-understood";

  /** Code that neither tables nor calls tell of; it is left as it is. */
  static final String NO_FUNCTION = "code-outside-functions";
}
