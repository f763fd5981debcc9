package dev.perdure.target;

import dev.perdure.model.file.FreshName;
import dev.perdure.trace.live.RecordingSettings;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A folder for a recording, on the RAM disk if that has room, and how large its rings may be there.
 */
record RecordingSpace(Path folder, int ringSlots, int stackSlots) {
  private static final Path RAM_DISK = Path.of("/dev/shm");
  private static final long MEBIBYTE = 1 << 20;
  private static final long PLENTY = 256 * MEBIBYTE;
  private static final long SCARCE = 64 * MEBIBYTE;
  private static final long LEAST = 16 * MEBIBYTE;
  private static final int SMALL_RING_SLOTS = 4096;
  private static final int SMALL_STACK_SLOTS = 1 << 14;
  private static final Pattern FOLDER_NAME = Pattern.compile("perdure-(\\d+)-(\\d+)-.*");

  static RecordingSpace choose(Path runDirectory) throws TargetStartException {
    return choose(RAM_DISK, usable(RAM_DISK), runDirectory, usable(runDirectory));
  }

  static RecordingSpace choose(Path ramDisk, long ramBytes, Path runDirectory, long runBytes)
      throws TargetStartException {
    boolean inRam = ramBytes >= PLENTY || ramBytes >= runBytes;
    long bytes = inRam ? ramBytes : runBytes;
    if (bytes < LEAST) {
      throw new TargetStartException(
          "no space for the recording: "
              + say(ramDisk, ramBytes)
              + ", "
              + say(runDirectory, runBytes)
              + "; free some, or choose another folder with --out");
    }
    boolean plenty = bytes >= PLENTY;
    return new RecordingSpace(
        create(inRam ? ramDisk : runDirectory),
        plenty ? RecordingSettings.DEFAULT_RING_SLOTS : bytes >= SCARCE ? 8192 : 1024,
        plenty ? RecordingSettings.DEFAULT_STACK_SLOTS : bytes >= SCARCE ? 1 << 17 : 1 << 14);
  }

  /** For a short run, in a folder that is there for it; the path of a socket must not be long. */
  static RecordingSpace small(Path folder) throws TargetStartException {
    return new RecordingSpace(createBelow(folder, "r"), SMALL_RING_SLOTS, SMALL_STACK_SLOTS);
  }

  private static String say(Path folder, long bytes) {
    return folder + " has " + bytes / MEBIBYTE + " MB free";
  }

  private static long usable(Path folder) {
    try {
      return Files.isWritable(folder) ? Files.getFileStore(folder).getUsableSpace() : 0;
    } catch (IOException e) {
      // A folder that cannot be asked has no room for us.
      return 0;
    }
  }

  private static Path create(Path parent) throws TargetStartException {
    try {
      sweep(parent);
    } catch (IOException e) {
      throw new TargetStartException(
          parent + ": cannot be looked through (" + e.getMessage() + ")", e);
    }
    return createBelow(parent, ownPrefix(parent));
  }

  private static String ownPrefix(Path parent) throws TargetStartException {
    try {
      return "perdure-" + processNamespace() + "-" + ProcessHandle.current().pid() + "-";
    } catch (IOException e) {
      throw new TargetStartException(
          parent + ": no name for the recording can be found (" + e.getMessage() + ")", e);
    }
  }

  private static Path createBelow(Path parent, String prefix) throws TargetStartException {
    try {
      return Files.createDirectory(
          parent.resolve(prefix + FreshName.next()),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new TargetStartException(
          parent + ": no folder for the recording can be made there (" + e.getMessage() + ")", e);
    }
  }

  /**
   * Removes what a killed run has left behind. Containers that share the folder have their own
   * numbers.
   */
  private static void sweep(Path parent) throws IOException {
    String namespace = processNamespace();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, "perdure-*")) {
      for (Path folder : folders) {
        Matcher name = FOLDER_NAME.matcher(folder.getFileName().toString());
        if (name.matches()
            && name.group(1).equals(namespace)
            && name.group(2).length() < 10
            && ProcessHandle.of(Long.parseLong(name.group(2))).isEmpty()
            && Files.isWritable(folder)) {
          removeLeftover(folder);
        }
      }
    }
  }

  private static void removeLeftover(Path folder) throws IOException {
    try {
      FileTree.delete(folder);
    } catch (NoSuchFileException e) {
      // Another run removes it at this very moment.
    }
  }

  static String processNamespace() throws IOException {
    return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString().replaceAll("\\D", "");
  }
}
