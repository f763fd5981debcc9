package dev.perdure.binary.flow;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the section .eh_frame: the ranges of functions and how their frames are laid out. */
public final class EhFrame {
  private record Common(
      long codeFactor,
      long dataFactor,
      int pointerEncoding,
      int languageEncoding,
      boolean augmented,
      byte[] initial) {}

  private final ByteBuffer section;
  private final long address;
  private final Map<Integer, Common> commons = new HashMap<>();

  private EhFrame(ByteBuffer section, long address) {
    this.section = section;
    this.address = address;
  }

  /** The entries of a section that begins at the address; what is cut short ends the list. */
  public static List<UnwindEntry> read(ByteBuffer section, long address) {
    return new EhFrame(section, address).entries();
  }

  private List<UnwindEntry> entries() {
    List<UnwindEntry> all = new ArrayList<>();
    int at = 0;
    try {
      while (at + 4 <= section.limit()) {
        int length = section.getInt(at);
        if (length == 0 || length == -1 || length < 4 || at + 4L + length > section.limit()) {
          break;
        }
        int id = section.getInt(at + 4);
        if (id != 0) {
          Common common = common(at + 4 - id);
          all.add(entry(common, at + 8, at + 4 + length));
        }
        at += 4 + length;
      }
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      // A damaged section: the functions before are known, the others are not.
      return all;
    }
    return all;
  }

  private FrameReader reader(int from, int to) {
    ByteBuffer part = section.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    part.limit(to).position(from);
    return new FrameReader(part, address);
  }

  private UnwindEntry entry(Common common, int from, int to) {
    FrameReader in = reader(from, to);
    long start = in.encoded(common.pointerEncoding);
    long length = in.number(common.pointerEncoding & 0x0f);
    long languageData = 0;
    if (common.augmented) {
      int bytes = (int) in.unsigned();
      int next = in.bytes.position() + bytes;
      if (common.languageEncoding != FrameReader.OMITTED && bytes > 0) {
        languageData = in.encoded(common.languageEncoding);
      }
      in.bytes.position(next);
    }
    return new UnwindEntry(
        start,
        length,
        languageData,
        new CallFrameProgram(common.codeFactor, common.dataFactor, common.initial, rest(in.bytes)));
  }

  private Common common(int at) {
    Common known = commons.get(at);
    if (known != null) {
      return known;
    }
    int end = at + 4 + section.getInt(at);
    FrameReader in = reader(at + 8, end);
    int version = in.bytes.get();
    String augmentation = in.string();
    long codeFactor = in.unsigned();
    long dataFactor = in.signed();
    if (version == 1) {
      in.bytes.get();
    } else {
      in.unsigned();
    }
    int pointerEncoding = 0;
    int languageEncoding = FrameReader.OMITTED;
    boolean augmented = augmentation.startsWith("z");
    if (augmented) {
      int bytes = (int) in.unsigned();
      int next = in.bytes.position() + bytes;
      for (char c : augmentation.substring(1).toCharArray()) {
        switch (c) {
          case 'R' -> pointerEncoding = in.bytes.get() & 0xff;
          case 'L' -> languageEncoding = in.bytes.get() & 0xff;
          case 'P' -> in.encoded(in.bytes.get() & 0xff);
          default -> {
            // S marks frames of signal handlers, B is of another architecture: no data.
          }
        }
      }
      in.bytes.position(next);
    }
    Common common =
        new Common(
            codeFactor, dataFactor, pointerEncoding, languageEncoding, augmented, rest(in.bytes));
    commons.put(at, common);
    return common;
  }

  private static byte[] rest(ByteBuffer in) {
    byte[] bytes = new byte[in.remaining()];
    in.get(bytes);
    return bytes;
  }
}
