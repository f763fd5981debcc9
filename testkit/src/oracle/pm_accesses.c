/* A plugin for qemu-user 7.2: writes the set of (instruction, kind, place in the pool, size) of all accesses to a file that the program maps, and
 * the flush and fence instructions that ran. One line each, hexadecimal:
 *
 *   load|store PC OFFSET SIZE
 *   flush|fence PC 0 0
 *
 *   qemu-x86_64 -plugin pm_accesses.so,pool=PATH,quiet=FILE,out=FILE program …
 *
 * The file `quiet` lists functions of libraries, a path and a hexadecimal address each. What happens until they return has `quiet-` before its kind.
 * For one thread; a forked child would write the same file. A locked instruction is a store to qemu. The header of qemu's plugins is not packaged:
 * what is used of it is declared here. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
typedef struct qemu_info_t qemu_info_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { CB_NO_REGS = 0, MEM_RW = 3 };
typedef void (*tb_callback)(qemu_plugin_id_t, struct qemu_plugin_tb *);
typedef void (*memory_callback)(unsigned, qemu_plugin_meminfo_t, uint64_t, void *);
typedef void (*instruction_callback)(unsigned, void *);
typedef void (*exit_callback)(qemu_plugin_id_t, void *);
typedef void (*call_callback)(qemu_plugin_id_t, unsigned, int64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
typedef void (*return_callback)(qemu_plugin_id_t, unsigned, int64_t, int64_t);
extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, tb_callback);
extern void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *, memory_callback, int, int, void *);
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, instruction_callback, int, void *);
extern void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, exit_callback, void *);
extern void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t, call_callback);
extern void qemu_plugin_register_vcpu_syscall_ret_cb(qemu_plugin_id_t, return_callback);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
extern const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
extern unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t);
extern bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

enum kind { LOAD, STORE, FLUSH, FENCE, QUIET };
static const char *const names[] = {"load", "store", "flush", "fence", "quiet-load", "quiet-store", "quiet-flush", "quiet-fence"};

struct access {
  uint64_t pc, offset;
  uint32_t size, kind;
};

/* An open hash table; an entry with pc 0 is free. */
static struct access *table;
static size_t slots, used;
static const char *pool, *out;

/* Where the pool is mapped, the newest last: a later mapping hides what was there. A range that is no part of the pool has pool_offset -1. */
struct mapping {
  uint64_t from, to;
  int64_t pool_offset;
};
static struct mapping *mappings;
static size_t mapped;
static uint64_t call[6];
static int64_t call_number;

/* A function to be quiet in: its address is known once its library is mapped. */
struct function {
  char path[512];
  uint64_t offset, address;
};
static struct function *functions;
static size_t function_count;

/* How many calls have not returned, and how many had not when the outermost quiet function began. */
static int64_t depth, quiet_depth;
static bool quiet;

static size_t slot(const struct access *in, size_t count, const struct access *a) {
  size_t at = ((a->pc * 31 + a->offset) * UINT64_C(0x9e3779b97f4a7c15) + a->size * 8 + a->kind) % count;
  while (in[at].pc != 0 && memcmp(&in[at], a, sizeof *a) != 0) at = (at + 1) % count;
  return at;
}

static void grow(void) {
  size_t count = slots == 0 ? 1 << 16 : slots * 2;
  struct access *bigger = calloc(count, sizeof *bigger);
  if (bigger == NULL) abort();
  for (size_t i = 0; i < slots; i++)
    if (table[i].pc != 0) bigger[slot(bigger, count, &table[i])] = table[i];
  free(table);
  table = bigger;
  slots = count;
}

static void add(uint64_t pc, enum kind kind, uint64_t offset, uint32_t size) {
  if ((used + 1) * 2 > slots) grow();
  struct access a = {pc, offset, size, kind + (quiet ? QUIET : 0)};
  size_t at = slot(table, slots, &a);
  if (table[at].pc == 0) {
    table[at] = a;
    used++;
  }
}

static void map(uint64_t from, uint64_t size, int64_t pool_offset) {
  mappings = realloc(mappings, (mapped + 1) * sizeof *mappings);
  if (mappings == NULL) abort();
  mappings[mapped++] = (struct mapping){from, from + size, pool_offset};
}

/* File descriptors of the program are those of qemu. */
static void path_of(int fd, char *path, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, size - 1);
  path[n < 0 ? 0 : n] = 0;
}

static void on_map(uint64_t at, uint64_t size, int fd, uint64_t offset) {
  char path[4096];
  path_of(fd, path, sizeof path);
  for (size_t i = 0; i < function_count && offset == 0; i++)
    if (functions[i].address == 0 && strcmp(functions[i].path, path) == 0) functions[i].address = at + functions[i].offset;
  if (strcmp(path, pool) == 0) map(at, size, (int64_t)offset);
  else if (mapped > 0) map(at, size, -1);
}

static void on_call(qemu_plugin_id_t id, unsigned cpu, int64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g,
                    uint64_t h) {
  (void)id, (void)cpu, (void)g, (void)h;
  call_number = number;
  memcpy(call, (uint64_t[]){a, b, c, d, e, f}, sizeof call);
}

static void on_return(qemu_plugin_id_t id, unsigned cpu, int64_t number, int64_t result) {
  (void)id, (void)cpu;
  if (number != call_number || (result < 0 && result > -4096)) return;
  if (number == SYS_mmap) on_map((uint64_t)result, call[1], (int)call[4], call[5]);
  else if (number == SYS_munmap && mapped > 0) map(call[0], call[1], -1);
}

static void on_memory(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *pc) {
  (void)cpu;
  for (size_t i = mapped; i > 0; i--) {
    const struct mapping *m = &mappings[i - 1];
    if (address >= m->from && address < m->to) {
      if (m->pool_offset >= 0)
        add((uint64_t)(uintptr_t)pc, qemu_plugin_mem_is_store(info) ? STORE : LOAD, (uint64_t)m->pool_offset + (address - m->from),
            1U << qemu_plugin_mem_size_shift(info));
      return;
    }
  }
}

static void on_flush(unsigned cpu, void *pc) {
  (void)cpu;
  add((uint64_t)(uintptr_t)pc, FLUSH, 0, 0);
}

static void on_fence(unsigned cpu, void *pc) {
  (void)cpu;
  add((uint64_t)(uintptr_t)pc, FENCE, 0, 0);
}

static void on_call_instruction(unsigned cpu, void *data) {
  (void)cpu, (void)data;
  depth++;
}

static void on_return_instruction(unsigned cpu, void *data) {
  (void)cpu, (void)data;
  if (depth == quiet_depth) quiet = false;
  depth--;
}

static void on_quiet_function(unsigned cpu, void *data) {
  (void)cpu, (void)data;
  if (!quiet) {
    quiet = true;
    quiet_depth = depth;
  }
}

static bool is_quiet_function(uint64_t pc) {
  for (size_t i = 0; i < function_count; i++)
    if (functions[i].address == pc) return true;
  return false;
}

static instruction_callback calling(const unsigned char *code, size_t size) {
  size_t i = 0;
  while (i + 1 < size && (code[i] == 0xf2 || code[i] == 0xf3 || code[i] == 0x3e || code[i] == 0x66 || (code[i] & 0xf0) == 0x40)) i++;
  if (code[i] == 0xe8 || (code[i] == 0xff && i + 1 < size && (code[i + 1] >> 3 & 7) == 2)) return on_call_instruction;
  return code[i] == 0xc3 || code[i] == 0xc2 ? on_return_instruction : NULL;
}

/* Group 15 (0F AE): with a memory operand /7 is clflush or, behind 66, clflushopt, and 66 /6 is clwb; without one /6 is mfence, /7 sfence. */
static instruction_callback ordering(const unsigned char *code, size_t size) {
  size_t i = 0;
  bool prefix66 = false;
  while (i < size && (code[i] == 0x66 || (code[i] & 0xf0) == 0x40 || code[i] == 0x2e || code[i] == 0x3e || code[i] == 0x67)) prefix66 |= code[i++] == 0x66;
  if (i + 2 >= size || code[i] != 0x0f || code[i + 1] != 0xae) return NULL;
  int operation = code[i + 2] >> 3 & 7;
  if (code[i + 2] >= 0xc0) return prefix66 || operation < 6 ? NULL : on_fence;
  return operation == 7 || (operation == 6 && prefix66) ? on_flush : NULL;
}

static void on_block(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
  (void)id;
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
    struct qemu_plugin_insn *in = qemu_plugin_tb_get_insn(block, i);
    void *pc = (void *)(uintptr_t)qemu_plugin_insn_vaddr(in);
    qemu_plugin_register_vcpu_mem_cb(in, on_memory, CB_NO_REGS, MEM_RW, pc);
    if (is_quiet_function((uint64_t)(uintptr_t)pc)) qemu_plugin_register_vcpu_insn_exec_cb(in, on_quiet_function, CB_NO_REGS, pc);
    instruction_callback call_or_return = calling(qemu_plugin_insn_data(in), qemu_plugin_insn_size(in));
    if (call_or_return != NULL) qemu_plugin_register_vcpu_insn_exec_cb(in, call_or_return, CB_NO_REGS, pc);
    instruction_callback callback = ordering(qemu_plugin_insn_data(in), qemu_plugin_insn_size(in));
    if (callback != NULL) qemu_plugin_register_vcpu_insn_exec_cb(in, callback, CB_NO_REGS, pc);
  }
}

static void on_exit_of_target(qemu_plugin_id_t id, void *data) {
  (void)id;
  (void)data;
  FILE *file = fopen(out, "w");
  if (file == NULL) {
    perror(out);
    return;
  }
  for (size_t i = 0; i < slots; i++)
    if (table[i].pc != 0)
      fprintf(file, "%s %llx %llx %x\n", names[table[i].kind], (unsigned long long)table[i].pc, (unsigned long long)table[i].offset, table[i].size);
  fclose(file);
}

static bool read_functions(const char *list) {
  FILE *file = fopen(list, "r");
  if (file == NULL) return false;
  struct function f = {.address = 0};
  while (fscanf(file, "%511s %lx", f.path, &f.offset) == 2) {
    functions = realloc(functions, (function_count + 1) * sizeof *functions);
    if (functions == NULL) abort();
    functions[function_count++] = f;
  }
  fclose(file);
  return true;
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv) {
  (void)info;
  for (int i = 0; i < argc; i++) {
    if (strncmp(argv[i], "pool=", 5) == 0) pool = strdup(argv[i] + 5);
    else if (strncmp(argv[i], "quiet=", 6) == 0 && !read_functions(argv[i] + 6)) return -1;
    else if (strncmp(argv[i], "quiet=", 6) == 0) continue;
    else if (strncmp(argv[i], "out=", 4) == 0) out = strdup(argv[i] + 4);
    else return -1;
  }
  if (out == NULL || pool == NULL) return -1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_block);
  qemu_plugin_register_vcpu_syscall_cb(id, on_call);
  qemu_plugin_register_vcpu_syscall_ret_cb(id, on_return);
  qemu_plugin_register_atexit_cb(id, on_exit_of_target, NULL);
  return 0;
}
