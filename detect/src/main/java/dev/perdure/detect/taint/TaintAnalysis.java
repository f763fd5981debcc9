package dev.perdure.detect.taint;

import dev.perdure.detect.finding.Effect;
import dev.perdure.detect.finding.OwnEffect;
import dev.perdure.detect.finding.RaceFindings;
import dev.perdure.detect.finding.Sighting;
import dev.perdure.detect.observed.ObservedReads;
import dev.perdure.detect.shadow.OpenWindows;
import dev.perdure.detect.shadow.ShadowPm;
import dev.perdure.detect.shadow.Windows;
import dev.perdure.detect.sync.ThreadState;
import dev.perdure.model.finding.DurableEffect.Flow;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventInfo;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;

/** Follows labels from loads of unpersisted bytes to effects. */
public final class TaintAnalysis {
  private static final int MOST_REPORTS = 64;

  private final Windows windows;
  private final OpenWindows open;
  private final ObservedReads observed;
  private final RaceFindings races;
  private final LongPredicate isLock;
  private final LabelSets sets;
  private final Transactions transactions = new Transactions();
  private final Int2ObjectOpenHashMap<Announced> announced = new Int2ObjectOpenHashMap<>();
  private final Map<OwnKey, OwnEffect> own = new LinkedHashMap<>();
  private final Object2IntOpenHashMap<EffectKey> reported = new Object2IntOpenHashMap<>();
  private final Sighting sighting = new Sighting();
  private long effects;

  /** A label whose load is still to come, and effects that wait for it. */
  private record Announced(int label, int parent, long address, List<Pending> effects) {}

  private record Pending(Effect effect, int label) {}

  /** The same again tells nothing new, unless the first ones turn out to be of lock words. */
  private record EffectKey(
      int storeOrigin, int loadOrigin, int effectOrigin, Flow flow, boolean own) {}

  /** Sites, not stacks, tell findings apart; the writer merges those of one line. */
  private record OwnKey(int storeOrigin, int loadOrigin, int effectOrigin) {}

  public TaintAnalysis(
      ShadowPm shadow, ObservedReads observed, RaceFindings races, LongPredicate isLock) {
    this.windows = shadow.windows();
    this.open = new OpenWindows(shadow);
    this.observed = observed;
    this.races = races;
    this.isLock = isLock;
    this.sets = new LabelSets(d -> open.find(d.address(), d.storeTime(), d.storeIndex()) != 0);
  }

  /** What threads do in transactions. */
  public Transactions transactions() {
    return transactions;
  }

  /** The thread names the load that it is about to make. */
  public void label(ThreadState t, long address, long value) {
    int parent = (int) (value >>> 32);
    announced.put(t.index(), new Announced((int) value, parent, address, new ArrayList<>(0)));
  }

  public void union(long label, long parts) {
    sets.union((int) label, (int) (parts >>> 32), (int) parts);
  }

  /**
   * A load was made.
   *
   * @param value the bytes, where they are known
   */
  public void load(
      ThreadState t, int origin, long time, long address, long length, long value, boolean known) {
    Announced label = announced.get(t.index());
    if (label == null || label.address() != address) {
      return;
    }
    announced.remove(t.index());
    List<Dependency> read = new ArrayList<>(0);
    if (!t.isExempt()) {
      open.forEach(
          address,
          length,
          (window, word, common, granule) -> {
            if (!windows.is(window, Windows.EXEMPT)
                && returned(window, word, common, address, value, known && granule == 1)) {
              read.add(dependency(window, word, common, granule, t, time, origin));
            }
          });
    }
    sets.put(label.label(), LabelSets.joined(sets.open(label.parent()), read));
    label.effects().forEach(p -> judge(p.effect(), p.label()));
  }

  private boolean returned(
      int window, long word, int common, long address, long value, boolean known) {
    if (!known) {
      return true;
    }
    long shift = 8 * (address - word);
    long lanes = shift >= 0 ? value << shift : value >>> -shift;
    return observed.returned(window, common, lanes, true);
  }

  private Dependency dependency(
      int window, long word, int common, int granule, ThreadState t, long time, int origin) {
    return new Dependency(
        word,
        common,
        granule,
        windows.time(window),
        windows.index(window),
        windows.origin(window),
        windows.isOf(window, t),
        origin,
        t.index(),
        t.number(),
        t.clock(),
        t.held().set(),
        time);
  }

  /** Something is about to be written that carries labels. */
  public void effect(ThreadState t, Event e, int origin) {
    if (t.isExempt()) {
      return;
    }
    boolean file = e.info() == EventInfo.EFFECT_FILE;
    int content = (int) e.value();
    int address = (int) (e.value() >>> 32);
    effect(t, e, origin, content, file ? Flow.FILE : Flow.CONTENT);
    effect(t, e, origin, address, Flow.ADDRESS);
  }

  private void effect(ThreadState t, Event e, int origin, int label, Flow flow) {
    if (label == 0) {
      return;
    }
    long address = flow == Flow.FILE ? 0 : e.address();
    Effect effect = new Effect(origin, flow, address, e.payloadLong(0), t.number(), e.time());
    Announced coming = announced.get(t.index());
    if (coming != null && coming.label() == label) {
      // A copy is recorded as a store and then as a load.
      coming.effects().add(new Pending(effect, label));
    } else {
      judge(effect, label);
    }
  }

  private void judge(Effect effect, int label) {
    for (Dependency d : sets.open(label)) {
      if (effect.flow() != Flow.FILE && d.covers(effect.address(), effect.length())) {
        continue;
      }
      if (d.own() && isAtomicWith(d, effect)) {
        continue;
      }
      effects++;
      EffectKey seen =
          new EffectKey(d.storeOrigin(), d.loadOrigin(), effect.origin(), effect.flow(), d.own());
      if (reported.addTo(seen, 1) >= MOST_REPORTS) {
        continue;
      }
      if (d.own()) {
        OwnKey key = new OwnKey(d.storeOrigin(), d.loadOrigin(), effect.origin());
        own.merge(key, ownEffect(d, effect), (before, now) -> before.again());
      } else {
        int window = open.find(d.address(), d.storeTime(), d.storeIndex());
        sighting.load(d.loadOrigin(), d.loadIndex(), d.loadEpoch(), d.loadLockset(), d.loadTime());
        races.report(window, sighting.at(d.word(), d.mask(), d.granule()), effect);
      }
    }
  }

  /** Both come and go with one transaction. */
  private boolean isAtomicWith(Dependency d, Effect effect) {
    int thread = effect.thread();
    return d.loadThread() == thread
        && effect.flow() != Flow.FILE
        && transactions.cover(thread, d.address(), d.size())
        && transactions.cover(thread, effect.address(), effect.length());
  }

  private static OwnEffect ownEffect(Dependency d, Effect effect) {
    return new OwnEffect(
        d.storeOrigin(),
        d.loadOrigin(),
        effect,
        d.address(),
        d.size(),
        d.loadThread(),
        d.storeTime(),
        d.loadTime(),
        1);
  }

  /**
   * What threads made of their own unpersisted bytes; words that turned out to be locks drop out.
   */
  public Collection<OwnEffect> ownEffects() {
    own.values().removeIf(e -> isLock.test(e.address()));
    return own.values();
  }

  /** How many effects were seen. */
  public long effects() {
    return effects;
  }
}
