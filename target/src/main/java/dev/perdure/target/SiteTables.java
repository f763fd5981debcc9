package dev.perdure.target;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.model.code.SiteTable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/**
 * The site tables of instrumented files. A file that was built anew since it ran has another table,
 * which its id tells; then there is none.
 */
public final class SiteTables implements BiFunction<String, String, Optional<SiteTable>> {
  private static final int ID_BYTES = 16;

  private final Map<String, SiteTable> known = new ConcurrentHashMap<>();

  /** The table in the file at the path, if it has the id. */
  @Override
  public Optional<SiteTable> apply(String path, String id) {
    try {
      if (!known.containsKey(id)) {
        Optional<byte[]> section = read(Path.of(path));
        if (section.isPresent() && id(section.get()).equals(id)) {
          known.put(id, SiteTable.fromBytes(section.get()));
        }
      }
      return Optional.ofNullable(known.get(id));
    } catch (IOException e) {
      // The file is gone or unreadable by now: its sites are unknown, as the interface says.
      return Optional.empty();
    }
  }

  private static Optional<byte[]> read(Path path) throws IOException {
    Optional<ElfFile> elf = ElfFile.read(path);
    return elf.isPresent() ? elf.get().section(SiteTable.SECTION) : Optional.empty();
  }

  /** Whether a file has a table, as everything has that was built with perdure cc. */
  static boolean in(ElfFile elf) throws IOException {
    return elf.section(SiteTable.SECTION).isPresent();
  }

  /** The id of a table: the first half of the section's SHA-256, 32 hexadecimal digits. */
  public static String id(byte[] section) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(section);
      return HexFormat.of().formatHex(Arrays.copyOf(hash, ID_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
