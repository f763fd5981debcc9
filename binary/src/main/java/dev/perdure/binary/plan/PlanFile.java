package dev.perdure.binary.plan;

import dev.perdure.binary.flow.FrameRow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The form in which plans are kept and given to the runtime (docs/formats/plan.md). */
public final class PlanFile {
  private static final long MAGIC = 0x314e4c5044524550L; // "PERDPLN1"
  static final int VERSION = 26;
  private static final int HEADER = 72;
  private static final int FRAME = 8;
  private static final int PATCH = 16;
  private static final int BEFORE = 5;

  private PlanFile() {}

  /** Writes a plan; readers see the whole file or none. */
  public static void write(Plan plan, Path file) throws IOException {
    byte[] coverage = PlanNotes.of(plan).toBytes();
    int codeSpace = plan.code().length + 15 & ~15;
    int size =
        HEADER
            + codeSpace
            + 4 * (plan.moduleFixups().length + plan.siteFixups().length + plan.sites().length)
            + 4 * (plan.calls().length + plan.moved().length)
            + FRAME * plan.frames().size()
            + PATCH * plan.patches().size()
            + coverage.length;
    ByteBuffer b = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(MAGIC).putInt(VERSION).putInt(codeSpace);
    b.putInt(plan.moduleFixups().length).putInt(plan.siteFixups().length);
    b.putInt(plan.patches().size()).putInt(plan.sites().length);
    b.putInt((int) plan.textLow()).putInt((int) plan.textHigh());
    b.putInt(coverage.length).putInt(plan.calls().length).putInt(plan.frames().size());
    b.putInt(plan.moved().length / 2);
    b.put(plan.id());
    b.position(HEADER).put(plan.code()).position(HEADER + codeSpace);
    for (int[] list :
        List.of(plan.moduleFixups(), plan.siteFixups(), plan.sites(), plan.calls(), plan.moved())) {
      b.asIntBuffer().put(list);
      b.position(b.position() + 4 * list.length);
    }
    for (FrameRow row : plan.frames()) {
      b.putInt((int) row.address()).putInt(row.packed());
    }
    for (Patch p : plan.patches()) {
      b.putInt((int) p.address()).putInt((int) p.target()).put((byte) p.kind().ordinal());
      b.put((byte) p.length())
          .put(Arrays.copyOf(p.before(), BEFORE))
          .put((byte) (p.early() ? 1 : 0));
    }
    b.put(coverage);
    Path temporary = Files.createTempFile(file.getParent(), "plan", ".new");
    Files.write(temporary, b.array());
    Files.move(temporary, file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
  }

  /** Whether a file is a whole plan of this version. */
  static boolean complete(Path file) throws IOException {
    try (var channel = java.nio.channels.FileChannel.open(file)) {
      ByteBuffer b = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
      while (b.hasRemaining() && channel.read(b) >= 0) {}
      if (b.hasRemaining() || b.getLong(0) != MAGIC || b.getInt(8) != VERSION) {
        return false;
      }
      return size(b) == channel.size();
    }
  }

  /** Counts and gaps alone, without the code; empty if the file is no plan of this version. */
  static Optional<PlanNotes> notes(Path file) throws IOException {
    try (var channel = java.nio.channels.FileChannel.open(file)) {
      ByteBuffer b = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
      while (b.hasRemaining() && channel.read(b) >= 0) {}
      if (b.hasRemaining() || b.getLong(0) != MAGIC || size(b) != channel.size()) {
        return Optional.empty();
      }
      ByteBuffer text = ByteBuffer.allocate(b.getInt(40));
      while (text.hasRemaining() && channel.read(text, channel.size() - text.remaining()) >= 0) {}
      return Optional.of(PlanNotes.parse(text.array()));
    }
  }

  /** The size that a header speaks of. */
  private static long size(ByteBuffer b) {
    long size = HEADER + (long) b.getInt(12) + b.getInt(40) + (long) FRAME * b.getInt(48);
    size += 8L * b.getInt(52);
    for (int field : new int[] {16, 20, 28, 44}) {
      size += 4L * b.getInt(field);
    }
    return size + (long) PATCH * b.getInt(24);
  }

  /** Reads a plan; empty if the file is none of this version, or damaged. */
  public static Optional<Plan> read(Path file) throws IOException {
    ByteBuffer b = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    if (b.limit() < HEADER || b.getLong() != MAGIC || b.getInt() != VERSION) {
      return Optional.empty();
    }
    int[] counts = new int[5];
    b.asIntBuffer().get(counts);
    b.position(b.position() + 20);
    long low = b.getInt() & 0xffffffffL;
    long high = b.getInt() & 0xffffffffL;
    int coverageBytes = b.getInt();
    int calls = b.getInt();
    int frames = b.getInt();
    int moved = b.getInt();
    byte[] id = new byte[16];
    b.get(id);
    if (size(b) != b.limit() || Arrays.stream(counts).anyMatch(n -> n < 0)) {
      return Optional.empty();
    }
    byte[] code = new byte[counts[0]];
    b.get(code);
    int[] moduleFixups = ints(b, counts[1]);
    int[] siteFixups = ints(b, counts[2]);
    int[] sites = ints(b, counts[4]);
    int[] returns = ints(b, calls);
    int[] overwritten = ints(b, 2 * moved);
    List<FrameRow> rows = new ArrayList<>();
    for (int i = 0; i < frames; i++) {
      rows.add(FrameRow.unpacked(b.getInt() & 0xffffffffL, b.getInt()));
    }
    List<Patch> patches = new ArrayList<>();
    for (int i = 0; i < counts[3]; i++) {
      long address = b.getInt() & 0xffffffffL;
      long target = b.getInt() & 0xffffffffL;
      Patch.Kind kind = Patch.Kind.values()[b.get()];
      byte[] before = new byte[b.get()];
      b.get(before);
      b.position(b.position() + BEFORE - before.length);
      patches.add(new Patch(kind, address, target, before, b.get() != 0));
    }
    byte[] coverage = new byte[coverageBytes];
    b.get(coverage);
    PlanNotes notes = PlanNotes.parse(coverage);
    return Optional.of(
        new Plan(
            id,
            low,
            high,
            code,
            moduleFixups,
            siteFixups,
            patches,
            overwritten,
            sites,
            returns,
            rows,
            notes.coverage(),
            notes.gaps()));
  }

  private static int[] ints(ByteBuffer b, int count) {
    int[] list = new int[count];
    b.asIntBuffer().get(list);
    b.position(b.position() + 4 * count);
    return list;
  }
}
