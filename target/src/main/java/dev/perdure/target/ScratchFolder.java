package dev.perdure.target;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A folder for files of a run that nobody keeps, on the RAM disk where that has room. If this
 * process is killed, a shell beside it ends the targets that record into the folder, and removes
 * it.
 */
public final class ScratchFolder implements AutoCloseable {
  private final Path path;
  private final OrphanGuard guard;

  private ScratchFolder(Path path, OrphanGuard guard) {
    this.path = path;
    this.guard = guard;
  }

  /** Makes one; below the run directory if the RAM disk is full. */
  public static ScratchFolder create(Path runDirectory) throws TargetStartException {
    Path path = RecordingSpace.choose(runDirectory).folder();
    try {
      return new ScratchFolder(path, OrphanGuard.over(path));
    } catch (IOException e) {
      throw new TargetStartException("/bin/sh cannot be run (" + e.getMessage() + ")", e);
    }
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    FileTree.delete(path);
    guard.close();
  }
}
