package dev.perdure.cli;

import dev.perdure.model.file.FileReason;
import dev.perdure.report.format.ReportFormat;
import dev.perdure.report.run.AtomicFile;
import dev.perdure.report.run.RunDirectory;
import dev.perdure.report.run.RunReport;
import java.io.IOException;

/** Writes a report into its run directory and to the files that the user asked for. */
final class Saved {
  private Saved() {}

  static void write(RunReport report, RunDirectory directory, String json) throws IOException {
    byte[] findings = ReportFormat.JSON.render().apply(report);
    directory.write(directory.findings(), findings);
    directory.write(directory.report(), ReportFormat.TEXT.render().apply(report));
    toUser(json, findings);
  }

  static void toUser(String json, byte[] findings) {
    if (json == null) {
      return;
    }
    try {
      AtomicFile.writeTo(json, findings, System.out);
    } catch (IOException e) {
      throw CommandFailure.usage(
          "--json " + json + ": cannot be written (" + FileReason.of(e) + ")", e);
    }
  }
}
