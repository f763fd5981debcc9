package dev.perdure.trace.text;

import dev.perdure.trace.definition.Definitions;
import dev.perdure.trace.definition.PmFile;
import dev.perdure.trace.definition.TargetProcess;
import dev.perdure.trace.event.Event;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.io.IOException;
import java.util.List;

/** Writes a trace as text: what an event refers to is defined on lines before it. */
public final class TextWriter {
  private final Appendable out;
  private final Definitions definitions;
  private final IntOpenHashSet sites = new IntOpenHashSet();
  private final IntOpenHashSet stacks = new IntOpenHashSet();
  private List<PmFile> files = List.of();
  private List<TargetProcess> processes = List.of();

  public TextWriter(Appendable out, Definitions definitions) {
    this.out = out;
    this.definitions = definitions;
  }

  public void append(Event event) throws IOException {
    defineFilesAndProcesses();
    defineStack(event.stack());
    defineSite(event.site());
    line(EventText.of(event));
  }

  private void defineFilesAndProcesses() throws IOException {
    List<PmFile> nowFiles = definitions.files();
    for (int i = 0; i < nowFiles.size(); i++) {
      if (i >= files.size() || !nowFiles.get(i).equals(files.get(i))) {
        line(DefinitionText.file(i, nowFiles.get(i)));
      }
    }
    files = nowFiles;
    List<TargetProcess> nowProcesses = definitions.processes();
    for (int i = 0; i < nowProcesses.size(); i++) {
      if (i >= processes.size() || !nowProcesses.get(i).equals(processes.get(i))) {
        line(DefinitionText.process(i, nowProcesses.get(i)));
      }
    }
    processes = nowProcesses;
  }

  private void defineStack(int stack) throws IOException {
    for (int s = stack; s != 0 && stacks.add(s); s = definitions.parent(s)) {
      defineSite(definitions.topSite(s));
      line(DefinitionText.stack(s, definitions.parent(s), definitions.topSite(s)));
    }
  }

  private void defineSite(int site) throws IOException {
    if (site != 0 && sites.add(site)) {
      line(DefinitionText.site(site, definitions.site(site)));
    }
  }

  private void line(String text) throws IOException {
    out.append(text).append('\n');
  }
}
