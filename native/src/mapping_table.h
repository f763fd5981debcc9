/* The PM mappings of this process. */
#ifndef PERDURE_MAPPING_TABLE_H
#define PERDURE_MAPPING_TABLE_H
#include "runtime.h"

struct mapping {
  uint64_t addr, length;
  uint64_t dev, ino, offset;
  uint64_t prot, flags;
  uint32_t file; /* index in the files table */
  uint8_t *written; /* the marks of the whole file, null where nobody keeps any: see written_pages.h */
};

void mapping_add(const struct mapping *mapping);
/* Takes a range out; what stands out on either side stays. */
void mapping_cut(uint64_t addr, uint64_t length);
/* What the program may do with a range from now on. */
void mapping_protected(uint64_t addr, uint64_t length, uint64_t prot);
/* The parts of mappings that lie in a range, in the order of the table: the n-th one. False after the last. */
bool mapping_in(uint64_t addr, uint64_t length, unsigned n, struct mapping *out);
/* The n-th mapping of a file. */
bool mapping_of_file(uint64_t dev, uint64_t ino, unsigned n, struct mapping *out);
void mapping_table_hold(void);
void mapping_table_drop(void);

#endif
