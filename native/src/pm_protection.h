/* Which PM may be written to without a fault. */
#ifndef PERDURE_PM_PROTECTION_H
#define PERDURE_PM_PROTECTION_H
#include "mapping_table.h"

bool pm_protect(uint64_t addr, uint64_t length, uint64_t prot);
void pm_protect_from_writes(const struct mapping *m);
/* As the program wants it, but for pages that need a mark first. */
void pm_allow_writes(const struct mapping *m);
/* One or the other, for all that the program may write to in a range. */
void pm_protect_in(uint64_t addr, uint64_t length, bool writable);
/* As the program wants it, with all marks that it needs. */
bool pm_open(const struct mapping *m);

#endif
