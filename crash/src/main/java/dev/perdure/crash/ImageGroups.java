package dev.perdure.crash;

import dev.perdure.crash.recovery.ImageCheck;
import dev.perdure.crash.recovery.PoolImage;
import dev.perdure.model.finding.Place;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Images that wait for their recovery run, those of equal content together: what is stored at one
 * failure point is often just what is persistent at the next, and recovery does the same on both.
 */
final class ImageGroups {
  private static final int MOST_WAITING = 64;

  /** What an image holds: the number of its bytes, and the sizes of the pools. */
  record Content(long hash, List<Long> sizes) {}

  /** Images of one content. */
  static final class Group {
    private final List<PoolImage> pools;
    private final List<ImageCheck> checks = new ArrayList<>();
    private final List<Place> failures = new ArrayList<>();

    private Group(List<PoolImage> pools) {
      this.pools = pools;
    }

    List<PoolImage> pools() {
      return pools;
    }

    List<ImageCheck> checks() {
      return checks;
    }

    /** Where the program was when it failed, for each check. */
    List<Place> failures() {
      return failures;
    }
  }

  private final Map<Content, Group> waiting = new LinkedHashMap<>();

  /**
   * Takes an image.
   *
   * @param pools what it holds, asked for only if no other has the same
   */
  void add(Content content, Supplier<List<PoolImage>> pools, ImageCheck check, Place failure) {
    Group group = waiting.computeIfAbsent(content, c -> new Group(pools.get()));
    group.checks.add(check);
    group.failures.add(failure);
  }

  /** The group that has waited longest, if there are too many; at the end, if there is any. */
  Optional<Group> next(boolean end) {
    if (waiting.isEmpty() || !end && waiting.size() <= MOST_WAITING) {
      return Optional.empty();
    }
    Iterator<Group> first = waiting.values().iterator();
    Group group = first.next();
    first.remove();
    return Optional.of(group);
  }
}
