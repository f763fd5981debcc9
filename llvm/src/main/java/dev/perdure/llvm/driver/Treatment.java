package dev.perdure.llvm.driver;

import java.util.Optional;

/**
 * What becomes of the merged module of a program.
 *
 * @param pass work on the module; with it, the program is optimised after the pass and not before,
 *     so that the pass sees the program's own order of instructions and its own lines
 * @param product what is made in the end
 */
public record Treatment(Optional<ModulePass> pass, Product product) {

  /** What a link makes. */
  public enum Product {
    /** A program that announces its accesses to the runtime. */
    OBSERVED,
    /** A program as any compiler makes it. */
    PLAIN,
    /** Nothing: the pass was all. */
    NONE
  }

  /** What {@code perdure cc} does by itself. */
  public static final Treatment OBSERVED = new Treatment(Optional.empty(), Product.OBSERVED);

  boolean observes() {
    return product == Product.OBSERVED;
  }
}
