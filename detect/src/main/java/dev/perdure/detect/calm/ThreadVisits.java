package dev.perdure.detect.calm;

import dev.perdure.detect.sync.ThreadState;

/** The visits that one thread is making now. */
final class ThreadVisits {
  /** So many lines at once; a further one ends the oldest visit. */
  private static final int MOST = 16;

  private final ThreadState thread;
  private final Visit[] visits = new Visit[MOST];
  private int count;

  ThreadVisits(ThreadState thread) {
    this.thread = thread;
  }

  ThreadState thread() {
    return thread;
  }

  int count() {
    return count;
  }

  boolean isFull() {
    return count == MOST;
  }

  /** The oldest first. */
  Visit get(int i) {
    return visits[i];
  }

  /** The visit to a line, or null. */
  Visit find(long line) {
    for (int i = count - 1; i >= 0; i--) {
      if (visits[i].isOf(line)) {
        return visits[i];
      }
    }
    return null;
  }

  Visit begin(long line, int block) {
    if (visits[count] == null) {
      visits[count] = new Visit(this);
    }
    Visit visit = visits[count++];
    visit.begin(line, block);
    return visit;
  }

  /** The visit is over; its object may still be read until the next one begins. */
  void end(Visit visit) {
    int i = 0;
    while (visits[i] != visit) {
      i++;
    }
    count--;
    for (; i < count; i++) {
      visits[i] = visits[i + 1];
    }
    visits[count] = visit;
  }

  boolean anyPending() {
    for (int i = 0; i < count; i++) {
      if (visits[i].isPending()) {
        return true;
      }
    }
    return false;
  }
}
