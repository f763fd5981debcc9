package dev.perdure.robust.program;

import dev.perdure.llvm.instrument.LibraryFunctions;
import dev.perdure.llvm.ir.Call;
import dev.perdure.model.config.RangeFunction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** What is known of the functions of libc, pthread, libpmem, libpmem2 and libpmemobj. */
public final class LibraryKnowledge {
  /**
   * A function that writes to an argument.
   *
   * @param to the argument
   * @param length the argument that says how much, or {@link #TEXT}, or {@link #FIXED}
   * @param bytes what the length is counted in, or how much it is
   */
  record Writer(int to, int length, long bytes) {
    /** Writes a string. */
    static final int TEXT = -1;

    /** Always writes as much. */
    static final int FIXED = -2;

    Writer(int to, int length) {
      this(to, length, 1);
    }
  }

  static final Map<String, Writer> WRITERS = new HashMap<>();

  /** Members of std::string and std::istream, which may throw or wait for others as well. */
  static final Map<String, Writer> THROWING_WRITERS =
      Map.of(
          "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4copyEPcmm", new Writer(1, 2),
          "_ZNSi4readEPcl", new Writer(1, 2),
          "_ZNSi8readsomeEPcl", new Writer(1, 2),
          "_ZNSi7getlineEPcl", new Writer(1, Writer.TEXT),
          "_ZNSi7getlineEPclc", new Writer(1, Writer.TEXT),
          "_ZNSi3getEPcl", new Writer(1, Writer.TEXT),
          "_ZNSi3getEPclc", new Writer(1, Writer.TEXT));

  /** They write what a format says; which argument that is. */
  static final Map<String, Integer> SCANNERS = new HashMap<>();

  /** They write to an array in their own way, and call back. */
  static final Set<String> SORTERS = Set.of("qsort", "qsort_r");

  static final Set<String> HARMLESS =
      Set.of(
          ("open open64 openat creat close ftruncate ftruncate64 "
                  + "posix_fallocate fallocate unlink access lseek fopen fopen64 fclose feof ferror "
                  + "fileno write pwrite puts fputs fwrite putc putchar fputc fgetc getc getchar "
                  + "ungetc fseek ftell rewind fflush perror strerror strerror_r "
                  + "memcmp bcmp memchr memrchr strlen strnlen strcmp strncmp strcasecmp "
                  + "strncasecmp strchr strrchr strstr strpbrk strspn strcspn strdup strndup "
                  + "atoi atol atoll atof realloc reallocarray "
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
                  + "pmem2_errormsg "
                  + "__cxa_end_catch __cxa_guard_abort __cxa_atexit atexit signal")
              .split(" "));

  /** They may unmap what they are given. */
  static final Set<String> DISPOSERS =
      Set.of(
          ("free realloc reallocarray _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm _ZdlPvSt11align_val_t "
                  + "_ZdaPvSt11align_val_t _ZdlPvmSt11align_val_t _ZdaPvmSt11align_val_t")
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

  /** They throw what somebody may catch, who knows nothing of what was stored before. */
  static final Set<String> THROWERS =
      Set.of("__cxa_throw", "__cxa_rethrow", "__cxa_bad_cast", "_Unwind_Resume");

  /** They may come back more than once. */
  static final Set<String> RETURN_TWICE =
      Set.of(
          ("setjmp _setjmp __setjmp sigsetjmp _sigsetjmp __sigsetjmp savectx getcontext vfork "
                  + "llvm.eh.sjlj.setjmp")
              .split(" "));

  /** Whoever waits for the thread may rely on what it has read. */
  static final Set<String> THREAD_ENDS = Set.of("pthread_exit", "thrd_exit");

  /** They call functions that they are given, or that are given with a transaction. */
  private static final Set<String> OBJECT_CALLBACKS =
      Set.of(
          ("pmemobj_alloc pmemobj_xalloc pmemobj_root_construct pmemobj_list_insert_new "
                  + "pmemobj_tx_begin pmemobj_tx_commit pmemobj_tx_abort pmemobj_tx_end "
                  + "pmemobj_tx_process pmemobj_ctl_set pmemobj_ctl_exec pmemobj_ctl_get")
              .split(" "));

  /** Which argument of an allocation is the function that fills the object. */
  private static final Map<String, Integer> CONSTRUCTORS =
      Map.of("pmemobj_alloc", 4, "pmemobj_xalloc", 5, "pmemobj_root_construct", 2);

  /** Flags of the copies of libpmem and libpmemobj: no fence behind; no flush, either. */
  static final long COPY_NO_DRAIN = 1;

  static final long COPY_NO_FLUSH = 1 << 5;

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
      WRITERS.put(name, new Writer(0, Writer.TEXT));
      WRITERS.put("__" + name + "_chk", new Writer(0, Writer.TEXT));
    }
    for (String name : "strncpy stpncpy".split(" ")) {
      WRITERS.put(name, new Writer(0, 2));
      WRITERS.put("__" + name + "_chk", new Writer(0, 2));
    }
    WRITERS.put("bcopy", new Writer(1, 2));
    WRITERS.put("bzero", new Writer(0, 1));
    for (String name : "explicit_bzero getentropy gethostname getrandom".split(" ")) {
      WRITERS.put(name, new Writer(0, 1));
      WRITERS.put("__" + name + "_chk", new Writer(0, 1));
    }
    for (String name : "read pread pread64 recv recvfrom readlink".split(" ")) {
      WRITERS.put(name, new Writer(1, 2));
      WRITERS.put("__" + name + "_chk", new Writer(1, 2));
    }
    for (String prefix : List.of("", "__isoc99_", "__isoc23_")) {
      SCANNERS.put(prefix + "scanf", 0);
      SCANNERS.put(prefix + "sscanf", 1);
      SCANNERS.put(prefix + "fscanf", 1);
    }
    for (String name : "fgets getcwd".split(" ")) {
      WRITERS.put(name, new Writer(0, Writer.TEXT));
      WRITERS.put("__" + name + "_chk", new Writer(0, Writer.TEXT));
    }
    WRITERS.put("strftime", new Writer(0, Writer.TEXT));
    WRITERS.put("inet_ntop", new Writer(2, Writer.TEXT));
    WRITERS.put("memccpy", new Writer(0, 3));
    WRITERS.put("swab", new Writer(1, 2));
    WRITERS.put("wmemcpy", new Writer(0, 2, Integer.BYTES));
    WRITERS.put("wmemset", new Writer(0, 2, Integer.BYTES));
    fixed(0, Long.BYTES, "time posix_memalign wait");
    fixed(0, 2 * Long.BYTES, "gettimeofday pipe pipe2");
    fixed(0, 4 * Long.BYTES, "times");
    fixed(0, Integer.BYTES, "rand_r");
    fixed(1, 2 * Long.BYTES, "clock_gettime clock_getres nanosleep timespec_get");
    fixed(1, 144, "stat stat64 lstat lstat64 fstat fstat64 getrusage");
    fixed(1, 56, "localtime_r gmtime_r");
    fixed(1, 26, "ctime_r asctime_r");
    fixed(1, Long.BYTES, "modf frexp waitpid strtod strtof strtold");
    for (String name : "strtol strtoul strtoll strtoull".split(" ")) {
      fixed(1, Long.BYTES, name + " __isoc23_" + name);
    }
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

  private static void fixed(int to, int bytes, String names) {
    for (String name : names.split(" ")) {
      WRITERS.put(name, new Writer(to, Writer.FIXED, bytes));
    }
  }

  /**
   * Whether a function neither stores to persistent memory nor lets another thread go on, nor
   * throws.
   */
  static boolean isHarmless(String function) {
    return HARMLESS.contains(function)
        || MAPPERS.contains(function)
        || LibraryFunctions.isHarmless(function) && !THROWERS.contains(function);
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

  /** Whether a call hands over no function, where the one called would call it. */
  public static boolean isWithoutConstructor(Call call, String function) {
    Integer constructor = CONSTRUCTORS.get(function);
    return constructor != null
        && constructor < call.argumentCount()
        && call.argument(constructor).isNullOrUndefined();
  }

  /** Whether a function is known to call no function of the program. */
  public static boolean callsNothingBack(String function) {
    boolean startsThread = function.endsWith("_create");
    return function.startsWith("llvm.")
        || function.endsWith("printf")
        || function.equals("clock_gettime")
        || function.startsWith("pmem_")
        || function.startsWith("pmemobj_") && !OBJECT_CALLBACKS.contains(function)
        || isHarmless(function)
        || WRITERS.containsKey(function)
        || SCANNERS.containsKey(function)
        || PERSISTS.containsKey(function)
        || FLUSHES.containsKey(function)
        || FENCES.contains(function)
        || ENDS.contains(function)
        || THREAD_ENDS.contains(function)
        || FENCED_RELEASES.contains(function) && !startsThread;
  }
}
