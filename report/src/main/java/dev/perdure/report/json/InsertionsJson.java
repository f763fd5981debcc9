package dev.perdure.report.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.perdure.model.code.Frame;
import dev.perdure.model.repair.Insertion;
import dev.perdure.report.run.RunReport;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * The file that {@code perdure fix --list} writes: what was inserted, and the violations before.
 */
public final class InsertionsJson {
  private InsertionsJson() {}

  /** Writes the whole file; the report holds the violations. */
  public static void write(List<Insertion> insertions, RunReport report, OutputStream out)
      throws IOException {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode list = root.putArray("insertions");
    for (Insertion insertion : insertions) {
      Frame frame = insertion.site().innermost();
      list.addObject()
          .put("kind", insertion.kind().label())
          .put("file", frame.file())
          .put("line", frame.line())
          .put("function", frame.function())
          .put("reason", insertion.reason());
    }
    root.set("violations", new ReportWriter(report).findings());
    JsonText.write(root, out);
  }
}
