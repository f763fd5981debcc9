package dev.perdure.binary.plan;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.flow.ModuleCode;
import dev.perdure.binary.flow.Processor;
import dev.perdure.binary.region.Announcement;
import dev.perdure.binary.region.BinaryRegions;
import dev.perdure.model.code.Site;
import dev.perdure.model.config.Configuration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Plans that were made before, in a folder of the user's, by build-id or else by content. */
public record PlanCache(Path folder) {
  private static final int ID_BYTES = 16;
  private static final Pattern VERSIONED = Pattern.compile("-v([0-9]+)(?:-[0-9a-f]+)?\\.plan$");

  /** The folder that the environment names, or the usual one. */
  public static PlanCache ofUser() {
    String cache = System.getenv("XDG_CACHE_HOME");
    Path base =
        cache != null && !cache.isBlank()
            ? Path.of(cache)
            : Path.of(System.getProperty("user.home"), ".cache");
    return new PlanCache(base.resolve("perdure/plans"));
  }

  /**
   * The file with the plan of a module; made if there is none of this version yet.
   *
   * @param regions the configuration by which starts of regions are found, if these are announced
   * @param readable turns mangled names of functions into readable ones
   */
  Path of(
      ElfFile elf,
      NamedFunctions functions,
      Loads loads,
      Optional<Configuration> regions,
      UnaryOperator<List<Site>> readable)
      throws IOException {
    TreeMap<Long, NamedFunction> named = functions.in(elf);
    String further = (named.isEmpty() ? "" : named) + regions.map(c -> "regions " + c).orElse("");
    String key = key(elf, loads) + (further.isEmpty() ? "" : "-" + digest(further));
    Path file = folder.resolve(key + ".plan");
    if (!valid(file)) {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      removeOutdated();
      ModuleCode module = ModuleCode.read(elf);
      Map<Long, List<Announcement>> announced =
          regions.isPresent()
              ? BinaryRegions.announcements(module, regions.get(), readable)
              : Map.of();
      PlanFile.write(Planner.plan(elf, module, named, loads, announced, id(key)), file);
    }
    return file;
  }

  /** Plans of other versions go when they are a day old: another version may be in use beside. */
  private void removeOutdated() throws IOException {
    Instant yesterday = Instant.now().minus(Duration.ofDays(1));
    try (var files = Files.newDirectoryStream(folder, "*.plan")) {
      for (Path file : files) {
        Matcher version = VERSIONED.matcher(file.getFileName().toString());
        if (version.find()
            && !version.group(1).equals(String.valueOf(PlanFile.VERSION))
            && Files.getLastModifiedTime(file).toInstant().isBefore(yesterday)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private static boolean valid(Path file) throws IOException {
    return Files.isRegularFile(file) && PlanFile.complete(file);
  }

  private static String key(ElfFile elf, Loads loads) throws IOException {
    Optional<String> buildId = elf.buildId();
    String name =
        buildId.isPresent()
            ? buildId.get() + "-" + Files.size(elf.path())
            : HexFormat.of().formatHex(sha256(Files.readAllBytes(elf.path())));
    String processor = Processor.hasTransactions() ? "-rtm" : "";
    return name + loads.inNames() + processor + "-v" + PlanFile.VERSION;
  }

  private static String digest(String text) {
    return HexFormat.of().formatHex(id(text));
  }

  private static byte[] id(String key) {
    return Arrays.copyOf(sha256(key.getBytes(StandardCharsets.UTF_8)), ID_BYTES);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
