/* LITMUS
 * command: run
 * libs: -lpmem
 * expect: missing-fence store=S1
 * expect: missing-flush store=S2
 * expect: missing-fence store=S3
 * expect: missing-fence store=S4
 * expect: redundant-fence persist=P1
 * END */
/* The flags and forms of libpmem, each in a thread of its own. */
#include "litmus.h"
#include <libpmem.h>

static char *pm;

static void *f0(void *a) { pmem_memcpy(pm, "hello", 5, PMEM_F_MEM_NODRAIN); return a; } //@S1
static void *f1(void *a) { pmem_memmove(pm + 128, "hello", 5, PMEM_F_MEM_NOFLUSH); return a; } //@S2
static void *f2(void *a) { pmem_memset(pm + 1024, 5, 1000, PMEM_F_MEM_NONTEMPORAL | PMEM_F_MEM_NODRAIN); return a; } //@S3
static void *f3(void *a) { pmem_memset_nodrain(pm + 4096, 5, 4000); return a; } //@S4
static void *f4(void *a) { pmem_memset_persist(pm + 8192, 5, 4000); return a; }
static void *f5(void *a) { pmem_drain(); return a; } //@P1
static void *f6(void *a) { pm[12288] = 1; pmem_deep_persist(pm + 12288, 1); return a; }
static void *f7(void *a) { pm[12288 + 64] = 1; pmem_flush(pm + 12288 + 64, 1); pmem_drain(); return a; }
static void *f8(void *a) { pm[12288 + 128] = 1; pmem_msync(pm + 12288, 4096); return a; }
static void *f9(void *a) { pmem_memmove_persist(pm + 16384, "abc", 3); return a; }
static void *f10(void *a) { pmem_memcpy(pm + 16384 + 128, "abc", 3, PMEM_F_MEM_WC); return a; }
static void *f11(void *a) { pmem_memcpy(pm + 16384 + 256, "abc", 3, PMEM_F_MEM_TEMPORAL | PMEM_F_MEM_WB); return a; }
int main(int argc, char **argv) {
  if (argc < 2) return 2;
  size_t len;
  int is;
  pm = pmem_map_file(argv[1], 1 << 21, PMEM_FILE_CREATE, 0600, &len, &is);
  if (!pm || !is) return 9;
  void *(*all[])(void *) = {f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    pthread_t t;
    start(&t, all[i], NULL);
    finish(t);
  }
  return 0;
}
