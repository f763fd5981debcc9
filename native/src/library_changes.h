/* What the persistent memory libraries, which are not instrumented, write to PM. Where the recording asks for it, PM is
 * write-protected while a thread is inside a library; the first write to a page keeps a copy of it, and the differences are
 * recorded as stores at each flush and at the end of the call. */
#ifndef PERDURE_LIBRARY_CHANGES_H
#define PERDURE_LIBRARY_CHANGES_H
#include "mapping_table.h"

/* A thread enters a library, or leaves it. */
void library_changes_begin(void);
void library_changes_end(void);
/* Records what was written up to now; nothing outside libraries. */
void library_changes_record(void);
/* PM that is mapped, or about to be unmapped. */
void library_changes_mapped(const struct mapping *mapping);
void library_changes_unmapping(uint64_t addr, uint64_t length);
/* mprotect of PM by the program or a library: what it asks for holds when nobody is inside. */
int library_changes_protect(void *addr, size_t length, int prot);
/* Around a fork; the child has one thread. */
void library_changes_hold(void);
void library_changes_drop(void);
void library_changes_in_child(void);
/* Before the kernel writes to a range: it would fail where a page is protected. */
void library_changes_touch(void *addr, size_t length);
/* Bytes (or a fill) that the library is about to write and that are recorded by themselves: what comes after them is told from them. */
void library_changes_told(void *addr, const void *bytes, int fill, size_t length);

#endif
