package dev.perdure.robust.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code scanf} and its like write to each of the pointers that they are given. */
final class ScanFormat {
  private static final Pattern CONVERSION =
      Pattern.compile("%(?:%|(\\*?)(\\d*)m?[hlLjzt]*(\\[\\^?\\]?[^\\]]*\\]|[a-zA-Z]))");

  /** A number lies in one cache line. */
  private static final Extent NUMBER = Extent.of(Long.BYTES, Long.BYTES);

  private final List<Extent> written = new ArrayList<>();

  /**
   * @param format empty if it is known only when the program runs
   */
  ScanFormat(Optional<String> format) {
    Matcher conversion = CONVERSION.matcher(format.orElse(""));
    while (conversion.find()) {
      if (conversion.group(3) != null && conversion.group(1).isEmpty()) {
        written.add(extent(conversion.group(3).charAt(0), conversion.group(2)));
      }
    }
  }

  Extent extent(int pointer) {
    return pointer < written.size() ? written.get(pointer) : NUMBER;
  }

  private static Extent extent(char kind, String width) {
    return switch (kind) {
      case 's', '[' -> Extent.STRING;
      case 'c' -> Extent.of(width.isEmpty() ? 1 : Long.parseLong(width));
      default -> NUMBER;
    };
  }
}
