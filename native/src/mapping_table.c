#include "mapping_table.h"

#define MOST 4096

static struct mapping table[MOST];
static uint32_t count;
static uint32_t lock;

void mapping_table_hold(void) { perdure_spin_lock(&lock); }
void mapping_table_drop(void) { perdure_spin_unlock(&lock); }

static void append(const struct mapping *mapping) {
  if (count < MOST) {
    table[count++] = *mapping;
  }
}

void mapping_add(const struct mapping *mapping) {
  mapping_table_hold();
  append(mapping);
  mapping_table_drop();
}

/* The part of a mapping that lies in [start, end), which must not be empty. */
static struct mapping part(const struct mapping *whole, uint64_t start, uint64_t end) {
  struct mapping piece = *whole;
  uint64_t from = whole->addr > start ? whole->addr : start;
  uint64_t to = whole->addr + whole->length < end ? whole->addr + whole->length : end;
  piece.addr = from;
  piece.length = to - from;
  piece.offset = whole->offset + (from - whole->addr);
  return piece;
}

static bool overlaps(const struct mapping *mapping, uint64_t start, uint64_t end) {
  return mapping->addr < end && start < mapping->addr + mapping->length;
}

/* What stands out of [start, end) on either side. */
static void append_outside(const struct mapping *whole, uint64_t start, uint64_t end) {
  if (whole->addr < start) {
    struct mapping left = part(whole, whole->addr, start);
    append(&left);
  }
  if (whole->addr + whole->length > end) {
    struct mapping right = part(whole, end, whole->addr + whole->length);
    append(&right);
  }
}

void mapping_cut(uint64_t addr, uint64_t length) {
  uint64_t end = addr + length;
  mapping_table_hold();
  for (uint32_t i = 0; i < count;) {
    struct mapping whole = table[i];
    if (!overlaps(&whole, addr, end)) {
      i++;
      continue;
    }
    table[i] = table[--count];
    append_outside(&whole, addr, end);
  }
  mapping_table_drop();
}

void mapping_protected(uint64_t addr, uint64_t length, uint64_t prot) {
  uint64_t end = addr + length;
  mapping_table_hold();
  for (uint32_t i = 0, known = count; i < known; i++) {
    struct mapping whole = table[i];
    if (!overlaps(&whole, addr, end) || whole.prot == prot) {
      continue;
    }
    table[i] = part(&whole, addr, end);
    table[i].prot = prot;
    append_outside(&whole, addr, end);
  }
  mapping_table_drop();
}

bool mapping_in(uint64_t addr, uint64_t length, unsigned n, struct mapping *out) {
  bool found = false;
  mapping_table_hold();
  for (uint32_t i = 0; i < count && !found; i++) {
    if (overlaps(&table[i], addr, addr + length) && n-- == 0) {
      *out = part(&table[i], addr, addr + length);
      found = true;
    }
  }
  mapping_table_drop();
  return found;
}

bool mapping_of_file(uint64_t dev, uint64_t ino, unsigned n, struct mapping *out) {
  bool found = false;
  mapping_table_hold();
  for (uint32_t i = 0; i < count && !found; i++) {
    if (table[i].dev == dev && table[i].ino == ino && n-- == 0) {
      *out = table[i];
      found = true;
    }
  }
  mapping_table_drop();
  return found;
}
