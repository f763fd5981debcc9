package dev.perdure.target;

import dev.perdure.trace.live.Recording;
import dev.perdure.trace.live.RecordingSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A small recording that short runs use one after the other: making its tables and rings anew would
 * cost more than such a run. Processes that a run leaves alive keep theirs, and the next run gets
 * another.
 */
public final class KeptRecording implements AutoCloseable {
  private final Path parent;
  private final ExecutorService supervision =
      Executors.newSingleThreadExecutor(Supervisor::newThread);
  private RecordingSpace space;
  private Recording recording;

  /**
   * @param parent the folder for its files
   */
  public KeptRecording(Path parent) {
    this.parent = parent;
  }

  /** One thread that watches run after run: each new one would touch fresh memory of the heap. */
  Executor supervision() {
    return supervision;
  }

  RecordingSpace space() throws TargetStartException {
    if (space == null) {
      space = RecordingSpace.small(parent);
    }
    return space;
  }

  /** The recording, empty. */
  Recording begin(RecordingSettings settings) throws IOException {
    if (recording == null) {
      recording = Recording.create(space.folder().resolve("recording"), settings);
    } else {
      recording.renew(settings);
    }
    return recording;
  }

  /** Whether processes of the last run may still live. */
  public boolean isAbandoned() {
    return space == null;
  }

  /** A process may still use it: it is not taken for another run. */
  void abandon() throws IOException {
    Recording used = recording;
    recording = null;
    if (used != null) {
      used.close();
    }
    deleteFolder();
  }

  private void deleteFolder() throws IOException {
    if (space != null) {
      FileTree.delete(space.folder());
      space = null;
    }
  }

  @Override
  public void close() throws IOException {
    supervision.shutdown();
    try {
      if (recording != null) {
        recording.discard();
        recording = null;
      }
    } finally {
      deleteFolder();
    }
  }
}
