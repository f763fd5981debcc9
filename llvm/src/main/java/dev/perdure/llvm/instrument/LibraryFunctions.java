package dev.perdure.llvm.instrument;

import dev.perdure.flow.call.KnownFunctions;

/** What is known of functions outside of the module, by name. */
public final class LibraryFunctions {
  private LibraryFunctions() {}

  /** Whether the function leads to no event of persistence or synchronisation. */
  public static boolean isHarmless(String name) {
    return KnownFunctions.isHarmless(name) || Prelude.isOurs(name);
  }

  /**
   * Whether it reads or writes memory, so that LLVM would otherwise turn it into inline code behind
   * the instrumentation's back.
   */
  static boolean touchesMemory(String name) {
    return KnownFunctions.touchesMemory(name);
  }
}
