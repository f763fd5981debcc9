package dev.perdure.flow.call;

import java.util.Set;

/** What is known of library functions by their names, whichever front end meets them. */
public final class KnownFunctions {
  /** They lead to no event: neither interposed by the runtime nor calling back. */
  private static final Set<String> HARMLESS =
      Set.of(
          ("malloc calloc free aligned_alloc posix_memalign memalign valloc malloc_usable_size "
                  + "_Znwm _Znam _ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t _ZnwmSt11align_val_t "
                  + "_ZdlPv _ZdaPv _ZdlPvm _ZdaPvm _ZdlPvSt11align_val_t _ZdlPvmSt11align_val_t "
                  + "perror putchar putc fputc fflush "
                  + "abort _exit _Exit __assert_fail __stack_chk_fail __chk_fail "
                  + "getpid getppid gettid getuid geteuid getgid getenv secure_getenv clock "
                  + "clock_getres times usleep sleep nanosleep "
                  + "sched_yield sysconf getpagesize sched_getcpu pthread_self pthread_equal "
                  + "__errno_location __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc "
                  + "tolower toupper isalnum isalpha isdigit isspace isupper islower isxdigit "
                  + "abs labs llabs rand srand random srandom drand48 srand48 lrand48 "
                  + "sin cos tan asin acos atan atan2 sinh cosh tanh exp exp2 expm1 log log2 "
                  + "log10 log1p pow sqrt cbrt hypot fabs floor ceil round trunc rint nearbyint "
                  + "lround llround lrint llrint fmod remainder fmin fmax fma ldexp "
                  + "sinf cosf tanf expf exp2f logf log2f log10f powf sqrtf fabsf floorf ceilf "
                  + "roundf truncf fmodf fminf fmaxf fmaf "
                  + "__cxa_allocate_exception __cxa_free_exception __cxa_begin_catch "
                  + "__cxa_throw __cxa_rethrow __cxa_pure_virtual __cxa_bad_cast "
                  + "__dynamic_cast _Unwind_Resume __clang_call_terminate _ZSt9terminatev")
              .split(" "));

  /** They read or write memory that they are given, and do nothing else. */
  private static final Set<String> TOUCHES_MEMORY =
      Set.of(
          ("memcpy memmove memset mempcpy memccpy memcmp bcmp memchr memrchr bcopy bzero "
                  + "__memcpy_chk __memmove_chk __memset_chk __mempcpy_chk "
                  + "strcpy strncpy stpcpy stpncpy strcat strncat strlcpy strlcat strdup strndup "
                  + "__strcpy_chk __strncpy_chk __stpcpy_chk __strcat_chk __strncat_chk "
                  + "strlen strnlen strcmp strncmp strcasecmp strncasecmp strchr strrchr strstr "
                  + "strpbrk strspn strcspn sprintf snprintf __sprintf_chk __snprintf_chk "
                  + "fputs fwrite fread puts")
              .split(" "));

  /** Beside the harmless ones: they may free a lock, flush or touch files, but acquire nothing. */
  private static final Set<String> NO_ACQUIRE =
      Set.of(
          ("pthread_mutex_unlock pthread_mutex_init pthread_mutex_destroy pthread_mutexattr_init "
                  + "pthread_mutexattr_settype pthread_mutexattr_destroy pthread_rwlock_unlock "
                  + "pthread_rwlock_init pthread_rwlock_destroy pthread_spin_unlock "
                  + "pthread_spin_init pthread_spin_destroy pthread_cond_signal "
                  + "pthread_cond_broadcast pthread_cond_init pthread_cond_destroy "
                  + "pthread_barrier_init pthread_barrier_destroy sem_post sem_init sem_destroy "
                  + "pthread_create pthread_detach pthread_attr_init pthread_attr_destroy "
                  + "pthread_exit pthread_setaffinity_np pthread_setname_np mtx_unlock mtx_init "
                  + "mtx_destroy cnd_signal cnd_broadcast thrd_create thrd_detach thrd_yield "
                  + "pmem_persist pmem_flush pmem_drain pmem_msync pmem_deep_persist "
                  + "pmem_deep_flush pmem_deep_drain pmem_is_pmem pmem_has_hw_drain "
                  + "pmem_has_auto_flush pmem_memcpy pmem_memmove pmem_memset "
                  + "pmem_memcpy_persist pmem_memmove_persist pmem_memset_persist "
                  + "pmem_memcpy_nodrain pmem_memmove_nodrain pmem_memset_nodrain "
                  + "pmem_map_file pmem_unmap pmemobj_persist pmemobj_flush pmemobj_drain "
                  + "pmemobj_memcpy_persist pmemobj_memset_persist pmemobj_direct "
                  + "open close read write pread pwrite lseek ftruncate fallocate "
                  + "posix_fallocate stat fstat unlink mmap munmap mremap msync fsync fdatasync "
                  + "exit atoi atol strtol strtoul strtoll strtoull strtod strtof strtold atof "
                  + "strerror memchr swab rand_r "
                  + "getrandom getentropy time clock_gettime gettimeofday localtime_r gmtime_r "
                  + "strtok strtok_r strsep atoll printf fprintf vprintf vfprintf dprintf "
                  + "vdprintf asprintf vasprintf __printf_chk __fprintf_chk __vprintf_chk "
                  + "__vfprintf_chk __dprintf_chk __vdprintf_chk __asprintf_chk "
                  + "__vasprintf_chk fopen fclose fgets fscanf sscanf realloc reallocarray")
              .split(" "));

  /** They end the program, the thread or the function that calls them. */
  private static final Set<String> NO_RETURN =
      Set.of(
          ("abort exit _exit _Exit quick_exit __assert_fail __assert_perror_fail __stack_chk_fail "
                  + "__chk_fail __fortify_fail pthread_exit thrd_exit longjmp _longjmp siglongjmp "
                  + "__longjmp_chk __cxa_throw __cxa_rethrow __cxa_bad_cast __cxa_bad_typeid "
                  + "__cxa_throw_bad_array_new_length __cxa_pure_virtual _Unwind_Resume "
                  + "__clang_call_terminate _ZSt9terminatev")
              .split(" "));

  /** Interposed: the first thing that they do is a release. */
  private static final Set<String> RELEASES_AT_ONCE =
      Set.of("pthread_mutex_unlock", "pthread_rwlock_unlock", "pthread_spin_unlock", "mtx_unlock");

  /** Interposed: they return when they have acquired a lock. */
  private static final Set<String> ACQUIRES_LOCK =
      Set.of(
          "pthread_mutex_lock",
          "pthread_rwlock_rdlock",
          "pthread_rwlock_wrlock",
          "pthread_spin_lock",
          "mtx_lock");

  private KnownFunctions() {}

  /** Whether a call may acquire, as far as the name tells: all do that are not known not to. */
  public static boolean mayAcquire(String name) {
    return !HARMLESS.contains(name) && !TOUCHES_MEMORY.contains(name) && !NO_ACQUIRE.contains(name);
  }

  /** Whether the function leads to no event of persistence or synchronisation. */
  public static boolean isHarmless(String name) {
    return HARMLESS.contains(name);
  }

  /** Whether the function only reads or writes memory that it is given. */
  public static boolean touchesMemory(String name) {
    return TOUCHES_MEMORY.contains(name);
  }

  /** Whether nothing behind a call of the function is executed. */
  public static boolean neverReturns(String name) {
    return NO_RETURN.contains(name) || name.startsWith("_ZSt") && name.contains("__throw_");
  }

  /** Whether a call of the function is an event before anything else happens. */
  public static boolean releasesAtOnce(String name) {
    return RELEASES_AT_ONCE.contains(name);
  }

  /** Whether a lock is held behind a call of the function, unless that fails. */
  public static boolean acquiresLock(String name) {
    return ACQUIRES_LOCK.contains(name);
  }
}
