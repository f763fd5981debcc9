package dev.perdure.llvm.driver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The members of a static library, ordinary or thin.
 *
 * <pre>
 *   "!&lt;arch&gt;\n" or "!&lt;thin&gt;\n", then for each member, at even offsets:
 *   name[16] date[12] uid[6] gid[6] mode[8] size[10] "`\n"  contents (none in thin archives)
 * </pre>
 */
record Archive(List<Member> members) {
  private static final int MAGIC = 8;
  private static final int HEADER = 60;
  private static final int NAME = 16;
  private static final int SIZE_AT = 48;
  private static final int SIZE = 10;

  /** A member: where its bytes are, and whether they are bitcode. */
  record Member(Path file, long offset, long length, boolean bitcode) {
    byte[] bytes() throws IOException {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        return read(channel, offset, (int) length);
      }
    }
  }

  boolean hasBitcode() {
    return members.stream().anyMatch(Member::bitcode);
  }

  List<Member> nativeMembers() {
    return members.stream().filter(member -> !member.bitcode()).toList();
  }

  /** Reads the headers; a file that ends early has the members before the end. */
  static Archive read(Path file) throws IOException {
    List<Member> members = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      boolean thin = text(read(channel, 0, MAGIC)).equals("!<thin>\n");
      String longNames = "";
      long at = MAGIC;
      while (at + HEADER <= channel.size()) {
        String header = text(read(channel, at, HEADER));
        String name = header.substring(0, NAME).trim();
        long size = Long.parseLong(header.substring(SIZE_AT, SIZE_AT + SIZE).trim());
        long start = at + HEADER;
        boolean special = name.equals("/") || name.equals("//") || name.equals("/SYM64/");
        if (name.equals("//")) {
          longNames = text(read(channel, start, (int) size));
        } else if (!special && thin) {
          Path member = file.resolveSibling(fullName(name, longNames));
          long length = Files.size(member);
          members.add(member(member, 0, length));
        } else if (!special) {
          members.add(member(file, start, size));
        }
        at = start + (special || !thin ? size + (size & 1) : 0);
      }
    } catch (NumberFormatException e) {
      throw new IOException(file + " is a damaged archive", e);
    }
    return new Archive(members);
  }

  private static Member member(Path file, long offset, long length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      byte[] magic = read(channel, offset, (int) Math.min(MAGIC, length));
      return new Member(file, offset, length, InputKind.ofBytes(magic) == InputKind.BITCODE);
    }
  }

  private static String fullName(String name, String longNames) {
    if (name.startsWith("/") && name.length() > 1) {
      int start = Integer.parseInt(name.substring(1));
      return longNames.substring(start, longNames.indexOf("/\n", start));
    }
    return name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
  }

  private static byte[] read(FileChannel channel, long offset, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    while (buffer.hasRemaining() && channel.read(buffer, offset + buffer.position()) > 0) {
      continue;
    }
    byte[] bytes = new byte[buffer.position()];
    buffer.flip().get(bytes);
    return bytes;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
