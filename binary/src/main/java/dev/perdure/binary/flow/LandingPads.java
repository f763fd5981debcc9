package dev.perdure.binary.flow;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Where exceptions may continue: the call-site tables of .gcc_except_table. */
final class LandingPads {
  private LandingPads() {}

  static void visit(
      ByteBuffer table, long tableAddress, UnwindEntry function, Consumer<CallSite> site) {
    long offset = function.languageData() - tableAddress;
    if (offset < 0 || offset >= table.limit()) {
      return;
    }
    ByteBuffer bytes = table.duplicate();
    bytes.position((int) offset);
    FrameReader in = new FrameReader(bytes, tableAddress);
    try {
      int startEncoding = bytes.get() & 0xff;
      long base =
          startEncoding == FrameReader.OMITTED ? function.start() : in.encoded(startEncoding);
      if ((bytes.get() & 0xff) != FrameReader.OMITTED) {
        in.unsigned();
      }
      int encoding = bytes.get() & 0x0f;
      int end = (int) in.unsigned();
      end += bytes.position();
      while (bytes.position() < end) {
        long start = function.start() + in.number(encoding);
        long length = in.number(encoding);
        long landing = in.number(encoding);
        in.unsigned();
        if (landing != 0) {
          site.accept(new CallSite(start, start + length, base + landing));
        }
      }
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      // A damaged table: its pads are not known, and exceptions would not find them either.
      return;
    }
  }
}
