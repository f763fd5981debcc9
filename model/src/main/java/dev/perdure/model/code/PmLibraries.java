package dev.perdure.model.code;

import java.util.regex.Pattern;

/** The libraries for persistent memory, whose internals are usually not the code under test. */
public final class PmLibraries {
  private static final Pattern NAME =
      Pattern.compile("libpmem(2|obj|pool|blk|log)?\\.so([.0-9]*)?");

  private PmLibraries() {}

  /** Whether a frame lies in one of them; only frames of plain binaries know their module. */
  public static boolean have(Frame frame) {
    return NAME.matcher(frame.module()).matches();
  }
}
