package dev.perdure.detect.calm;

import dev.perdure.detect.shadow.Access;
import dev.perdure.detect.shadow.Accesses;
import dev.perdure.detect.shadow.IntArena;
import dev.perdure.detect.shadow.LineHistory;
import dev.perdure.detect.shadow.Persistence;
import dev.perdure.detect.shadow.ShadowPm;
import dev.perdure.detect.shadow.StoreKind;
import dev.perdure.detect.shadow.UnmadeLines;
import dev.perdure.detect.sync.ThreadState;
import java.util.Arrays;

/**
 * The visits that threads make to calm lines, and what is known of these lines. Whatever is no
 * visit, or would make a line less than calm, is left to the words of the line, which are made for
 * it: the methods that carry something out say whether they did.
 */
public final class CalmLines implements UnmadeLines {
  private static final int CALM = 1;
  private static final int NONE = 0;

  private final ShadowPm shadow;
  private final IntArena arena;
  private final Persistence persistence;
  private final Accesses accesses;
  private final LineHistory history;
  private final VisitPaths paths = new VisitPaths();
  private final KeptMasks keptMasks = new KeptMasks();
  private final PastVisits pastVisits;
  private final Access replayed = new Access();
  private final int[] owners = new int[8];
  private ThreadVisits[] visits = new ThreadVisits[16];
  private int order;

  public CalmLines(
      ShadowPm shadow, Persistence persistence, Accesses accesses, LineHistory history) {
    this.shadow = shadow;
    this.arena = shadow.arena();
    this.persistence = persistence;
    this.accesses = accesses;
    this.history = history;
    this.pastVisits = new PastVisits(arena, history, paths, keptMasks);
  }

  /** A plain access of up to eight bytes; returns whether it is part of a visit. */
  public boolean access(
      ThreadState t, int origin, long time, boolean store, long address, int size, long value) {
    if (((int) address & 7) + size > 8) {
      return false;
    }
    ThreadVisits mine = visitsOf(t);
    Visit visit = mine.find(address >>> 6);
    if (visit == null) {
      visit = begin(mine, address);
      if (visit == null) {
        return false;
      }
    }
    int kind = store ? VisitPaths.STORE : VisitPaths.LOAD;
    long step = VisitPaths.step(origin, kind, (int) address & 63, size);
    if (!store && paths.last(visit.path()) == step) {
      return true;
    }
    visit = take(visit, step, time, value);
    if (store && visit != null) {
      visit.stored(VisitPaths.bytes(step));
    }
    return visit != null;
  }

  @Override
  public Flush flush(ThreadState t, int origin, long time, long line, int known, boolean ordered) {
    int visitor = CalmBlock.visitor(chunk(known), at(known));
    if (visitor < 0) {
      return Flush.NEEDLESS;
    }
    Visit visit = visits[visitor].find(line >>> 6);
    if (visitor != t.index()) {
      settle(visit);
      return isCalm(shadow.line(line)) ? Flush.NEEDLESS : Flush.MADE;
    }
    if (!visit.isDirty() && !(ordered && visit.isPending())) {
      return Flush.NEEDLESS;
    }
    int kind = ordered ? VisitPaths.ORDERED_FLUSH : VisitPaths.FLUSH;
    visit = take(visit, VisitPaths.step(origin, kind, 0, 0), time, 0);
    if (visit == null) {
      return Flush.MADE;
    }
    if (ordered) {
      visit.persisted();
    } else {
      visit.flushed();
    }
    return Flush.NEEDED;
  }

  /** A fence of the thread; returns whether anything in its visits was pending. */
  public boolean fence(ThreadState t, int origin, long time) {
    boolean any = false;
    ThreadVisits mine = visitsOf(t);
    for (int i = mine.count() - 1; i >= 0; i--) {
      Visit visit = mine.get(i);
      if (visit.isPending()) {
        any = true;
        visit = take(visit, VisitPaths.step(origin, VisitPaths.FENCE, 0, 0), time, 0);
        if (visit != null) {
          visit.fenced();
        }
      }
    }
    return any;
  }

  /** Whether a fence of the thread would change anything in its visits. */
  public boolean isPending(ThreadState t) {
    return visitsOf(t).anyPending();
  }

  /** The thread does something else now, or its locks change: its visits are over. */
  public void settle(ThreadState t) {
    settle(visitsOf(t));
  }

  private void settle(ThreadVisits all) {
    while (all.count() > 0) {
      settle(all.get(all.count() - 1));
    }
  }

  /** All visits are over. */
  public void settleAll() {
    for (ThreadVisits all : visits) {
      if (all != null) {
        settle(all);
      }
    }
  }

  @Override
  public void make(long line) {
    int visitor = CalmBlock.visitor(chunk(shadow.line(line)), at(shadow.line(line)));
    if (visitor >= 0) {
      settle(visits[visitor].find(line >>> 6));
    }
    if (isCalm(shadow.line(line))) {
      tell(line);
    }
  }

  /** Gives the words of all calm lines back to them. */
  public void makeAll() {
    settleAll();
    shadow.forEachLine(
        (line, block) -> {
          if (isCalm(block)) {
            tell(line);
          }
        });
  }

  @Override
  public void forget(long line) {
    int block = shadow.line(line) - CALM;
    int[] a = arena.chunk(block);
    int b = IntArena.at(block);
    int visitor = CalmBlock.visitor(a, b);
    if (visitor >= 0) {
      visits[visitor].end(visits[visitor].find(line >>> 6));
    }
    arena.release(block, CalmBlock.log2(a, b));
    shadow.setLine(line, 0);
  }

  private static boolean isCalm(int line) {
    return (line & CALM) != 0;
  }

  private int[] chunk(int line) {
    return arena.chunk(line - CALM);
  }

  private static int at(int line) {
    return IntArena.at(line - CALM);
  }

  private ThreadVisits visitsOf(ThreadState t) {
    int index = t.index();
    if (index < visits.length && visits[index] != null && visits[index].thread() == t) {
      return visits[index];
    }
    if (index >= visits.length) {
      visits = Arrays.copyOf(visits, Math.max(index + 1, 2 * visits.length));
    }
    if (visits[index] != null) {
      settle(visits[index]);
    }
    visits[index] = new ThreadVisits(t);
    t.held().beforeOthersChangeThem(() -> settle(t));
    return visits[index];
  }

  private Visit begin(ThreadVisits mine, long address) {
    ThreadState t = mine.thread();
    int lockset = t.held().ordering();
    if (lockset < 0 || t.isExempt()) {
      return null;
    }
    if (order == Integer.MAX_VALUE) {
      makeAll();
      order = 0;
    }
    int block = calmBlock(address & -64, lockset);
    if (block == NONE) {
      return null;
    }
    if (mine.isFull()) {
      settle(mine.get(0));
    }
    CalmBlock.setVisitor(arena.chunk(block), IntArena.at(block), t.index());
    return mine.begin(address >>> 6, block);
  }

  /** The block of a line that is calm under the lockset and that nobody visits, or none. */
  private int calmBlock(long line, int lockset) {
    int known = shadow.line(line);
    if (isCalm(known)) {
      int[] a = chunk(known);
      int b = at(known);
      if (CalmBlock.visitor(a, b) >= 0) {
        settle(visits[CalmBlock.visitor(a, b)].find(line >>> 6));
        return calmBlock(line, lockset);
      }
      return CalmBlock.lockset(a, b) == lockset ? known - CALM : NONE;
    }
    return makeCalm(line, known, lockset);
  }

  private int makeCalm(long line, int known, int lockset) {
    boolean hadWords = known != 0;
    if (hadWords
        ? !history.take(line, known, owners, CalmBlock.LARGEST_OWNER)
        : persistence.isAllocated(line)) {
      return NONE;
    }
    int block = arena.allocate(CalmBlock.SMALLEST);
    int[] a = arena.chunk(block);
    int b = IntArena.at(block);
    CalmBlock.begin(a, b, lockset);
    if (hadWords) {
      CalmBlock.setTouched(a, b, history.touched());
      CalmBlock.setShared(a, b, history.shared());
      for (int i = 0; i < owners.length; i++) {
        CalmBlock.setOwner(a, b, i, owners[i]);
      }
    }
    shadow.setLine(line, block + CALM);
    return block;
  }

  /** The visit with one more step, or another one; null where the line has words now. */
  private Visit take(Visit visit, long step, long time, long value) {
    int next = paths.next(visit.path(), step);
    if (next == VisitPaths.NONE) {
      return takeAnew(visit, step, time, value);
    }
    visit.took(next, time, value);
    return visit;
  }

  private Visit takeAnew(Visit old, long step, long time, long value) {
    settle(old);
    Visit visit = begin(old.home(), old.address());
    int next = visit == null ? VisitPaths.NONE : paths.next(VisitPaths.ROOT, step);
    if (next != VisitPaths.NONE) {
      visit.took(next, time, value);
      return visit;
    }
    if (visit != null) {
      make(visit.address());
    }
    return null;
  }

  /** A visit is over: it is noted, or carried out on the words of its line. */
  private void settle(Visit visit) {
    visit.home().end(visit);
    CalmBlock.setVisitor(arena.chunk(visit.block()), IntArena.at(visit.block()), -1);
    if (visit.path() != VisitPaths.ROOT && !(visit.isClean() && note(visit))) {
      replay(visit);
    }
  }

  private boolean note(Visit visit) {
    int block = visit.block();
    int[] a = arena.chunk(block);
    int b = IntArena.at(block);
    ThreadState t = visit.thread();
    int path = visit.path();
    int fresh = CalmOwnership.touch(a, b, paths.touched(path), t.number());
    if (fresh == CalmOwnership.TWO_OWNERS) {
      return false;
    }
    if (fresh > 0) {
      shadow.ownership().addTouched(fresh);
    }
    long stored = paths.stored(path);
    int kept = keptMasks.number(persistence.kept(stored, CalmBlock.shared(a, b)), stored);
    if (kept == KeptMasks.FULL) {
      return false;
    }
    int key = CalmBlock.key(path, kept);
    int i = CalmBlock.find(a, b, key, t);
    if (i < 0) {
      if (!CalmBlock.hasRoom(a, b)) {
        if (CalmBlock.log2(a, b) == CalmBlock.LARGEST) {
          return false;
        }
        block = CalmBlock.grow(arena, block);
        shadow.setLine(visit.address(), block + CALM);
        a = arena.chunk(block);
        b = IntArena.at(block);
      }
      i = CalmBlock.add(a, b, key);
    }
    if (kept == KeptMasks.NONE) {
      persistence.addRemoved(paths.stores(path));
    }
    long last = visit.time(paths.length(path) - 1);
    CalmBlock.set(a, CalmBlock.cell(a, b, i), t, ++order, visit.time(0), last);
    return true;
  }

  /** Carries a visit out on the words of its line. */
  private void replay(Visit visit) {
    long line = visit.address();
    ThreadState t = visit.thread();
    tell(line);
    long[] steps = paths.steps(visit.path());
    for (int i = 0; i < steps.length; i++) {
      long step = steps[i];
      int origin = VisitPaths.origin(step);
      int size = VisitPaths.size(step);
      long address = line + VisitPaths.offset(step);
      replayed.set(t, origin, visit.time(i));
      switch (VisitPaths.kind(step)) {
        case VisitPaths.LOAD -> accesses.load(replayed, address, size, visit.value(i));
        case VisitPaths.STORE ->
            accesses.store(replayed, address, size, visit.value(i), StoreKind.PLAIN);
        case VisitPaths.FLUSH -> persistence.flush(t, origin, visit.time(i), line, false);
        case VisitPaths.ORDERED_FLUSH -> persistence.flush(t, origin, visit.time(i), line, true);
        default -> persistence.fenceLine(t, origin, visit.time(i), line);
      }
    }
  }

  /** Gives a line that nobody visits its words. */
  private void tell(long line) {
    pastVisits.tell(line, shadow.line(line) - CALM);
  }
}
