package dev.perdure.trace.text;

import dev.perdure.model.code.Site;
import dev.perdure.model.code.SiteTable;
import dev.perdure.trace.definition.Definitions;
import dev.perdure.trace.definition.ModuleSites;
import dev.perdure.trace.definition.PmFile;
import dev.perdure.trace.definition.TargetProcess;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventSource;
import dev.perdure.trace.format.Layout;
import dev.perdure.trace.format.TraceFormatException;
import dev.perdure.trace.text.LineWords.BadLine;
import dev.perdure.trace.text.LineWords.Word;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A trace as text. Definitions are known once the lines that hold them were passed. Empty lines and
 * lines that start with {@code #} say nothing.
 */
public final class TextTrace implements EventSource, Definitions {
  private final BufferedReader lines;
  private final String name;
  private final EventParser parser = new EventParser();
  private final TreeMap<Integer, Site> sites = new TreeMap<>();
  private final Map<Integer, Long> stacks = new HashMap<>();
  private final TreeMap<Integer, PmFile> files = new TreeMap<>();
  private final TreeMap<Integer, TargetProcess> processes = new TreeMap<>();
  private long lineNumber;

  /**
   * @param name what messages call the text, as a rule a file
   */
  public TextTrace(Reader reader, String name) {
    this.lines = new BufferedReader(reader);
    this.name = name;
  }

  @Override
  public boolean next(Event event) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      lineNumber++;
      try {
        if (line.startsWith("T")) {
          parser.parse(line, event);
          return true;
        }
        if (!line.isBlank() && !line.startsWith("#")) {
          define(LineWords.split(line));
        }
      } catch (BadLine | ArithmeticException | NumberFormatException e) {
        throw new TraceFormatException(
            name + ":" + lineNumber,
            String.valueOf(e.getMessage()),
            "docs/formats/trace.md has the text form of a trace");
      }
    }
    return false;
  }

  private void define(List<Word> words) throws BadLine {
    if (words.size() < 3 || !words.get(1).text().matches("[0-9]+")) {
      throw new BadLine("neither an event nor a definition");
    }
    int number = Integer.parseUnsignedInt(words.get(1).text());
    List<Word> rest = words.subList(2, words.size());
    switch (words.get(0).text()) {
      case "site" -> sites.put(number, DefinitionText.site(rest));
      case "stack" ->
          stacks.put(
              number,
              DefinitionText.field(rest, "parent") << 32
                  | DefinitionText.field(rest, "site") & 0xffffffffL);
      case "file" -> files.put(below(number, Layout.MAX_FILES), DefinitionText.file(rest));
      case "process" ->
          processes.put(below(number, Layout.MAX_PROCESSES), DefinitionText.process(rest));
      default -> throw new BadLine("neither an event nor a definition");
    }
  }

  private static int below(int number, int limit) throws BadLine {
    if (number < 0 || number >= limit) {
      throw new BadLine("number " + number + " is too large");
    }
    return number;
  }

  @Override
  public Site site(int site) {
    return sites.getOrDefault(site, Site.UNKNOWN);
  }

  @Override
  public int topSite(int stack) {
    return (int) (long) stacks.getOrDefault(stack, 0L);
  }

  @Override
  public int parent(int stack) {
    return (int) (stacks.getOrDefault(stack, 0L) >>> 32);
  }

  /** Text does not tell modules: each run of consecutive sites is one. */
  @Override
  public List<ModuleSites> modules() {
    List<ModuleSites> modules = new ArrayList<>();
    List<Site> run = new ArrayList<>();
    int next = 0;
    for (Map.Entry<Integer, Site> e : sites.entrySet()) {
      if (e.getKey() != next && !run.isEmpty()) {
        modules.add(module(next - run.size(), run));
        run = new ArrayList<>();
      }
      run.add(e.getValue());
      next = e.getKey() + 1;
    }
    if (!run.isEmpty()) {
      modules.add(module(next - run.size(), run));
    }
    return modules;
  }

  private ModuleSites module(int base, List<Site> run) {
    return new ModuleSites(base, run.size(), 0, "", name, Optional.of(new SiteTable(run)));
  }

  @Override
  public List<PmFile> files() {
    List<PmFile> all = new ArrayList<>();
    files.forEach(
        (index, file) -> {
          while (all.size() < index) {
            all.add(new PmFile(0, 0, 0, 0, ""));
          }
          all.add(file);
        });
    return all;
  }

  @Override
  public List<TargetProcess> processes() {
    List<TargetProcess> all = new ArrayList<>();
    processes.forEach(
        (index, process) -> {
          while (all.size() < index) {
            all.add(TargetProcess.NONE);
          }
          all.add(process);
        });
    return all;
  }
}
