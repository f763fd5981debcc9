package dev.perdure.llvm.ir;

import dev.perdure.llvm.toolchain.BundledLlvm;
import java.nio.file.Path;

/**
 * Loads LLVM into this process from the unpacked files. JavaCPP's own loader checks its cache entry
 * by entry at each start; loading the files directly takes a tenth of a second instead.
 *
 * <p>No other thread may load classes at the same time: the libraries look up Java classes while
 * the JDK holds the lock that reading its own class files needs.
 */
public final class LlvmLibraries {
  private static boolean loaded;

  private LlvmLibraries() {}

  /** Loads the libraries; further calls do nothing. */
  public static synchronized void load(BundledLlvm llvm) {
    if (loaded) {
      return;
    }
    System.setProperty("org.bytedeco.javacpp.loadlibraries", "false");
    for (Path library : llvm.libraries()) {
      System.load(library.toString());
    }
    loaded = true;
  }
}
