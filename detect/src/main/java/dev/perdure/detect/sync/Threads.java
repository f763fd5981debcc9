package dev.perdure.detect.sync;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The threads of the trace. A thread's index in vector clocks is given to a new thread when its
 * creator has learned, by create and join, of the end of the thread that had it: then all events of
 * the old one are ordered before all of the new one, and the clock of the index just goes on.
 */
public final class Threads {
  /** Ended threads that nobody joins keep their index until there are that many. */
  static final int MAX_UNJOINED = 4096;

  private static final int CANDIDATES = 16;

  private final Locksets sets;
  private final boolean insideLibraries;
  private final IntPredicate isQuiet;
  private final Moments moments;
  private ThreadState[] byNumber = new ThreadState[64];
  private ThreadState[] byIndex = new ThreadState[64];
  private int indices;
  private int count;
  private final IntArrayList ended = new IntArrayList();
  private final List<IntArrayList> generations = new ArrayList<>();
  private final List<ProcessScope> processes = new ArrayList<>();

  /** {@code isQuiet} says whether nothing refers to the present thread of an index any more. */
  public Threads(Locksets sets, boolean insideLibraries, IntPredicate isQuiet, Moments moments) {
    this.sets = sets;
    this.insideLibraries = insideLibraries;
    this.isQuiet = isQuiet;
    this.moments = moments;
  }

  /** The thread of that number; one that was not announced is ordered after nothing. */
  public ThreadState of(int number) {
    if (isKnown(number)) {
      return byNumber[number];
    }
    return add(number, indices++, 1, process(0));
  }

  /** Whether there is a thread of that number, and its index was not given to another one. */
  boolean isKnown(int number) {
    return number < byNumber.length && byNumber[number] != null;
  }

  /** A lock that the thread of that number holds was taken by another one. */
  void lostTurn(int number, int lock) {
    if (isKnown(number)) {
      byNumber[number].held().lostTurn(lock);
    }
  }

  /** How many threads there were. */
  public int count() {
    return count;
  }

  /** The thread that has the index now. */
  public ThreadState at(int index) {
    return byIndex[index];
  }

  public void create(ThreadState creator, int number) {
    if (isKnown(number)) {
      return;
    }
    int index = reusableBy(creator);
    int first = 1;
    if (index < 0) {
      index = indices++;
    } else {
      first = byIndex[index].clock() + 1;
    }
    creator.creates(add(number, index, first, creator.process()));
  }

  /** A thread's first event; normally its creator has announced it. */
  public void begin(int number, int creator) {
    if (creator != 0 && !isKnown(number)) {
      create(of(creator), number);
    }
  }

  public void end(ThreadState thread) {
    thread.end();
  }

  public void detach(int number) {
    retire(of(number));
  }

  public void join(ThreadState thread, int number) {
    ThreadState other = of(number);
    thread.joins(other);
    other.end();
    retire(other);
  }

  /** The process of a thread from now on. */
  public void enterProcess(ThreadState thread, int number) {
    thread.moveTo(process(number));
  }

  /** Whether two events of one index belong to one thread. */
  public boolean sameThread(int index, int epoch, int otherEpoch) {
    int first = byIndex[index].firstClock();
    if (epoch >= first || otherEpoch >= first) {
      return epoch >= first && otherEpoch >= first;
    }
    return numberOf(index, epoch) == numberOf(index, otherEpoch);
  }

  /** The number of the thread that had the index at that epoch. */
  public int numberOf(int index, int epoch) {
    IntArrayList list = generations.get(index);
    for (int i = list.size() - 2; i >= 0; i -= 2) {
      if (epoch >= list.getInt(i)) {
        return list.getInt(i + 1);
      }
    }
    return 0;
  }

  private ProcessScope process(int number) {
    while (processes.size() <= number) {
      processes.add(new ProcessScope(processes.size()));
    }
    return processes.get(number);
  }

  private void retire(ThreadState thread) {
    if (thread.index() < ThreadState.UNIQUE_INDICES) {
      return;
    }
    ended.rem(thread.index());
    ended.add(thread.index());
  }

  private int reusableBy(ThreadState creator) {
    int oldest = ended.size() - CANDIDATES;
    for (int i = ended.size() - 1; i >= Math.max(0, oldest); i--) {
      int index = ended.getInt(i);
      ThreadState old = byIndex[index];
      // Who takes a robust lock that it still holds is ordered after it.
      boolean over = old.hasEnded() && old.held().set() == Locksets.EMPTY;
      if (over && creator.orderedAfter(index, old.clock()) && isQuiet.test(index)) {
        return ended.removeInt(i);
      }
    }
    if (ended.size() > MAX_UNJOINED) {
      int index = ended.getInt(0);
      if (byIndex[index].hasEnded() && isQuiet.test(index)) {
        return ended.removeInt(0);
      }
    }
    return -1;
  }

  private ThreadState add(int number, int index, int firstClock, ProcessScope process) {
    ThreadState thread =
        new ThreadState(number, index, firstClock, process, sets, insideLibraries, moments);
    if (number >= byNumber.length) {
      byNumber = Arrays.copyOf(byNumber, Math.max(number + 1, 2 * byNumber.length));
    }
    if (index >= byIndex.length) {
      byIndex = Arrays.copyOf(byIndex, 2 * byIndex.length);
    }
    if (index == generations.size()) {
      generations.add(new IntArrayList());
    } else if (byIndex[index].number() < byNumber.length) {
      byNumber[byIndex[index].number()] = null;
    }
    generations.get(index).add(firstClock);
    generations.get(index).add(number);
    byNumber[number] = thread;
    byIndex[index] = thread;
    count++;
    return thread;
  }
}
