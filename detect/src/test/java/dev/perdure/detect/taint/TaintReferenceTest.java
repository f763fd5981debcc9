package dev.perdure.detect.taint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.detect.DetectionOptions;
import dev.perdure.detect.Detector;
import dev.perdure.detect.trace.Trace;
import dev.perdure.model.memory.PersistenceDomain;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Labels on random traces against sets that are computed by the definition. */
class TaintReferenceTest {
  private static final int THREADS = 3;
  private static final int WORDS = 4;
  private static final int STEPS = 40;
  private static final int LOAD_SITES = 100;
  private static final int EFFECT_SITE = 200;
  private static final long ELSEWHERE = Trace.PM + 4096;
  private static final byte[] EIGHT = {8, 0, 0, 0, 0, 0, 0, 0};

  /** A store that is the last one of its word until it is replaced or persisted. */
  private static final class Window {
    final int site;
    final int thread;
    boolean open = true;

    Window(int site, int thread) {
      this.site = site;
      this.thread = thread;
    }
  }

  private record Read(Window window, int loadSite, boolean own) {}

  /** A trace and what it must give. */
  private static final class Random {
    final SplittableRandom random;
    final Trace trace = new Trace();
    final Window[] last = new Window[WORDS];
    final long[] value = new long[WORDS];
    final List<Set<Read>> labels = new ArrayList<>(List.of(Set.of()));
    final Set<String> observed = new TreeSet<>();
    final Set<String> harmful = new TreeSet<>();
    final Set<String> intra = new TreeSet<>();

    Random(long seed) {
      random = new SplittableRandom(seed);
      for (int thread = 2; thread <= THREADS; thread++) {
        trace.start(thread);
      }
      for (int step = 1; step <= STEPS; step++) {
        step(step);
      }
    }

    private void step(int step) {
      int thread = 1 + random.nextInt(THREADS);
      int word = random.nextInt(WORDS);
      trace.on(thread);
      switch (random.nextInt(6)) {
        case 0 -> store(step, thread, word);
        case 1, 2 -> load(thread, word);
        case 3 -> union();
        case 4 -> effect();
        default -> persist(word);
      }
    }

    private static long address(int word) {
      return Trace.PM + 64L * word;
    }

    private void store(int step, int thread, int word) {
      close(word);
      last[word] = new Window(step, thread);
      value[word] = step;
      trace.at(step).store(address(word), 8, step);
    }

    private void close(int word) {
      if (last[word] != null) {
        last[word].open = false;
      }
    }

    private void persist(int word) {
      close(word);
      trace.persist(address(word));
    }

    private void load(int thread, int word) {
      int parent = random.nextInt(labels.size());
      int site = LOAD_SITES + random.nextInt(3);
      Set<Read> reads = new HashSet<>(labels.get(parent));
      if (last[word] != null && last[word].open) {
        boolean own = last[word].thread == thread;
        reads.add(new Read(last[word], site, own));
        if (!own) {
          observed.add("persistency-race store=%d load=%d".formatted(last[word].site, site));
        }
      }
      trace.event(EventKind.LABEL, 0, address(word), (long) parent << 32 | labels.size());
      trace.at(site).load(address(word), 8, value[word]);
      labels.add(reads);
    }

    private void union() {
      int a = random.nextInt(labels.size());
      int b = random.nextInt(labels.size());
      Set<Read> both = new HashSet<>(labels.get(a));
      both.addAll(labels.get(b));
      trace.event(EventKind.LABEL_UNION, 0, labels.size(), (long) a << 32 | b);
      labels.add(both);
    }

    private void effect() {
      int label = random.nextInt(labels.size());
      boolean content = random.nextBoolean();
      for (Read read : labels.get(label)) {
        if (read.window.open && read.own) {
          intra.add(
              "intra-thread-inconsistency store=%d load=%d effect=%d"
                  .formatted(read.window.site, read.loadSite, EFFECT_SITE));
        } else if (read.window.open) {
          harmful.add(
              "persistency-race store=%d load=%d".formatted(read.window.site, read.loadSite));
        }
      }
      long value = content ? label : (long) label << 32;
      trace.at(EFFECT_SITE);
      trace.event(EventKind.EFFECT, EventInfo.EFFECT_STORE, ELSEWHERE, value, EIGHT);
    }

    Set<String> expected() {
      Set<String> all = new TreeSet<>(intra);
      for (String race : observed) {
        all.add(
            harmful.contains(race)
                ? race + " effect=" + EFFECT_SITE + " observed-read,durable-effect"
                : race + " observed-read");
      }
      return all;
    }
  }

  @Test
  void shouldAgreeWithTheDefinitionOnRandomTraces() {
    DetectionOptions options =
        new DetectionOptions(Set.of(Detector.TAINT), PersistenceDomain.ADR, false, false);
    int effects = 0;
    for (long seed = 1; seed <= 3000; seed++) {
      Random random = new Random(seed);
      Set<String> expected = random.expected();
      effects += random.harmful.size() + random.intra.size();
      assertThat(random.trace.findings(options)).as("seed " + seed).isEqualTo(expected);
    }
    assertThat(effects).isGreaterThan(1000);
  }
}
