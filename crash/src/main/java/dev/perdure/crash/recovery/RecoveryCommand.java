package dev.perdure.crash.recovery;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What to run after a failure.
 *
 * @param words the program and its arguments
 * @param limitMillis after that time it is killed
 */
public record RecoveryCommand(List<String> words, long limitMillis) implements Serializable {
  private static final String SHELL_ONLY = "|&;<>()$`\n*?[#~!{}=";

  public RecoveryCommand {
    words = List.copyOf(words);
  }

  /**
   * Reads a command line. Words and quotes are understood here; anything that needs a shell is
   * given to one.
   *
   * @param pools the paths that {@code {pm}}, {@code {pm2}} and so on stand for
   */
  public static RecoveryCommand parse(String line, List<String> pools, long limitMillis) {
    List<String> words = new ArrayList<>();
    boolean plain = split(line, words);
    List<String> command =
        plain
            ? words.stream().map(w -> substitute(w, pools, false)).toList()
            : List.of("/bin/sh", "-c", substitute(line, pools, true));
    return new RecoveryCommand(command, limitMillis);
  }

  private static String substitute(String text, List<String> pools, boolean forShell) {
    String result = text;
    for (int i = 0; i < pools.size(); i++) {
      String pool = forShell ? "'" + pools.get(i).replace("'", "'\\''") + "'" : pools.get(i);
      result = result.replace("{pm" + (i + 1) + "}", pool);
      result = i == 0 ? result.replace("{pm}", pool) : result;
    }
    return result;
  }

  /** Splits into words; false where a shell would see more than words. */
  private static boolean split(String line, List<String> words) {
    String rest = line.replaceAll("\\{pm\\d*}", "\u0001$0\u0001");
    StringBuilder word = null;
    char quote = 0;
    boolean placeholder = false;
    for (int i = 0; i < rest.length(); i++) {
      char c = rest.charAt(i);
      if (c == '\u0001') {
        placeholder = !placeholder;
        word = word == null ? new StringBuilder() : word;
      } else if (placeholder) {
        word.append(c);
      } else if (quote != 0 && c == quote) {
        quote = 0;
      } else if (quote == '\'' || quote == '"' && "$`\\".indexOf(c) < 0) {
        word.append(c);
      } else if (quote == 0 && (c == '\'' || c == '"')) {
        quote = c;
        word = word == null ? new StringBuilder() : word;
      } else if (quote == 0 && Character.isWhitespace(c) && c != '\n') {
        if (word != null) {
          words.add(word.toString());
        }
        word = null;
      } else if (quote != 0 || c == '\\' || SHELL_ONLY.indexOf(c) >= 0) {
        return false;
      } else {
        word = word == null ? new StringBuilder() : word;
        word.append(c);
      }
    }
    if (word != null) {
      words.add(word.toString());
    }
    return quote == 0 && !words.isEmpty();
  }
}
