package dev.perdure.trace.live;

import dev.perdure.trace.format.Layout;
import dev.perdure.trace.format.Layout.ScheduleEntry;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * The schedule page of a recording: what threads of the target do when they come to a site. It can
 * be changed while the target runs.
 */
public final class Schedule {
  /** A table that is fuller than this makes long searches. */
  private static final int MOST_ENTRIES = Layout.SCHEDULE_SLOTS * 3 / 4;

  private static final double CERTAIN = 0xffffffffL;

  private final ByteBuffer page;
  private final int offset;
  private int entries;

  Schedule(ByteBuffer page, int offset) {
    this.page = page;
    this.offset = offset;
  }

  /** Threads sleep at the site, with that probability; false where there is no room for more. */
  public boolean delay(int site, Duration time, double probability) {
    int entry = entryOf(site);
    boolean isNew = page.getInt(entry + ScheduleEntry.SITE) == 0;
    if (isNew && entries == MOST_ENTRIES) {
      return false;
    }
    int chance = (int) (long) (Math.max(0, Math.min(1, probability)) * CERTAIN);
    Recording.LONG.setRelease(page, entry + ScheduleEntry.NANOSECONDS, time.toNanos());
    Recording.INT.setRelease(page, entry + ScheduleEntry.PROBABILITY, chance);
    Recording.INT.setRelease(page, entry + ScheduleEntry.ACTION, Layout.ACTION_DELAY);
    if (isNew) {
      entries++;
      Recording.INT.setRelease(page, entry + ScheduleEntry.SITE, site);
      Recording.INT.setRelease(page, offset + Layout.Schedule.ACTIVE, entries);
    }
    return true;
  }

  /** Threads sleep before every release whose site has no entry; no time at all ends that. */
  public void delayReleases(Duration time) {
    Recording.LONG.setRelease(page, offset + Layout.Schedule.RELEASE_NANOSECONDS, time.toNanos());
    Recording.INT.setRelease(page, offset + Layout.Schedule.ACTIVE, Math.max(1, entries));
  }

  /** At most half of the living threads sleep at a time. */
  public void letHalfSleep() {
    Recording.INT.setRelease(page, offset + Layout.Schedule.MOST_ASLEEP, Layout.HALF_ASLEEP);
  }

  private int entryOf(int site) {
    for (int i = 0; ; i++) {
      int slot = site + i & Layout.SCHEDULE_SLOTS - 1;
      int entry = offset + Layout.Schedule.ENTRIES + slot * ScheduleEntry.SIZE;
      int found = page.getInt(entry + ScheduleEntry.SITE);
      if (found == site || found == 0) {
        return entry;
      }
    }
  }
}
