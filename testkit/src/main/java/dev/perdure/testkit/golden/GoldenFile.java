package dev.perdure.testkit.golden;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * One expected output. {@code -Dgolden.update=true} writes the actual output instead of comparing,
 * which is refused where the environment variable CI is set: there a golden file is never new.
 */
public final class GoldenFile {
  private final Path file;
  private final Scrubber scrubber;
  private final boolean update;
  private final boolean continuousIntegration;

  GoldenFile(Path file, Scrubber scrubber, boolean update, boolean continuousIntegration) {
    this.file = file;
    this.scrubber = scrubber;
    this.update = update;
    this.continuousIntegration = continuousIntegration;
  }

  /** A golden file that is compared as it is. */
  public static GoldenFile at(Path file) {
    return new GoldenFile(
        file, Scrubber.NONE, Boolean.getBoolean("golden.update"), System.getenv("CI") != null);
  }

  /** The same file, compared after scrubbing. */
  public GoldenFile scrubbedBy(Scrubber other) {
    return new GoldenFile(file, other, update, continuousIntegration);
  }

  /** Fails with the first difference if the text is not what the file holds. */
  public void assertMatches(String actual) {
    String scrubbed = scrubber.scrub(actual);
    try {
      if (update) {
        if (continuousIntegration) {
          throw new AssertionError("golden files are not updated where CI is set: " + file);
        }
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, scrubbed);
      } else if (!Files.exists(file)) {
        throw new AssertionError(
            "there is no golden file " + file + "; write it with -Dgolden.update=true");
      } else {
        compare(Files.readString(file), scrubbed);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void compare(String expected, String actual) {
    if (expected.equals(actual)) {
      return;
    }
    String[] wanted = expected.split("\n", -1);
    String[] got = actual.split("\n", -1);
    int line = 0;
    while (line < Math.min(wanted.length, got.length) && wanted[line].equals(got[line])) {
      line++;
    }
    throw new AssertionError(
        """
        %s differs from line %d on
        expected: %s
        actual:   %s
        If the change is wanted: -Dgolden.update=true. The whole output:
        %s"""
            .formatted(
                file,
                line + 1,
                line < wanted.length ? wanted[line] : "(end)",
                line < got.length ? got[line] : "(end)",
                actual));
  }
}
