package dev.perdure.model.config;

import java.util.List;

/**
 * The project's own flush, fence and persist functions: {@code [flush]}. Only needed where Perdure
 * cannot see through them.
 *
 * @param fence functions by plain or mangled name
 */
public record FlushFunctions(
    List<RangeFunction> flush, List<String> fence, List<RangeFunction> persist) {
  public static final FlushFunctions NONE = new FlushFunctions(List.of(), List.of(), List.of());

  public FlushFunctions {
    flush = List.copyOf(flush);
    fence = List.copyOf(fence);
    persist = List.copyOf(persist);
  }

  /** Whether a function is among them. */
  public boolean names(String function) {
    return fence.contains(function)
        || flush.stream().anyMatch(f -> f.function().equals(function))
        || persist.stream().anyMatch(f -> f.function().equals(function));
  }
}
