/* A plugin for qemu-user 7.2: writes the set of (instruction, kind, address, size) of all accesses above an address, and the flush and fence
 * instructions that ran. One line each, hexadecimal:
 *
 *   load|store PC ADDRESS SIZE
 *   flush|fence PC 0 0
 *
 *   qemu-x86_64 -plugin pm_accesses.so,from=0x…,out=FILE program …
 *
 * For one thread; a forked child would write the same file. The header of qemu's plugins is not packaged: what is used of it is declared here. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, tb_callback);
extern void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *, memory_callback, int, int, void *);
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, instruction_callback, int, void *);
extern void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, exit_callback, void *);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
extern const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
extern unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t);
extern bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

enum kind { LOAD, STORE, FLUSH, FENCE };
static const char *const names[] = {"load", "store", "flush", "fence"};

struct access {
  uint64_t pc, address;
  uint32_t size, kind;
};

/* An open hash table; an entry with pc 0 is free. */
static struct access *table;
static size_t slots, used;
static uint64_t from;
static const char *out;

static size_t slot(const struct access *in, size_t count, const struct access *a) {
  size_t at = ((a->pc * 31 + a->address) * UINT64_C(0x9e3779b97f4a7c15) + a->size * 8 + a->kind) % count;
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

static void add(uint64_t pc, enum kind kind, uint64_t address, uint32_t size) {
  if ((used + 1) * 2 > slots) grow();
  struct access a = {pc, address, size, kind};
  size_t at = slot(table, slots, &a);
  if (table[at].pc == 0) {
    table[at] = a;
    used++;
  }
}

static void on_memory(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *pc) {
  (void)cpu;
  if (address >= from)
    add((uint64_t)(uintptr_t)pc, qemu_plugin_mem_is_store(info) ? STORE : LOAD, address, 1U << qemu_plugin_mem_size_shift(info));
}

static void on_flush(unsigned cpu, void *pc) {
  (void)cpu;
  add((uint64_t)(uintptr_t)pc, FLUSH, 0, 0);
}

static void on_fence(unsigned cpu, void *pc) {
  (void)cpu;
  add((uint64_t)(uintptr_t)pc, FENCE, 0, 0);
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
      fprintf(file, "%s %llx %llx %x\n", names[table[i].kind], (unsigned long long)table[i].pc, (unsigned long long)table[i].address, table[i].size);
  fclose(file);
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv) {
  (void)info;
  for (int i = 0; i < argc; i++) {
    if (strncmp(argv[i], "from=", 5) == 0) from = strtoull(argv[i] + 5, NULL, 0);
    else if (strncmp(argv[i], "out=", 4) == 0) out = strdup(argv[i] + 4);
    else return -1;
  }
  if (out == NULL) return -1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_block);
  qemu_plugin_register_atexit_cb(id, on_exit_of_target, NULL);
  return 0;
}
