package dev.perdure.crash;

import dev.perdure.crash.image.Suspect;
import dev.perdure.crash.memory.StoreLog;
import dev.perdure.crash.recovery.ImageCheck;
import dev.perdure.crash.recovery.RecoveryResult;
import dev.perdure.crash.recovery.RecoveryResult.Checked;
import dev.perdure.crash.recovery.RecoveryResult.End;
import dev.perdure.crash.recovery.RecoveryResult.SuspectRead;
import dev.perdure.crash.recovery.WordCheck;
import dev.perdure.model.code.CallStack;
import dev.perdure.model.code.Site;
import dev.perdure.model.finding.CrashPoint;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import dev.perdure.trace.event.Symbols;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Gathers what recovery runs show: what has the same kind and the same places is one finding, with
 * the first failure that shows it.
 */
final class CrashFindings {
  private static final Comparator<ImageCheck> EARLIEST =
      Comparator.comparingInt(ImageCheck::point).thenComparing(ImageCheck::image);

  private record Key(FindingKind kind, Map<Role, Site> sites, Optional<Site> failure, End end) {}

  private record Failure(RecoveryResult result, ImageCheck check, Place place) {}

  private static final class Seen {
    Finding finding;
    long count;
    ImageCheck check = new ImageCheck(Integer.MAX_VALUE, "", List.of(), List.of());
    boolean hang;
  }

  private final Symbols symbols;
  private final StoreLog stores;
  private final Map<Key, Seen> found = new LinkedHashMap<>();
  private boolean changed;

  CrashFindings(Symbols symbols, StoreLog stores) {
    this.symbols = symbols;
    this.stores = stores;
  }

  synchronized int size() {
    return found.size();
  }

  /**
   * Takes what one check of a run showed; true if it is the example of a finding from now on.
   *
   * @param failure where the program was
   */
  synchronized boolean add(RecoveryResult result, Checked checked, Place failure) {
    changed = false;
    Failure at = new Failure(result, checked.check(), failure);
    for (SuspectRead read : checked.reads()) {
      suspectRead(at, read);
    }
    for (WordCheck word : checked.left()) {
      wordLeft(at, word);
    }
    if (result.end().failed()) {
      failed(at);
    }
    return changed;
  }

  synchronized List<Finding> all() {
    List<Finding> all = new ArrayList<>();
    for (Seen seen : found.values()) {
      Finding f = seen.finding;
      all.add(
          new Finding(
              f.kind(),
              f.places(),
              f.otherStacks(),
              f.evidence(),
              seen.count,
              f.message(),
              f.example(),
              f.notes(),
              f.crash()));
    }
    return all;
  }

  private void suspectRead(Failure at, SuspectRead read) {
    boolean race = read.suspect().reason() == Suspect.Reason.NOT_PERSISTED;
    Map<Role, Place> places = new EnumMap<>(Role.class);
    places.put(Role.STORE, storePlace(read.suspect().store()));
    places.put(Role.LOAD, read.reader());
    add(
        race ? FindingKind.CROSS_FAILURE_RACE : FindingKind.CROSS_FAILURE_SEMANTIC,
        places,
        message(read, places),
        at,
        new End(0, 0, false));
  }

  private String message(SuspectRead read, Map<Role, Place> places) {
    String store = places.get(Role.STORE).description();
    String load = places.get(Role.LOAD).description();
    return switch (read.suspect().reason()) {
      case NOT_PERSISTED ->
          stores.is(read.suspect().store(), StoreLog.ALLOCATION)
              ? "after a failure %s reads memory that %s allocated and nobody has initialised and persisted: initialise and persist it before it can be reached"
                  .formatted(load, store)
              : "after a failure %s reads what %s stored, which is not persistent by then: persist or log it first, or let recovery overwrite it before it reads it"
                  .formatted(load, store);
      case UNCOMMITTED ->
          "after a failure %s reads what %s stored after the last write of the commit variable: it is not committed yet, recovery must not use it"
              .formatted(load, store);
      case STALE ->
          "after a failure %s reads what %s stored before the last but one write of the commit variable: it belongs to an older version"
              .formatted(load, store);
    };
  }

  private void wordLeft(Failure at, WordCheck word) {
    Map<Role, Place> places = Map.of(Role.STORE, storePlace(word.store()));
    String state =
        word.word().bits() == -1
            ? "is not %d, its state after a restart,".formatted(word.word().initial())
            : "still says in its bits 0x%x that somebody holds it,".formatted(word.word().bits());
    String message =
        "after a failure the word that %s updates %s and recovery does not reset it: reset it before anyone waits for it"
            .formatted(places.get(Role.STORE).description(), state);
    add(FindingKind.SYNC_INCONSISTENCY, places, message, at, hang(at.result().end()));
  }

  /** A run that hangs is the proof of a lock that stays taken. */
  private static End hang(End end) {
    return new End(0, 0, end.hang());
  }

  private void failed(Failure at) {
    End end = at.result().end();
    String how =
        end.hang()
            ? "does not end within its time limit"
            : end.signal() != 0
                ? "is ended by signal " + end.signal()
                : "exits with code " + end.exit();
    String message =
        "after a failure %s recovery %s on the image '%s'; its output is in %s"
            .formatted(moment(at.place()), how, at.check().image(), at.result().output());
    add(FindingKind.RECOVERY_FAILURE, Map.of(), message, at, end);
  }

  private void add(FindingKind kind, Map<Role, Place> places, String message, Failure at, End end) {
    Map<Role, Site> sites = new EnumMap<>(Role.class);
    places.forEach((role, place) -> sites.put(role, place.site()));
    Key key =
        new Key(
            kind,
            sites,
            places.isEmpty() ? Optional.of(at.place().site()) : Optional.empty(),
            places.isEmpty() ? end : new End(0, 0, false));
    Seen seen = found.computeIfAbsent(key, k -> new Seen());
    seen.count++;
    boolean proof = end.hang() && !seen.hang;
    boolean earlier = seen.hang == end.hang() && EARLIEST.compare(at.check(), seen.check) < 0;
    if (seen.finding == null || proof || earlier) {
      seen.check = at.check();
      seen.hang = end.hang();
      changed = true;
      seen.finding =
          new Finding(
              kind,
              places,
              Map.of(),
              Set.of(),
              1,
              message,
              Optional.empty(),
              List.of(),
              Optional.of(crashPoint(at, end)));
    }
  }

  private static CrashPoint crashPoint(Failure at, End end) {
    return new CrashPoint(
        at.check().point(),
        at.place(),
        at.check().image(),
        end.exit() != 0 ? OptionalInt.of(end.exit()) : OptionalInt.empty(),
        end.signal() != 0 ? OptionalInt.of(end.signal()) : OptionalInt.empty(),
        end.hang());
  }

  private Place storePlace(int store) {
    int stack = stores.stack(store);
    return new Place(
        symbols.site(stores.site(store)), stack == 0 ? CallStack.EMPTY : symbols.callStack(stack));
  }

  private static String moment(Place failure) {
    return CrashPoint.isBefore(failure) ? "before " + failure.description() : failure.description();
  }
}
