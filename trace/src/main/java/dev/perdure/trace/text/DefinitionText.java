package dev.perdure.trace.text;

import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import dev.perdure.trace.definition.PmFile;
import dev.perdure.trace.definition.TargetProcess;
import dev.perdure.trace.text.LineWords.BadLine;
import dev.perdure.trace.text.LineWords.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The lines that define sites, stacks, PM files and processes, both ways. */
final class DefinitionText {
  private static final String UNKNOWN = "?";
  private static final Pattern PLACE =
      Pattern.compile(
          "(?<file>.*):(?<line>[^:@]*)(@(?<module>.*?)(\\+0x(?<offset>[0-9a-f]{1,15}))?)?",
          Pattern.DOTALL);

  private DefinitionText() {}

  static String site(int number, Site site) {
    return "site "
        + Integer.toUnsignedString(number)
        + " "
        + site.frames().stream().map(DefinitionText::frame).collect(Collectors.joining(" < "));
  }

  private static String frame(Frame f) {
    return LineWords.quote(f.function().isEmpty() ? UNKNOWN : f.function())
        + " "
        + LineWords.quote((f.file().isEmpty() ? UNKNOWN : f.file()) + ":" + f.line() + address(f));
  }

  private static String address(Frame f) {
    if (f.module().isEmpty() && f.offset() == Frame.NO_OFFSET) {
      return "";
    }
    return "@"
        + f.module()
        + (f.offset() == Frame.NO_OFFSET ? "" : "+0x" + Long.toHexString(f.offset()));
  }

  /** The frames of a site's line, from its third word on. */
  static Site site(List<Word> words) throws BadLine {
    List<Frame> frames = new ArrayList<>();
    for (int i = 0; i < words.size(); i += 3) {
      if (i + 1 >= words.size() || i + 2 < words.size() && !words.get(i + 2).is("<")) {
        throw new BadLine("a site is: function file:line, with < between functions");
      }
      frames.add(frame(words.get(i).text(), words.get(i + 1).text()));
    }
    if (frames.isEmpty()) {
      throw new BadLine("a site without a function");
    }
    return new Site(frames);
  }

  private static Frame frame(String function, String place) throws BadLine {
    Matcher parts = PLACE.matcher(place);
    if (!parts.matches()) {
      throw new BadLine("file:line expected, not " + place);
    }
    var frame =
        new Frame(
            known(function),
            known(parts.group("file")),
            Math.toIntExact(EventParser.parse(parts.group("line"))));
    String module = parts.group("module");
    String offset = parts.group("offset");
    return frame.in(
        module == null ? "" : module,
        offset == null ? Frame.NO_OFFSET : Long.parseLong(offset, 16));
  }

  private static String known(String word) {
    return word.equals(UNKNOWN) ? "" : word;
  }

  static String stack(int number, int parent, int site) {
    return "stack "
        + Integer.toUnsignedString(number)
        + " parent="
        + Integer.toUnsignedString(parent)
        + " site="
        + Integer.toUnsignedString(site);
  }

  static String file(int index, PmFile f) {
    return "file %d addr=0x%x length=%d dev=%d ino=%d %s"
        .formatted(
            index, f.address(), f.length(), f.device(), f.inode(), LineWords.quote(f.path()));
  }

  static PmFile file(List<Word> words) throws BadLine {
    return new PmFile(
        field(words, "dev"),
        field(words, "ino"),
        field(words, "addr"),
        field(words, "length"),
        words.get(words.size() - 1).text());
  }

  static String process(int index, TargetProcess p) {
    return "process %d pid=%d parent=%d flags=%d %s"
        .formatted(index, p.pid(), p.parent(), p.flags(), LineWords.quote(p.executable()));
  }

  static TargetProcess process(List<Word> words) throws BadLine {
    return new TargetProcess(
        (int) field(words, "pid"),
        (int) field(words, "parent"),
        (int) field(words, "flags"),
        words.get(words.size() - 1).text());
  }

  static long field(List<Word> words, String name) throws BadLine {
    for (Word w : words) {
      if (!w.quoted() && w.text().startsWith(name + "=")) {
        return EventParser.parse(w.text().substring(name.length() + 1));
      }
    }
    throw new BadLine("no field " + name);
  }
}
