package dev.perdure.model.code;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The sites of one module, by their local numbers. Its binary form is the ELF section {@code
 * .perdure.sites} and a part of every saved trace: all strings once, then each site as a list of
 * frames. Where frames know their module, each has it, and its offset.
 */
public record SiteTable(List<Site> sites) {
  /** The ELF section that holds the table. */
  public static final String SECTION = ".perdure.sites";

  private static final int LINES = 0x50534954; // "PSIT"
  private static final int ADDRESSES = 0x50534941; // "PSIA"

  public SiteTable {
    sites = sites instanceof LazySites ? sites : List.copyOf(sites);
  }

  /**
   * A table whose sites are found when they are asked for.
   *
   * @param source gives the sites with some local numbers, in that order; any thread may call it
   */
  public static SiteTable lazy(int count, Function<int[], List<Site>> source) {
    return new SiteTable(new LazySites(count, source));
  }

  /** Whether sites are found only when they are asked for. */
  public boolean lazy() {
    return sites instanceof LazySites;
  }

  /** The sites with some local numbers: cheaper than one by one, where they are not known yet. */
  public List<Site> of(int[] numbers) {
    if (sites instanceof LazySites unknown) {
      unknown.find(numbers);
    }
    return Arrays.stream(numbers).mapToObj(sites::get).toList();
  }

  /** The binary form. */
  public byte[] toBytes() {
    boolean addresses = sites.stream().anyMatch(SiteTable::knowsModule);
    Map<String, Integer> strings = new LinkedHashMap<>();
    for (Site site : sites) {
      for (Frame frame : site.frames()) {
        strings.putIfAbsent(frame.function(), strings.size());
        strings.putIfAbsent(frame.file(), strings.size());
        if (addresses) {
          strings.putIfAbsent(frame.module(), strings.size());
        }
      }
    }
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(bytes)) {
      out.writeInt(addresses ? ADDRESSES : LINES);
      out.writeInt(strings.size());
      for (String s : strings.keySet()) {
        byte[] utf8 = s.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
      }
      out.writeInt(sites.size());
      for (Site site : sites) {
        out.writeShort(site.frames().size());
        for (Frame frame : site.frames()) {
          out.writeInt(strings.get(frame.function()));
          out.writeInt(strings.get(frame.file()));
          out.writeInt(frame.line());
          if (addresses) {
            out.writeInt(strings.get(frame.module()));
            out.writeLong(frame.offset());
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Reads the binary form; the message of the exception says what is wrong with it. */
  public static SiteTable fromBytes(byte[] bytes) throws IOException {
    try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int magic = in.readInt();
      if (magic != LINES && magic != ADDRESSES) {
        throw new IOException("not a site table");
      }
      String[] strings = new String[bounded(in.readInt(), bytes.length)];
      for (int i = 0; i < strings.length; i++) {
        byte[] utf8 = new byte[bounded(in.readInt(), bytes.length)];
        in.readFully(utf8);
        strings[i] = new String(utf8, java.nio.charset.StandardCharsets.UTF_8);
      }
      int count = bounded(in.readInt(), bytes.length);
      List<Site> sites = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        int depth = in.readUnsignedShort();
        List<Frame> frames = new ArrayList<>(depth);
        for (int j = 0; j < depth; j++) {
          frames.add(frame(in, strings, magic == ADDRESSES));
        }
        sites.add(depth == 0 ? Site.UNKNOWN : new Site(frames));
      }
      return new SiteTable(sites);
    } catch (java.io.EOFException e) {
      throw new IOException("the site table is cut short", e);
    }
  }

  private static boolean knowsModule(Site site) {
    return site.frames().stream()
        .anyMatch(f -> !f.module().isEmpty() || f.offset() != Frame.NO_OFFSET);
  }

  private static Frame frame(DataInputStream in, String[] strings, boolean address)
      throws IOException {
    var frame =
        new Frame(string(strings, in.readInt()), string(strings, in.readInt()), in.readInt());
    return address ? frame.in(string(strings, in.readInt()), in.readLong()) : frame;
  }

  private static String string(String[] strings, int index) throws IOException {
    if (index < 0 || index >= strings.length) {
      throw new IOException("the site table is damaged");
    }
    return strings[index];
  }

  private static int bounded(int n, int limit) throws IOException {
    if (n < 0 || n > limit) {
      throw new IOException("the site table is damaged");
    }
    return n;
  }
}
