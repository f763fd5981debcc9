package dev.perdure.robust.program;

import dev.perdure.llvm.instrument.LibraryFunctions;
import dev.perdure.model.config.RangeFunction;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** What is known of the functions of libc, pthread, libpmem, libpmem2 and libpmemobj. */
public final class LibraryKnowledge {
  /** The argument that is written to, and its length; a length of -1 means a string. */
  record Writer(int to, int length) {}

  static final Map<String, Writer> WRITERS = new HashMap<>();
  static final Set<String> HARMLESS =
      Set.of(
          ("open open64 openat creat close fstat fstat64 stat stat64 lstat ftruncate ftruncate64 "
                  + "posix_fallocate fallocate unlink access lseek fopen fopen64 fclose feof ferror "
                  + "fileno write pwrite puts fputs fwrite putc putchar fputc fgetc getc getchar "
                  + "ungetc fseek ftell rewind fflush perror strerror strerror_r "
                  + "memcmp bcmp memchr memrchr strlen strnlen strcmp strncmp strcasecmp "
                  + "strncasecmp strchr strrchr strstr strpbrk strspn strcspn strdup strndup strtol "
                  + "strtoul strtoll strtoull strtod atoi atol atoll atof realloc reallocarray "
                  + "pthread_mutex_init pthread_mutex_destroy pthread_rwlock_init "
                  + "pthread_rwlock_destroy pthread_spin_init pthread_spin_destroy "
                  + "pthread_cond_init pthread_cond_destroy pthread_cond_signal "
                  + "pthread_cond_broadcast pthread_attr_init pthread_attr_destroy "
                  + "pthread_attr_setdetachstate pthread_attr_setstacksize pthread_barrier_init "
                  + "pthread_barrier_destroy pthread_getspecific pthread_detach sem_init "
                  + "sem_destroy sched_setaffinity pthread_setaffinity_np "
                  + "pmem_is_pmem pmem_has_hw_drain pmem_errormsg pmem_has_auto_flush "
                  + "pmemobj_errormsg pmemobj_oid pmemobj_alloc_usable_size pmemobj_type_num "
                  + "pmemobj_root_size pmemobj_first pmemobj_next pmem2_map_get_size "
                  + "pmem2_errormsg __isoc99_sscanf sscanf __isoc23_strtol __isoc23_strtoul "
                  + "__isoc23_strtoll __isoc23_strtoull __isoc23_sscanf qsort_r "
                  + "_ZSt20__throw_length_errorPKc _ZSt17__throw_bad_allocv "
                  + "__cxa_end_catch __cxa_guard_abort __cxa_atexit atexit signal")
              .split(" "));
  static final Set<String> MAPPERS =
      Set.of(
          ("mmap mmap64 pmem_map_file pmemobj_open pmemobj_create pmemobj_direct "
                  + "pmemobj_pool_by_oid pmemobj_pool_by_ptr pmem2_map_get_address "
                  + "pmem2_config_new pmem2_source_from_fd pmem2_map_new "
                  + "pmem2_config_set_required_store_granularity pmemobj_root")
              .split(" "));
  static final Set<String> FENCED_RELEASES =
      Set.of(
          ("pthread_mutex_unlock pthread_rwlock_unlock pthread_cond_wait pthread_cond_timedwait "
                  + "pthread_barrier_wait sem_post pthread_create mtx_unlock thrd_create cnd_wait "
                  + "pmemobj_mutex_unlock pmemobj_rwlock_unlock")
              .split(" "));
  static final Set<String> FENCES =
      Set.of(
          ("pthread_mutex_lock pthread_mutex_trylock pthread_mutex_timedlock pthread_rwlock_rdlock "
                  + "pthread_rwlock_wrlock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock "
                  + "pthread_spin_lock pthread_spin_trylock sem_wait sem_trywait pthread_join "
                  + "mtx_lock mtx_trylock thrd_join pmemobj_mutex_lock pmemobj_rwlock_rdlock "
                  + "pmemobj_rwlock_wrlock pmem_drain pmem_deep_drain")
              .split(" "));
  static final Set<String> ENDS = Set.of("exit", "_exit", "_Exit", "quick_exit");

  /** Whoever waits for the thread may rely on what it has read. */
  static final Set<String> THREAD_ENDS = Set.of("pthread_exit", "thrd_exit");

  static final Map<String, RangeFunction> PERSISTS = new HashMap<>();
  static final Map<String, RangeFunction> FLUSHES = new HashMap<>();

  static {
    for (String name : "memcpy memmove memset mempcpy".split(" ")) {
      WRITERS.put(name, new Writer(0, 2));
      WRITERS.put("__" + name + "_chk", new Writer(0, 2));
    }
    for (String name :
        "strcpy strcat stpcpy sprintf vsprintf snprintf vsnprintf strncat strlcpy strlcat"
            .split(" ")) {
      WRITERS.put(name, new Writer(0, -1));
      WRITERS.put("__" + name + "_chk", new Writer(0, -1));
    }
    WRITERS.put("strncpy", new Writer(0, 2));
    WRITERS.put("stpncpy", new Writer(0, 2));
    WRITERS.put("bcopy", new Writer(1, 2));
    WRITERS.put("bzero", new Writer(0, 1));
    WRITERS.put("explicit_bzero", new Writer(0, 1));
    for (String name : "read pread pread64 recv".split(" ")) {
      WRITERS.put(name, new Writer(1, 2));
    }
    WRITERS.put("fgets", new Writer(0, -1));
    for (String name : "pmem_persist pmem_msync pmem_deep_persist msync".split(" ")) {
      PERSISTS.put(name, new RangeFunction(name, 0, OptionalInt.of(1)));
    }
    PERSISTS.put("pmemobj_persist", new RangeFunction("pmemobj_persist", 1, OptionalInt.of(2)));
    for (String name : "pmem_flush pmem_deep_flush".split(" ")) {
      FLUSHES.put(name, new RangeFunction(name, 0, OptionalInt.of(1)));
    }
    FLUSHES.put("pmemobj_flush", new RangeFunction("pmemobj_flush", 1, OptionalInt.of(2)));
  }

  private LibraryKnowledge() {}

  /** Whether a function neither stores to persistent memory nor lets another thread go on. */
  static boolean isHarmless(String function) {
    return HARMLESS.contains(function)
        || MAPPERS.contains(function)
        || LibraryFunctions.isHarmless(function);
  }

  /** Whether a function does nothing but flush or fence. */
  static boolean persistsOnly(String function) {
    return PERSISTS.containsKey(function)
        || FLUSHES.containsKey(function)
        || function.startsWith("llvm.x86.clwb")
        || function.startsWith("llvm.x86.clflushopt")
        || function.startsWith("llvm.x86.sse2.clflush")
        || function.startsWith("llvm.x86.sse.sfence")
        || function.startsWith("llvm.x86.sse2.mfence")
        || function.equals("pmem_drain")
        || function.equals("pmemobj_drain");
  }

  /** Whether a function is known to call no function of the program. */
  public static boolean callsNothingBack(String function) {
    boolean startsThread = function.endsWith("_create");
    return function.startsWith("llvm.")
        || function.endsWith("printf")
        || function.equals("clock_gettime")
        || function.startsWith("pmem_")
        || function.startsWith("pmemobj_mem")
        || isHarmless(function)
        || WRITERS.containsKey(function)
        || PERSISTS.containsKey(function)
        || FLUSHES.containsKey(function)
        || FENCES.contains(function)
        || ENDS.contains(function)
        || THREAD_ENDS.contains(function)
        || FENCED_RELEASES.contains(function) && !startsThread;
  }
}
