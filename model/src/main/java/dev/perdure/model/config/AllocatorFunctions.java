package dev.perdure.model.config;

import java.util.List;

/** The project's own PM allocators: {@code [allocators]}. */
public record AllocatorFunctions(List<AllocFunction> alloc, List<FreeFunction> free) {
  public static final AllocatorFunctions NONE = new AllocatorFunctions(List.of(), List.of());

  public AllocatorFunctions {
    alloc = List.copyOf(alloc);
    free = List.copyOf(free);
  }
}
