package dev.perdure.cli;

/**
 * Loads what most commands need, so that the launcher can keep it in an archive of classes and
 * start faster.
 */
final class Warmup {
  private Warmup() {}

  public static void main(String[] args) throws ReflectiveOperationException {
    Main.run(new String[] {"help", "run"});
    for (Class<?> c :
        new Class<?>[] {
          Observation.class,
          AnalyzeCommand.class,
          DemoCommand.class,
          CompilerCommand.class,
          dev.perdure.detect.Detection.class,
          dev.perdure.target.TargetRun.class,
          dev.perdure.trace.file.TraceWriter.class,
          dev.perdure.trace.file.TraceFile.class,
          dev.perdure.report.text.TerminalReport.class,
          dev.perdure.report.json.FindingsJson.class,
        }) {
      Class.forName(c.getName());
    }
  }
}
