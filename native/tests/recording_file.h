/* A recording as tests and tools see it: made, drained and decoded in C. */
#ifndef RECORDING_FILE_H
#define RECORDING_FILE_H
#include "perdure_trace.h"
#include <stdbool.h>
#include <stddef.h>

struct event {
  uint64_t time, addr, value;
  uint32_t kind, info, site, stack, thread, pid;
  uint32_t ring;
  uint32_t payload_length;
  unsigned char *payload;
  bool early;     /* an acquisition whose time was settled afterwards */
  bool untimed;   /* has the time of the next event in the ring that has one */
  bool with_last; /* has the time of the last event in the ring */
  uint64_t order; /* in its ring */
};

struct events {
  struct event *all;
  size_t count, room;
};

struct recording {
  char path[256];
  size_t size;
  struct perdure_header *header;
  struct perdure_counters *counters;
  struct perdure_schedule *schedule;
  char *paths;
  struct perdure_file *files;
  struct perdure_module *modules;
  struct perdure_process *processes;
  struct perdure_stack *stacks;
  struct perdure_ring *rings;
  struct perdure_slot *data;
  uint64_t position[PERDURE_MAX_RINGS]; /* where the reader stands in each ring */
  uint32_t thread[PERDURE_MAX_RINGS];   /* whose events follow */
};

bool recording_create(struct recording *r, const char *path, uint32_t ring_slots, const char *const *pm_paths);
/* To look at; nothing that is done to it reaches the file. */
bool recording_open(struct recording *r, const char *path);
void recording_close(struct recording *r);

/* Appends what is committed now; returns how many slots were read. skip: pass over slots that were claimed and never filled. */
size_t recording_drain(struct recording *r, struct events *into, bool skip);
/* By time; events of one ring keep their order. */
void events_sort(struct events *events);
void events_free(struct events *events);
const char *event_name(uint32_t kind);

#endif
