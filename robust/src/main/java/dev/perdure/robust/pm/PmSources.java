package dev.perdure.robust.pm;

import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Value;
import dev.perdure.model.config.AllocFunction;
import dev.perdure.model.config.AllocatorFunctions;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The functions that persistent memory comes from: mappings, whose memory may be full of what
 * earlier runs left, and the allocators of the configuration, whose objects are new.
 */
public final class PmSources {
  private static final Set<String> MAPPINGS =
      Set.of(
          ("pmem_map_file pmem2_map_get_address pmemobj_open pmemobj_create pmemobj_direct "
                  + "pmemobj_pool_by_oid pmemobj_pool_by_ptr pmemobj_volatile pmemobj_tx_alloc "
                  + "pmemobj_tx_zalloc mremap")
              .split(" "));
  private static final int MMAP_FLAGS = 3;
  private static final long MAP_SHARED = 1;
  private static final long MAP_FIXED = 0x10;
  private static final long MAP_ANONYMOUS = 0x20;
  private static final long MAP_FIXED_NOREPLACE = 0x100000;

  private final Map<String, AllocFunction> allocators = new HashMap<>();
  private final Map<String, String> readableNames;

  /**
   * @param readableNames mangled names with their demangled forms, where the configuration may use
   *     either
   */
  public PmSources(AllocatorFunctions configured, Map<String, String> readableNames) {
    configured.alloc().forEach(f -> allocators.put(f.function(), f));
    this.readableNames = readableNames;
  }

  /** Whether the result of a call is the address of mapped persistent memory. */
  public boolean maps(Call call, String function) {
    if (function.equals("mmap") || function.equals("mmap64")) {
      return call.argumentCount() > MMAP_FLAGS && isSharedFile(call);
    }
    return MAPPINGS.contains(function);
  }

  /** The allocator that is called, if it is one of the project's own. */
  public Optional<AllocFunction> allocator(String function) {
    AllocFunction found = allocators.get(function);
    return Optional.ofNullable(
        found != null ? found : allocators.get(readableNames.getOrDefault(function, function)));
  }

  /** The place that a mapping is put to, whatever was there: known by its own name, too. */
  public Optional<Value> place(Call call, String function) {
    boolean mmap = function.equals("mmap") || function.equals("mmap64");
    if (!mmap || call.argument(0).isNullOrUndefined()) {
      return Optional.empty();
    }
    long flags = call.argument(MMAP_FLAGS).constantInteger().orElse(MAP_FIXED);
    return (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) != 0
        ? Optional.of(call.argument(0))
        : Optional.empty();
  }

  private static boolean isSharedFile(Call mmap) {
    OptionalLong flags = mmap.argument(MMAP_FLAGS).constantInteger();
    return flags.isEmpty()
        || (flags.getAsLong() & MAP_SHARED) != 0 && (flags.getAsLong() & MAP_ANONYMOUS) == 0;
  }
}
