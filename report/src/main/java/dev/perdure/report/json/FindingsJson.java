package dev.perdure.report.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.perdure.model.file.FileReason;
import dev.perdure.report.run.RunReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The file findings.json of the schema {@code perdure-findings/1}. */
public final class FindingsJson {
  public static final String SCHEMA = "perdure-findings/1";

  private FindingsJson() {}

  /** The whole file; equal reports give equal bytes. */
  public static byte[] write(RunReport report) {
    return JsonText.of(new ReportWriter(report).tree());
  }

  /** Reads a file; what it lacks of the optional parts is taken as not known. */
  public static RunReport read(Path file) throws FindingsFormatException {
    try {
      return read(file.toString(), Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      throw new FindingsFormatException(file + ": there is no such file", e);
    } catch (IOException e) {
      throw new FindingsFormatException(file + ": cannot be read (" + FileReason.of(e) + ")", e);
    }
  }

  /** Reads the content of a file; the name is for messages. */
  public static RunReport read(String name, byte[] content) throws FindingsFormatException {
    JsonNode root;
    try {
      root = new ObjectMapper().readTree(content);
    } catch (IOException e) {
      throw new FindingsFormatException(name + ": this is not JSON, or it is cut short", e);
    }
    if (root == null || !SCHEMA.equals(root.path("schema").asText())) {
      throw new FindingsFormatException(name + ": this is not a file of the schema " + SCHEMA);
    }
    return new ReportReader(name).read(root);
  }
}
