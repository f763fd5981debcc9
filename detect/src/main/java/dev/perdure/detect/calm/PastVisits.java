package dev.perdure.detect.calm;

import dev.perdure.detect.shadow.IntArena;
import dev.perdure.detect.shadow.LineHistory;

/** What the visits to a calm line have left, as its words have to know it when they are made. */
final class PastVisits {
  private final IntArena arena;
  private final LineHistory history;
  private final VisitPaths paths;
  private final KeptMasks keptMasks;
  private final PastWindows windows = new PastWindows();

  PastVisits(IntArena arena, LineHistory history, VisitPaths paths, KeptMasks keptMasks) {
    this.arena = arena;
    this.history = history;
    this.paths = paths;
    this.keptMasks = keptMasks;
  }

  /** Gives a line that nobody visits its words, with all that the visits to it have left. */
  void tell(long line, int block) {
    int[] a = arena.chunk(block);
    int b = IntArena.at(block);
    history.begin(line, CalmBlock.lockset(a, b));
    for (int i = 0; i < 8; i++) {
      int touched = (int) (CalmBlock.touched(a, b) >>> 8 * i) & 0xff;
      int shared = (int) (CalmBlock.shared(a, b) >>> 8 * i) & 0xff;
      history.own(i, touched, shared, CalmBlock.owner(a, b, i));
    }
    for (int i : inOrder(a, b)) {
      tellVisit(line, a, b, i);
    }
    arena.release(block, CalmBlock.log2(a, b));
  }

  /** The numbers of the cells, that of the earliest visit first. */
  private static int[] inOrder(int[] a, int b) {
    int[] numbers = new int[CalmBlock.count(a, b)];
    for (int n = 0; n < numbers.length; n++) {
      int i = n;
      for (; i > 0 && order(a, b, numbers[i - 1]) - order(a, b, n) > 0; i--) {
        numbers[i] = numbers[i - 1];
      }
      numbers[i] = n;
    }
    return numbers;
  }

  private static int order(int[] a, int b, int i) {
    return CalmBlock.order(a, CalmBlock.cell(a, b, i));
  }

  private void tellVisit(long line, int[] a, int b, int i) {
    int cell = CalmBlock.cell(a, b, i);
    history.by(
        CalmBlock.index(a, cell),
        CalmBlock.epoch(a, cell),
        CalmBlock.members(a, cell),
        CalmBlock.time(a, cell),
        CalmBlock.endTime(a, cell));
    int path = CalmBlock.path(a, b, i);
    long[] steps = paths.steps(path);
    for (long step : steps) {
      if (VisitPaths.kind(step) == VisitPaths.LOAD) {
        int position = VisitPaths.offset(step) >>> 3;
        int mask = (int) (VisitPaths.bytes(step) >>> 8 * position) & 0xff;
        history.addLoad(position, mask, VisitPaths.origin(step));
      }
    }
    long kept = keptMasks.mask(CalmBlock.kept(a, b, i), paths.stored(path));
    windows.forEach(
        steps,
        (position, mask, origin, endOrigin, overwritten) -> {
          int part = mask & (int) (kept >>> 8 * position);
          if (part != 0) {
            history.addWindow(line, position, part, origin, endOrigin, overwritten);
          }
        });
  }
}
