/* Where labels begin and end: loads of PM, and what is written to PM, files and sockets. */
#include "explore.h"
#include "labels.h"
#include "pm.h"
#include "real.h"
#include "system.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The label that names the load that the thread is about to make and contains what the load's address and its bytes depend on. */
static uint32_t name_load(const void *addr, uint32_t parent) {
  uint32_t label = label_new();
  if (label == 0) {
    return parent;
  }
  record(STAMP_BEFORE, PERDURE_EV_LABEL, 0, (uint64_t)addr, (uint64_t)parent << 32 | label, 0, 0);
  return label;
}

EXPORT uint32_t __perdure_label_load(const void *addr, size_t length, uint32_t pointer, uint32_t site) {
  uint32_t parent = __perdure_label_union(__perdure_label_read(addr, length), pointer);
  if (!perdure_recording || !pm_is(addr, length)) {
    return parent;
  }
  explore_before_load(addr, site);
  return name_load(addr, parent);
}

static void effect(uint32_t kind, const void *addr, size_t length, uint32_t content, uint32_t pointer, uint32_t site) {
  uint64_t payload = length;
  record_with_payload(STAMP_BEFORE, PERDURE_EV_EFFECT, kind, (uint64_t)addr, (uint64_t)pointer << 32 | content, &payload, sizeof payload,
                      site, stack_number(&perdure_self));
}

static void store_effect(const void *addr, size_t length, uint32_t content, uint32_t pointer, uint32_t site) {
  if ((content | pointer) != 0 && perdure_recording && pm_is(addr, length)) {
    effect(PERDURE_EFFECT_STORE, addr, length, content, pointer, site);
  }
}

static void explore_before_store(const void *addr, size_t length) {
  if (perdure_exploration != NULL && pm_is(addr, length)) {
    explore_store(addr, length);
  }
}

EXPORT void __perdure_label_store(void *addr, size_t length, uint32_t content, uint32_t pointer, uint32_t site) {
  explore_before_store(addr, length);
  store_effect(addr, length, content, pointer, site);
  __perdure_label_write(addr, length, content);
}

EXPORT void __perdure_label_stored(uint32_t site) { explore_after_store(site); }

/* The copy or fill that instrumented code has announced: the function that makes it has nothing to add. */
static _Thread_local const void *told_to, *told_from;

EXPORT void __perdure_label_copy(void *to, const void *from, size_t length, uint32_t to_label, uint32_t from_label, uint32_t site) {
  if (to == NULL || length == 0) {
    return;
  }
  told_to = to;
  told_from = from;
  bool from_pm = perdure_recording && pm_is(from, length);
  bool to_pm = perdure_recording && pm_is(to, length);
  uint32_t content = from_label;
  if (from_pm) {
    content = __perdure_label_load(from, length, from_label, site);
  } else if (to_pm || from_label != 0) {
    content = __perdure_label_union(__perdure_label_read(from, length), from_label);
  }
  if (to_pm) {
    explore_before_store(to, length);
    store_effect(to, length, content, to_label, site);
  }
  if (from_pm || from_label != 0) {
    __perdure_label_write(to, length, content);
  } else {
    label_move((uint64_t)to, (uint64_t)from, length);
  }
}

EXPORT void __perdure_label_fill(void *to, size_t length, uint32_t content, uint32_t to_label, uint32_t site) {
  if (to == NULL || length == 0) {
    return;
  }
  told_to = to;
  told_from = NULL;
  explore_before_store(to, length);
  store_effect(to, length, content, to_label, site);
  __perdure_label_write(to, length, content);
}

static bool told(const void *to, const void *from) {
  bool known = told_to == to && told_from == from;
  told_to = NULL;
  return known;
}

static bool unlabelled(uint64_t addr, size_t length) {
  return label_page(addr) == NULL && label_page(addr + length - 1) == NULL && length < (UINT64_C(1) << PERDURE_SHADOW_SHIFT);
}

COLD void labels_follow_told_copy(void *to, const void *from, size_t length) {
  if (length == 0 || told(to, from)) {
    return;
  }
  bool pm = perdure_recording && (pm_is(from, length) || pm_is(to, length));
  if (pm || !unlabelled((uint64_t)from, length) || !unlabelled((uint64_t)to, length)) {
    __perdure_label_copy(to, from, length, 0, 0, pm ? place_of_caller(&perdure_self).site : 0);
    told_to = NULL;
  }
}

COLD void labels_follow_told_fill(void *to, size_t length) {
  if (length != 0 && !told(to, NULL)) {
    __perdure_label_write(to, length, 0);
  }
}

REAL(strlen);
REAL(fileno);

EXPORT size_t __perdure_string_length(const char *text) { return text == NULL ? 0 : CALL(strlen)(text) + 1; }

EXPORT uint32_t __perdure_label_string(const char *text, uint32_t pointer, uint32_t site) {
  return text == NULL ? pointer : __perdure_label_load(text, __perdure_string_length(text), pointer, site);
}

EXPORT int __perdure_stream_descriptor(void *stream) { return stream == NULL ? -1 : CALL(fileno)(stream); }

/* What a program says to its user through standard output and error is no effect. */
static bool outlives(int descriptor) {
  struct stat status;
  return descriptor > 2 && SYSTEM(SYS_fstat, descriptor, &status, 0) == 0 && (S_ISREG(status.st_mode) || S_ISSOCK(status.st_mode));
}

EXPORT void __perdure_label_output(int descriptor, const void *from, size_t length, uint32_t content, uint32_t site) {
  uint32_t label = from == NULL ? content : __perdure_label_load(from, length, content, site);
  if (label != 0 && perdure_recording && outlives(descriptor)) {
    effect(PERDURE_EFFECT_FILE, from, length, label, 0, site);
  }
}
