package dev.perdure.testkit.litmus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A litmus program: what to run, and what must, may and must not come out.
 *
 * @param settings the single-valued lines of its comment, such as {@code options}
 */
public record LitmusProgram(
    Path path,
    LitmusCommand command,
    Map<String, String> settings,
    List<Rule> expect,
    List<Rule> allow,
    List<Rule> forbid) {
  private static final Pattern LABELS = Pattern.compile("//@(\\w+(?:\\s*[,@]+\\s*\\w+)*)");
  private static final Pattern LABEL = Pattern.compile("\\w+");
  private static final Pattern COMMENT =
      Pattern.compile(
          "/\\*\\s*LITMUS\\b(.*?)^\\s*\\*?\\s*END\\b", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Set<String> SETTINGS =
      Set.of("command", "options", "libs", "recover", "args", "after-fix");
  private static final Set<String> RULES = Set.of("expect", "allow", "forbid");

  public LitmusProgram {
    settings = Map.copyOf(settings);
    expect = List.copyOf(expect);
    allow = List.copyOf(allow);
    forbid = List.copyOf(forbid);
  }

  public static LitmusProgram read(Path path) throws IOException, LitmusFormatException {
    return parse(path, Files.readString(path));
  }

  static LitmusProgram parse(Path path, String text) throws LitmusFormatException {
    Matcher comment = COMMENT.matcher(text);
    if (!comment.find()) {
      throw new LitmusFormatException("no LITMUS ... END comment");
    }
    Map<String, String> settings = new HashMap<>();
    Map<String, List<String>> rules = new HashMap<>();
    for (String raw : comment.group(1).split("\n", -1)) {
      String line = raw.replaceFirst("^\\s*\\*?\\s*", "").stripTrailing();
      if (line.isEmpty()) {
        continue;
      }
      int colon = line.indexOf(':');
      String key = colon < 0 ? "" : line.substring(0, colon);
      if (RULES.contains(key)) {
        rules.computeIfAbsent(key, k -> new ArrayList<>()).add(line.substring(colon + 1).strip());
      } else if (SETTINGS.contains(key)) {
        settings.put(key, line.substring(colon + 1).strip());
      } else {
        throw new LitmusFormatException("cannot read the line `" + line + "`");
      }
    }
    LitmusCommand command = command(settings);
    if (!settings.getOrDefault("after-fix", "clean").equals("clean")) {
      throw new LitmusFormatException("after-fix: " + settings.get("after-fix"));
    }
    Map<String, Set<Integer>> labels = labels(text);
    return new LitmusProgram(
        path.toAbsolutePath(),
        command,
        settings,
        parse(rules.get("expect"), labels, command),
        parse(rules.get("allow"), labels, command),
        parse(rules.get("forbid"), labels, command));
  }

  /** The name of its file, by which sites are compared. */
  String base() {
    return path.getFileName().toString();
  }

  boolean cxx() {
    return base().endsWith(".cpp") || base().endsWith(".cc");
  }

  String setting(String key) {
    return settings.getOrDefault(key, "");
  }

  private static LitmusCommand command(Map<String, String> settings) throws LitmusFormatException {
    String word = settings.getOrDefault("command", "").split(" ", 2)[0];
    var command = LitmusCommand.byLabel(word);
    if (command.isEmpty()) {
      throw new LitmusFormatException("unknown command `" + word + "`");
    }
    return command.get();
  }

  private static List<Rule> parse(
      List<String> texts, Map<String, Set<Integer>> labels, LitmusCommand command)
      throws LitmusFormatException {
    List<Rule> rules = new ArrayList<>();
    for (String text : texts == null ? List.<String>of() : texts) {
      rules.add(Rule.parse(text, labels, command));
    }
    return rules;
  }

  private static Map<String, Set<Integer>> labels(String text) {
    Map<String, Set<Integer>> labels = new HashMap<>();
    String[] lines = text.split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      Matcher mark = LABELS.matcher(lines[i]);
      if (mark.find()) {
        Matcher label = LABEL.matcher(mark.group(1));
        while (label.find()) {
          labels.computeIfAbsent(label.group(), k -> new TreeSet<>()).add(i + 1);
        }
      }
    }
    return labels;
  }
}
