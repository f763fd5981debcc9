package dev.perdure.report.format;

import dev.perdure.report.json.FindingsJson;
import dev.perdure.report.run.RunReport;
import dev.perdure.report.text.TerminalReport;
import dev.perdure.report.text.TerminalStyle;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/**
 * A way to write a report to a file. To add one: a class that renders a {@link RunReport}, and a
 * line in {@link #ALL}.
 *
 * @param name as in the option that asks for it
 */
public record ReportFormat(String name, Function<RunReport, byte[]> render) {
  public static final ReportFormat TEXT =
      new ReportFormat(
          "text",
          report ->
              TerminalReport.render(report, TerminalStyle.PLAIN).getBytes(StandardCharsets.UTF_8));
  public static final ReportFormat JSON = new ReportFormat("json", FindingsJson::write);

  public static final List<ReportFormat> ALL = List.of(TEXT, JSON);
}
