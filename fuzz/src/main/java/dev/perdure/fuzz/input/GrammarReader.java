package dev.perdure.fuzz.input;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a grammar file. A line is one of
 *
 * <pre>
 *   # a comment
 *   KEY = 0..255               a range of numbers
 *   MODE = fast | safe         some words
 *   insert put {KEY} {VALUE}   an operation that adds something
 *   op get {KEY}               any other
 *   separator \r\n             what stands behind each operation; \n unless said
 * </pre>
 */
public final class GrammarReader {
  private static final Pattern TYPE = Pattern.compile("([A-Za-z_]\\w*)\\s*=\\s*(.+)");
  private static final Pattern RANGE = Pattern.compile("(-?\\d{1,18})\\s*\\.\\.\\s*(-?\\d{1,18})");
  private static final Pattern NEARLY_RANGE =
      Pattern.compile(
          "-?\\d*\\s*\\.\\.\\s*-?\\d*|-?\\d+\\s*\\.\\.\\s*[^\\s|]*|[^\\s|]*\\s*\\.\\.\\s*-?\\d+");
  private static final Pattern PLACE = Pattern.compile("\\{(\\w+)\\}");
  private static final Pattern OPEN_PLACE = Pattern.compile("\\{\\w+(?=\\s|$)");

  private final Path file;
  private final Map<String, ArgumentType> types = new HashMap<>();
  private final List<OperationType> operations = new ArrayList<>();
  private String separator = "\n";

  private GrammarReader(Path file) {
    this.file = file;
  }

  public static Grammar read(Path file) throws GrammarException {
    List<String> lines;
    try {
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new GrammarException(file + ": there is no such file");
    } catch (CharacterCodingException e) {
      throw new GrammarException(file + ": is no text in UTF-8");
    } catch (IOException e) {
      throw new GrammarException(file + ": cannot be read (" + e.getMessage() + ")");
    }
    GrammarReader reader = new GrammarReader(file);
    for (int i = 0; i < lines.size(); i++) {
      reader.line(lines.get(i).strip(), i + 1);
    }
    if (reader.operations.isEmpty()) {
      throw new GrammarException(file + ": has no operation; add a line such as 'op get {KEY}'");
    }
    return new Grammar(reader.operations, reader.separator);
  }

  private void line(String line, int number) throws GrammarException {
    if (line.isEmpty() || line.startsWith("#")) {
      return;
    }
    String[] words = line.split("\\s+", 2);
    String rest = words.length > 1 ? unescaped(words[1]) : "";
    Matcher type = TYPE.matcher(line);
    switch (words[0]) {
      case "op", "insert" -> operation(rest, words[0].equals("insert"), number);
      case "separator" -> separator = rest;
      default -> {
        if (!type.matches()) {
          throw wrong(number, "expected 'op …', 'insert …', 'separator …' or 'NAME = …'");
        }
        String name = type.group(1);
        if (types.put(name, type(name, type.group(2), number)) != null) {
          throw wrong(number, name + " is defined already; give this one another name");
        }
      }
    }
  }

  private ArgumentType type(String name, String values, int number) throws GrammarException {
    Matcher range = RANGE.matcher(values);
    if (range.matches()) {
      long least = Long.parseLong(range.group(1));
      long most = Long.parseLong(range.group(2));
      if (least > most) {
        throw wrong(number, "the range is empty; write the smaller number first");
      }
      return ArgumentType.range(name, least, most);
    }
    if (NEARLY_RANGE.matcher(values).matches()) {
      throw wrong(number, "'" + values + "' is no range; write one as 0..255");
    }
    return ArgumentType.choice(name, List.of(values.split("\\s*\\|\\s*")));
  }

  private void operation(String text, boolean inserts, int number) throws GrammarException {
    List<String> texts = new ArrayList<>();
    List<ArgumentType> arguments = new ArrayList<>();
    Matcher place = PLACE.matcher(text);
    int from = 0;
    while (place.find()) {
      ArgumentType type = types.get(place.group(1));
      if (type == null) {
        throw wrong(
            number,
            "{%s} is not defined; add a line '%s = 0..255' above"
                .formatted(place.group(1), place.group(1)));
      }
      texts.add(text.substring(from, place.start()));
      arguments.add(type);
      from = place.end();
    }
    texts.add(text.substring(from));
    Matcher open = OPEN_PLACE.matcher(text);
    if (open.find()) {
      throw wrong(number, open.group() + " is not closed; write " + open.group() + "}");
    }
    if (text.isEmpty()) {
      throw wrong(number, "an operation needs a text");
    }
    operations.add(new OperationType(texts, arguments, inserts));
  }

  private static String unescaped(String text) {
    return text.replace("\\r", "\r").replace("\\n", "\n").replace("\\t", "\t");
  }

  private GrammarException wrong(int number, String what) {
    return new GrammarException(file + ":" + number + ": " + what);
  }
}
