package dev.perdure.crash.recovery;

import dev.perdure.crash.image.Suspect;
import dev.perdure.crash.image.SuspectRange;
import dev.perdure.crash.memory.PoolAddress;
import dev.perdure.crash.memory.PoolMap;
import dev.perdure.crash.memory.PoolRange;
import dev.perdure.crash.recovery.RecoveryResult.SuspectRead;
import dev.perdure.model.code.CallStack;
import dev.perdure.model.finding.Place;
import dev.perdure.trace.definition.Definitions;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Holds the reads of a recovery run against the bytes that it must not read. Outside a region of
 * interest reads do not count, unless the process never opens one: what they hit is kept apart
 * until that is known.
 */
final class ReadCheck implements EventHandler {
  private final Definitions definitions;
  private final ToIntFunction<String> poolOf;
  private final boolean insideLibraries;
  private final PoolMap map = new PoolMap();
  private final SuspectBytes inside;
  private final SuspectBytes anywhere;
  private final List<SuspectRead> readsInside = new ArrayList<>();
  private final List<SuspectRead> readsAnywhere = new ArrayList<>();
  private final List<PoolRange> commitVariables = new ArrayList<>();
  private final IntOpenHashSet inLibrary = new IntOpenHashSet();
  private final ThreadDepths exempt = new ThreadDepths();
  private boolean mapped;
  private boolean roiSeen;
  private int roiDepth;
  private boolean completed;

  ReadCheck(
      Definitions definitions,
      ToIntFunction<String> poolOf,
      List<SuspectRange> suspects,
      boolean insideLibraries) {
    this.definitions = definitions;
    this.poolOf = poolOf;
    this.insideLibraries = insideLibraries;
    this.inside = new SuspectBytes(suspects);
    this.anywhere = new SuspectBytes(suspects);
  }

  /** The first reads of suspect bytes, commit variables that only recovery declares apart. */
  List<SuspectRead> reads() {
    List<SuspectRead> reads = new ArrayList<>(roiSeen ? readsInside : readsAnywhere);
    reads.removeIf(r -> commitVariables.stream().anyMatch(v -> v.contains(r.address())));
    return reads;
  }

  boolean mappedAPool() {
    return mapped;
  }

  @Override
  public void map(Event e) {
    int file = (int) e.payloadLong(0);
    if (file < definitions.files().size()) {
      int pool = poolOf.applyAsInt(definitions.files().get(file).path());
      if (pool >= 0) {
        mapped = true;
        map.map(e.address(), e.value(), pool, e.payloadLong(8));
      }
    }
  }

  @Override
  public void load(Event e) {
    read(e, e.size());
  }

  @Override
  public void loadBlock(Event e) {
    read(e, e.value());
  }

  @Override
  public void casFailed(Event e) {
    read(e, e.size());
  }

  @Override
  public void rmw(Event e) {
    read(e, e.size());
    overwritten(e, e.size());
  }

  @Override
  public void store(Event e) {
    overwritten(e, e.size());
  }

  @Override
  public void storeNt(Event e) {
    overwritten(e, e.size());
  }

  @Override
  public void storeBlock(Event e) {
    overwritten(e, e.value());
  }

  @Override
  public void storeNtBlock(Event e) {
    overwritten(e, e.value());
  }

  @Override
  public void alloc(Event e) {
    if (e.info() == 1) {
      overwritten(e, e.value());
    }
  }

  private void overwritten(Event e, long length) {
    long address = map.poolAddress(e.address());
    if (address != PoolAddress.NONE) {
      inside.overwrite(address, length);
      anywhere.overwrite(address, length);
    }
  }

  private void read(Event e, long length) {
    long address = map.poolAddress(e.address());
    if (address == PoolAddress.NONE
        || completed
        || exempt.any(e.thread())
        || inLibrary.contains(e.thread()) && !insideLibraries) {
      return;
    }
    if (roiDepth > 0) {
      inside.take(address, length, (at, suspect) -> add(readsInside, e, at, suspect));
    }
    if (!roiSeen) {
      anywhere.take(address, length, (at, suspect) -> add(readsAnywhere, e, at, suspect));
    }
  }

  private void add(List<SuspectRead> reads, Event e, long at, Suspect suspect) {
    Place place =
        new Place(
            definitions.site(e.site()),
            e.stack() == 0 ? CallStack.EMPTY : definitions.callStack(e.stack()));
    SuspectRead last = reads.isEmpty() ? null : reads.get(reads.size() - 1);
    if (last != null
        && last.suspect().equals(suspect)
        && last.address() + last.length() == at
        && last.reader().equals(place)) {
      reads.set(
          reads.size() - 1, new SuspectRead(suspect, last.address(), last.length() + 1, place));
    } else {
      reads.add(new SuspectRead(suspect, at, 1, place));
    }
  }

  @Override
  public void libraryEnter(Event e) {
    inLibrary.add(e.thread());
  }

  @Override
  public void libraryLeave(Event e) {
    inLibrary.remove(e.thread());
  }

  @Override
  public void roiBegin(Event e) {
    roiSeen = true;
    roiDepth++;
  }

  @Override
  public void roiEnd(Event e) {
    roiDepth = Math.max(0, roiDepth - 1);
  }

  @Override
  public void relaxedBegin(Event e) {
    exempt.enter(e.thread());
  }

  @Override
  public void relaxedEnd(Event e) {
    exempt.leave(e.thread());
  }

  @Override
  public void skipDetectionBegin(Event e) {
    exempt.enter(e.thread());
  }

  @Override
  public void skipDetectionEnd(Event e) {
    exempt.leave(e.thread());
  }

  @Override
  public void detectionComplete(Event e) {
    completed = true;
  }

  @Override
  public void commitVar(Event e) {
    long address = map.poolAddress(e.address());
    if (address != PoolAddress.NONE) {
      commitVariables.add(new PoolRange(address, e.value()));
    }
  }
}
