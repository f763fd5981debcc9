package dev.perdure.llvm.toolchain;

import java.nio.file.Path;
import java.util.Map;

/** The user's cache for Perdure: {@code $XDG_CACHE_HOME/perdure}, or {@code ~/.cache/perdure}. */
public record CacheDirectory(Path path) {

  public static CacheDirectory of(Map<String, String> environment) {
    String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
    if (xdg.startsWith("/")) {
      return new CacheDirectory(Path.of(xdg, "perdure"));
    }
    String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
    return new CacheDirectory(Path.of(home, ".cache", "perdure"));
  }
}
