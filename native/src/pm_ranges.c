/* PM outside the window: a short sorted list of ranges. Readers are hooks, also in signal handlers, and never wait: the list
 * has a sequence number that is odd while it changes. A reader that meets a change a thousand times says "PM". */
#include "gates.h"
#include "pm.h"

#define MOST 512

static struct {
  uint64_t start, end;
} ranges[MOST];
static uint32_t count;
static uint32_t sequence;
static uint32_t lock;

void pm_ranges_hold(void) { perdure_spin_lock(&lock); }
void pm_ranges_drop(void) { perdure_spin_unlock(&lock); }

static bool search(uint64_t addr, uint64_t length) {
  uint32_t low = 0, high = __atomic_load_n(&count, __ATOMIC_RELAXED);
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (__atomic_load_n(&ranges[middle].end, __ATOMIC_RELAXED) <= addr) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < MOST && low < __atomic_load_n(&count, __ATOMIC_RELAXED) && __atomic_load_n(&ranges[low].start, __ATOMIC_RELAXED) < addr + length;
}

COLD bool pm_in_ranges(uint64_t addr, uint64_t length) {
  for (int tries = 0; tries < 1000; tries++) {
    uint32_t before = __atomic_load_n(&sequence, __ATOMIC_ACQUIRE);
    bool found = search(addr, length);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if ((before & 1) == 0 && __atomic_load_n(&sequence, __ATOMIC_RELAXED) == before) {
      return found;
    }
  }
  return true;
}

static void begin_change(void) {
  perdure_spin_lock(&lock);
  __atomic_add_fetch(&sequence, 1, __ATOMIC_SEQ_CST);
}

static void end_change(void) {
  __atomic_add_fetch(&sequence, 1, __ATOMIC_RELEASE);
  perdure_spin_unlock(&lock);
}

static void delete_at(uint32_t i) {
  for (uint32_t j = i + 1; j < count; j++) {
    ranges[j - 1] = ranges[j];
  }
  count--;
}

static bool insert(uint64_t start, uint64_t end) {
  if (count == MOST) {
    return false;
  }
  uint32_t i = count++;
  for (; i > 0 && ranges[i - 1].start > start; i--) {
    ranges[i] = ranges[i - 1];
  }
  ranges[i].start = start;
  ranges[i].end = end;
  return true;
}

/* Takes [start, end) out of the list and keeps what stands out on either side. */
static void cut(uint64_t start, uint64_t end) {
  for (uint32_t i = 0; i < count;) {
    uint64_t from = ranges[i].start, to = ranges[i].end;
    if (to <= start || from >= end) {
      i++;
      continue;
    }
    delete_at(i);
    if (from < start) {
      insert(from, start);
      i++;
    }
    if (to > end) {
      insert(end, to);
      i++;
    }
  }
}

static bool in_window(uint64_t start, uint64_t end) { return start >= PERDURE_WINDOW_BASE && end <= PERDURE_WINDOW_END; }

static void mark_blocks(uint64_t start, uint64_t end, unsigned char mark) {
  for (uint64_t block = start >> PERDURE_BLOCK_SHIFT; block <= (end - 1) >> PERDURE_BLOCK_SHIFT && block < PERDURE_BLOCKS; block++) {
    if (__perdure_pm_map[block] != 1) {
      __atomic_store_n(&__perdure_pm_map[block], mark, __ATOMIC_RELEASE);
    }
  }
  gates_watch_pm(start, end);
}

/* In the window a block is PM as a whole, unless something else was mapped over a part of it. */
static bool whole_blocks(uint64_t start, uint64_t end) {
  for (uint64_t block = start >> PERDURE_BLOCK_SHIFT; block <= (end - 1) >> PERDURE_BLOCK_SHIFT; block++) {
    if (__perdure_pm_map[block] == 2) {
      return false;
    }
  }
  return in_window(start, end);
}

bool pm_list(uint64_t addr, uint64_t length) {
  begin_change();
  cut(addr, addr + length);
  bool added = insert(addr, addr + length);
  end_change();
  return added;
}

void pm_add(uint64_t addr, uint64_t length) {
  if (length == 0) {
    return;
  }
  bool listed = !whole_blocks(addr, addr + length) && pm_list(addr, length);
  mark_blocks(addr, addr + length, listed ? 2 : 1);
}

/* Blocks keep their marks: a mark says "look closer" and nothing else. */
void pm_remove(uint64_t addr, uint64_t length) {
  if (length == 0) {
    return;
  }
  begin_change();
  cut(addr, addr + length);
  end_change();
}

void pm_look_closer(uint64_t addr, uint64_t length) {
  quick_hooks_look_closer();
  for (uint64_t block = addr >> PERDURE_BLOCK_SHIFT; block <= (addr + length - 1) >> PERDURE_BLOCK_SHIFT; block++) {
    __atomic_store_n(&__perdure_pm_map[block], 2, __ATOMIC_RELEASE);
  }
}
