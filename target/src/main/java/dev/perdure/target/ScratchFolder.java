package dev.perdure.target;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A folder for files of a run that nobody keeps, on the RAM disk where that has room. What a killed
 * run has left is removed by the next.
 */
public record ScratchFolder(Path path) implements AutoCloseable {
  /** Makes one; below the run directory if the RAM disk is full. */
  public static ScratchFolder create(Path runDirectory) throws TargetStartException {
    return new ScratchFolder(RecordingSpace.choose(runDirectory).folder());
  }

  @Override
  public void close() throws IOException {
    FileTree.delete(path);
  }
}
