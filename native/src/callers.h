/* Call stacks of patched programs: callers are found by what .eh_frame says of each address, which the plan holds as a table. */
#ifndef PERDURE_CALLERS_H
#define PERDURE_CALLERS_H
#include "stacks.h"

struct frame_shape {
  uint16_t offset;    /* in words */
  uint8_t saved_rbp;  /* in words before the frame's end; 0: not saved */
  uint8_t base;       /* enum frame_base */
};
/* The shape from an address on. */
struct frame_row {
  uint32_t address;
  struct frame_shape shape;
};
enum frame_base { FRAME_UNKNOWN = 0, FRAME_RSP = 1, FRAME_RBP = 2 };

/* A patched module. Its observed instructions have the site numbers from `base` on, its calls those behind them. */
struct patched_module {
  uint64_t module, low, high; /* high is 0 while it is not loaded */
  const uint8_t *id;
  unsigned char *copy;
  uint32_t base, sites, calls, rows;
  const uint32_t *return_addresses;
  const struct frame_row *frame_rows;
};
void callers_add(const struct patched_module *module);
/* The module at that address was unloaded. */
void callers_remove(uint64_t module);
/* A module that was unloaded is back at its old place: gives its copy, or null if it was not there before. */
unsigned char *callers_return(uint64_t module, uint64_t high, const uint8_t id[16]);
/* Whether some module of the process is patched: then call stacks are found here. */
extern bool callers_wanted;

/* The stack of an observed instruction, by its frame and the registers that it has. */
uint32_t callers_of_site(struct frame_shape shape, uint64_t rsp, uint64_t rbp);
/* Where an interposed function was called; frame is that of any function of the runtime. */
struct place callers_of_frame(const uint64_t *frame);
/* The call that returns to the address, with rsp behind it. */
struct place callers_of_return(uint64_t address, uint64_t rsp, uint64_t rbp);

#endif
