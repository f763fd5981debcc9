package dev.perdure.crash.recovery;

import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Jobs that showed something, kept so that they can be run again. */
public record JobArchive(Path folder) {
  /** Changes with what a job holds. */
  private static final int VERSION = 3;

  private static final String OTHER_VERSION = "it was written by another version";

  /** Keeps a job for one of its images. */
  public void keep(RecoveryJob job, ImageCheck check) throws IOException {
    Files.createDirectories(folder);
    try (ObjectOutputStream out =
        new ObjectOutputStream(Files.newOutputStream(file(check.point(), check.image())))) {
      out.writeInt(VERSION);
      out.writeObject(job.only(check));
    }
  }

  /** Whether the job of a failure point and an image was kept. */
  public boolean has(int point, String image) {
    return Files.exists(file(point, image));
  }

  /** The job of a failure point and an image. */
  public RecoveryJob read(int point, String image) throws IOException {
    try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(file(point, image)))) {
      if (in.readInt() != VERSION) {
        throw new IOException(OTHER_VERSION);
      }
      return (RecoveryJob) in.readObject();
    } catch (ClassNotFoundException | ObjectStreamException | EOFException e) {
      throw new IOException(OTHER_VERSION, e);
    }
  }

  private Path file(int point, String image) {
    return folder.resolve(point + "-" + image.replace(':', '-') + ".job");
  }
}
