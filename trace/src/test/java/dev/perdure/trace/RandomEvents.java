package dev.perdure.trace;

import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import dev.perdure.model.code.SiteTable;
import dev.perdure.trace.definition.Definitions;
import dev.perdure.trace.definition.ModuleIndex;
import dev.perdure.trace.definition.ModuleSites;
import dev.perdure.trace.definition.PmFile;
import dev.perdure.trace.definition.TargetProcess;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.format.Layout;
import dev.perdure.trace.format.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/** Events of every kind, with any values that their fields can have, and definitions for them. */
public final class RandomEvents implements Definitions {
  private static final int SITES = 300;
  private static final int STACKS = 200;
  private static final int[] KINDS = IntStream.rangeClosed(1, Layout.KIND_MASK).toArray();

  private final Random random;
  private final ModuleIndex index = new ModuleIndex();
  private long time = 1_000_000;

  public RandomEvents(long seed) {
    random = new Random(seed);
    List<Site> sites = new ArrayList<>();
    for (int i = 0; i < SITES; i++) {
      List<Frame> frames = new ArrayList<>();
      for (int depth = random.nextInt(3); depth >= 0; depth--) {
        frames.add(
            switch (random.nextInt(10)) {
              case 0 -> Frame.UNKNOWN;
              case 1 -> Frame.at("f" + i, "lib a+b@1.so", random.nextInt(5000));
              case 2 -> Frame.at("libtable.so.1", random.nextInt(5000));
              default -> line(i);
            });
      }
      sites.add(new Site(frames));
    }
    index.add(new ModuleSites(1, SITES, 77, "00ff", "/bin/p q", Optional.of(new SiteTable(sites))));
    index.add(new ModuleSites(1 + SITES, 10, 77, "", "/lost", Optional.empty()));
  }

  private Frame line(int i) {
    return new Frame(
        random.nextInt(5) == 0 ? "operator< <\"x\\y\">(int, char*)" : "f" + i,
        random.nextInt(5) == 0 ? "/a folder/t:a.c" : "table.c",
        random.nextInt(5000));
  }

  /** A kind that the format does not know yet is as good as any other. */
  public Event next() {
    int kind = KINDS[random.nextInt(KINDS.length)];
    long value = value();
    if (kind == EventKind.STORE_BLOCK || kind == EventKind.STORE_NT_BLOCK) {
      value = random.nextInt(random.nextInt(10) == 0 ? Layout.BLOCK_MAX + 1 : 100);
    }
    time += random.nextInt(20) == 0 ? random.nextInt(5000) - 1000 : random.nextInt(300);
    Event e =
        new Event()
            .set(
                kind,
                random.nextInt(256),
                random.nextInt(random.nextInt(50) == 0 ? Integer.MAX_VALUE : 9),
                time,
                address(),
                random.nextInt(1 + SITES + 10),
                random.nextInt(1 + STACKS),
                value);
    int length = Payload.length(kind, value);
    byte[] payload = e.resizePayload(length);
    for (int i = 0; i < length; i++) {
      payload[i] = (byte) (random.nextInt(3) == 0 ? random.nextInt() : 0);
    }
    return e;
  }

  private long address() {
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> random.nextLong() & (1L << Layout.ADDR_BITS) - 1;
      default -> Layout.WINDOW_BASE + 8L * random.nextInt(100);
    };
  }

  private long value() {
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> random.nextLong();
      case 2 -> random.nextInt();
      case 3 -> Layout.WINDOW_BASE + random.nextInt();
      default -> random.nextInt(5);
    };
  }

  /** All that an event says, for comparison. */
  public static String describe(Event e) {
    return String.join(
        " ",
        "kind " + e.kind(),
        "info " + e.info(),
        "thread " + e.thread(),
        "time " + e.time(),
        "address " + e.address(),
        "site " + e.site(),
        "stack " + e.stack(),
        "value " + e.value(),
        "payload " + java.util.HexFormat.of().formatHex(e.payload(), 0, e.payloadLength()));
  }

  @Override
  public Site site(int site) {
    return index.site(site);
  }

  @Override
  public int topSite(int stack) {
    return stack == 0 ? 0 : 1 + stack % SITES;
  }

  @Override
  public int parent(int stack) {
    return stack / 2;
  }

  @Override
  public List<ModuleSites> modules() {
    return index.modules();
  }

  @Override
  public List<PmFile> files() {
    return List.of(
        new PmFile(1, 2, Layout.WINDOW_BASE, 1 << 20, "/mnt/pm/a pool"),
        new PmFile(1, 3, Layout.WINDOW_BASE + Layout.WINDOW_ALIGN, 4096, ""));
  }

  @Override
  public List<TargetProcess> processes() {
    return List.of(new TargetProcess(77, 1, 9, "/bin/p q"));
  }
}
