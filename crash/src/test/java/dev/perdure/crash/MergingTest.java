package dev.perdure.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.crash.image.CrashImage;
import dev.perdure.crash.image.CrashImages;
import dev.perdure.crash.image.ImageKind;
import dev.perdure.crash.image.SuspectRange;
import dev.perdure.crash.image.Suspicion;
import dev.perdure.crash.memory.Pools;
import dev.perdure.crash.memory.StoreLog;
import dev.perdure.crash.point.CommitSets;
import dev.perdure.crash.point.Declarations;
import dev.perdure.crash.point.FailurePoint;
import dev.perdure.crash.point.FailureRun;
import dev.perdure.crash.point.PointRules;
import dev.perdure.crash.recovery.WordCheck;
import dev.perdure.trace.definition.PmFile;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import dev.perdure.trace.live.PrivateView;
import dev.perdure.trace.text.TextTrace;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The points that are left after merging show all that the points before it show. The reference
 * takes each point alone, in a run that skips all failures before it.
 */
class MergingTest {
  private static final int TRACES = 120;
  private static final int LENGTH = 30;
  private static final long BASE = 0x200000000000L;
  private static final int COMMIT = 128;
  private static final int LOCK = 192;
  private static final int[] PLACES = {0, 8, 64, 72, COMMIT, LOCK};

  @TempDir Path folder;

  /** What the points of a trace show, and how many they are. */
  private record Shown(Set<String> images, int points) {}

  private static String head(Path pool) {
    String places = "length=8192 dev=0 ino=0 \"" + pool + "\"\n";
    return "file 0 addr=0x%x %s".formatted(BASE, places)
        + "site 1 one a.c:1\nsite 2 two a.c:2\nsite 3 three a.c:3\n";
  }

  /**
   * @param places so many of the last ones are used: with few of them, states come again
   */
  private static String event(Random random, int places) {
    long at = BASE + PLACES[PLACES.length - 1 - random.nextInt(places)];
    String thread = "T" + (1 + random.nextInt(2)) + " ";
    int site = 1 + random.nextInt(3);
    int value = random.nextInt(2);
    return switch (random.nextInt(14)) {
      case 0, 1, 2, 3 ->
          thread + "store addr=0x%x size=8 value=%d site=%d".formatted(at, value, site);
      case 4 -> thread + "store_nt addr=0x%x size=4 value=%d site=%d".formatted(at, value, site);
      case 5, 6, 7 -> thread + "flush addr=0x%x length=64 how=clwb".formatted(at);
      case 8 -> thread + "flush addr=0x%x length=64 how=clflush".formatted(at);
      case 9, 10 -> thread + "fence how=sfence";
      case 11 -> thread + "persist addr=0x%x length=8".formatted(at);
      case 12 ->
          value == 0
              ? "T1 map addr=0x%x length=8192 file=0 offset=0".formatted(BASE)
              : thread + "failure_point";
      default -> thread + (value == 0 ? "relaxed_begin" : "relaxed_end");
    };
  }

  private static List<String> events(long seed) {
    Random random = new Random(seed);
    List<String> events = new ArrayList<>();
    events.add("T1 map addr=0x%x length=4096 file=0 offset=0".formatted(BASE));
    if (random.nextBoolean()) {
      events.add("T1 commit_var addr=0x%x length=8".formatted(BASE + COMMIT));
    }
    if (random.nextBoolean()) {
      events.add("T1 sync_var addr=0x%x length=8".formatted(BASE + LOCK));
    }
    int places = 1 + random.nextInt(PLACES.length);
    for (int i = 0; i < LENGTH; i++) {
      events.add(event(random, places));
    }
    return events;
  }

  /**
   * @param whole the trace that says what the program declares
   * @param events what is played of it
   */
  private Shown shown(List<String> whole, List<String> events, boolean end, ImageKind kind)
      throws IOException {
    Path own = Files.write(folder.resolve("own"), new byte[8192]);
    Path user = folder.resolve("pool");
    List<PmFile> files = List.of(new PmFile(0, 0, BASE, 8192, own.toString()));
    List<PrivateView> views = List.of(new PrivateView(user.toString(), own.toString()));
    try (Pools pools = Pools.of(files, views)) {
      TextTrace first = trace(own, whole);
      Declarations declarations = new Declarations(first, pools);
      Event e = new Event();
      while (first.next(e)) {
        EventHandler.dispatch(e, declarations);
      }
      TextTrace trace = trace(own, events);
      List<FailurePoint> points = new ArrayList<>();
      PointRules rules = new PointRules(false, false, Integer.MAX_VALUE, kind == ImageKind.ALL);
      FailureRun run = new FailureRun(trace, pools, declarations, rules, true, points::add);
      while (trace.next(e)) {
        run.play(e);
      }
      if (end) {
        run.end();
      }
      return new Shown(images(points, run.stores(), declarations, kind), points.size());
    }
  }

  private static TextTrace trace(Path pool, List<String> events) {
    return new TextTrace(new StringReader(head(pool) + String.join("\n", events) + "\n"), "events");
  }

  private static Set<String> images(
      List<FailurePoint> points, StoreLog stores, Declarations declarations, ImageKind kind) {
    CrashImages images = new CrashImages(Set.of(kind), 1 << 16, 1);
    Suspicion suspicion = new Suspicion(stores, new CommitSets(declarations), false);
    Set<String> shown = new TreeSet<>();
    for (FailurePoint point : points) {
      for (CrashImage image : images.of(point)) {
        StringBuilder text = new StringBuilder();
        text.append(image.contentHash()).append(Arrays.toString(point.sizes()));
        for (SuspectRange range : suspicion.of(point, image)) {
          for (int i = 0; i < range.length(); i++) {
            text.append(' ').append(range.address() + i).append(range.suspect().reason());
            text.append(stores.site(range.suspect().store()));
          }
        }
        for (WordCheck word : LockWords.notInitial(point, image)) {
          text.append(" word ").append(word.word().range()).append(stores.site(word.store()));
        }
        shown.add(text.toString());
      }
    }
    assertThat(images.leftOut()).isZero();
    return shown;
  }

  /** The point before one event, or at the end, as if it were the only one. */
  private Shown alone(List<String> events, int index, ImageKind kind) throws IOException {
    List<String> prefix = new ArrayList<>(List.of("T1 skip_failures_begin"));
    prefix.addAll(events.subList(0, index));
    prefix.add("T1 skip_failures_end");
    prefix.addAll(events.subList(index, Math.min(index + 1, events.size())));
    return shown(events, prefix, index == events.size(), kind);
  }

  /** Holds the points that are left against all of them; returns how many merging took away. */
  private int merge(List<String> events, ImageKind kind, String name) throws IOException {
    int before = 0;
    Set<String> all = new TreeSet<>();
    for (int i = 0; i <= events.size(); i++) {
      Shown alone = alone(events, i, kind);
      all.addAll(alone.images());
      before += alone.points();
    }
    Shown merged = shown(events, events, true, kind);
    all.removeAll(merged.images());
    assertThat(all).as("seen before merging only, " + name).isEmpty();
    return before - merged.points();
  }

  @ParameterizedTest
  @EnumSource(ImageKind.class)
  void shouldLeaveAllThatCanBeSeen(ImageKind kind) throws IOException {
    int gone = 0;
    for (long seed = 1; seed <= TRACES; seed++) {
      gone += merge(events(seed), kind, "trace " + seed);
    }
    assertThat(gone).isPositive();
  }

  /** The image holds the same taken lock in every round, but others have taken it. */
  @ParameterizedTest
  @EnumSource(ImageKind.class)
  void shouldLeaveEveryPlaceThatTakesALock(ImageKind kind) throws IOException {
    List<String> events = new ArrayList<>(events(1).subList(0, 1));
    events.add("T1 sync_var addr=0x%x length=8".formatted(BASE + LOCK));
    int[] takers = {1, 2, 1, 2};
    for (int taker : takers) {
      for (int value = 1; value >= 0; value--) {
        events.add(
            "T1 store addr=0x%x size=8 value=%d site=%d"
                .formatted(BASE + LOCK, value, value == 1 ? taker : 3));
        events.add("T1 persist addr=0x%x length=8".formatted(BASE + LOCK));
      }
    }
    assertThat(merge(events, kind, "rounds of a lock")).isPositive();
  }

  @Test
  void shouldTakeTheRoundsOfALoopForOne() throws IOException {
    List<String> events = new ArrayList<>(events(1).subList(0, 1));
    events.add("T1 commit_var addr=0x%x length=8".formatted(BASE + COMMIT));
    for (int round = 0; round < 20; round++) {
      for (int value = 1; value >= 0; value--) {
        events.add(
            "T1 store addr=0x%x size=8 value=%d site=%d"
                .formatted(BASE + COMMIT, value, 2 - value));
        events.add("T1 persist addr=0x%x length=8".formatted(BASE + COMMIT));
      }
    }
    assertThat(shown(events, events, true, ImageKind.LATEST).points()).isLessThanOrEqualTo(4);
  }
}
