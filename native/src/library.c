#include "library.h"

/* The library was left by a jump when a call comes from a frame above the one that entered: stacks grow downwards. */
bool library_enter(void *frame) {
  struct perdure_self *self = &perdure_self;
  if (!perdure_recording) {
    return false;
  }
  if (self->library != 0 && (char *)frame >= (char *)self->library_frame && (char *)frame < (char *)self->library_frame + (8 << 20)) {
    self->library = 0;
    emit(STAMP_AFTER, PERDURE_EV_LIBRARY_LEAVE, 0, NULL, 0);
  }
  if (self->library++ != 0) {
    return true;
  }
  self->library_frame = frame;
  emit(STAMP_BEFORE, PERDURE_EV_LIBRARY_ENTER, 0, NULL, 0);
  return true;
}

void library_leave(bool entered) {
  struct perdure_self *self = &perdure_self;
  if (entered && self->library != 0 && --self->library == 0) {
    emit(STAMP_AFTER, PERDURE_EV_LIBRARY_LEAVE, 0, NULL, 0);
  }
}

uint32_t library_suspend(void) {
  struct perdure_self *self = &perdure_self;
  uint32_t depth = self->library;
  if (depth != 0) {
    self->library = 0;
    emit(STAMP_AFTER, PERDURE_EV_LIBRARY_LEAVE, 0, NULL, 0);
  }
  return depth;
}

void library_resume(uint32_t depth) {
  struct perdure_self *self = &perdure_self;
  if (depth != 0) {
    emit(STAMP_BEFORE, PERDURE_EV_LIBRARY_ENTER, 0, NULL, 0);
    self->library = depth;
  }
}
