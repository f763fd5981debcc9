package dev.perdure.report.text;

import dev.perdure.model.code.Frame;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How code places are named in a report. */
final class FrameText {
  private static final Pattern HEADER = Pattern.compile(".+\\.(h|hh|hpp|hxx|inl|ipp)|[a-z_]+");

  private FrameText() {}

  /** {@code table.c:785}, or what is known of it. */
  static String place(Frame frame) {
    if (frame.file().isEmpty()) {
      return frame.function().isEmpty() ? "an unknown place" : frame.functionAndOffset();
    }
    return frame.line() > 0 ? frame.fileName() + ":" + frame.line() : frame.fileName();
  }

  /** {@code table.c:785 resize}; without lines {@code resize+0x12 libtable.so}. */
  static String placeAndFunction(Frame frame) {
    return place(frame) + "  " + (frame.file().isEmpty() ? frame.module() : shortFunction(frame));
  }

  /** The frame that a reader of the report looks for in a role that the finding has. */
  static Optional<Frame> shown(Finding finding, Role role) {
    Optional<Place> place = finding.place(role);
    return role == Role.PERSIST
        ? place.map(p -> besideStore(finding, p).orElse(shown(role, p)))
        : place.map(p -> shown(role, p));
  }

  /**
   * A header that the store stands in as well is no collection of helpers but the program itself:
   * then it is the line of the function that led to both.
   */
  private static Optional<Frame> besideStore(Finding finding, Place persist) {
    Frame own = persist.frame();
    Optional<Place> store =
        finding.place(Role.STORE).filter(s -> s.ownFrame().file().equals(own.file()));
    if (store.isEmpty() || !isHeader(own)) {
      return Optional.empty();
    }
    Set<String> functions = frames(store.get()).map(Frame::function).collect(Collectors.toSet());
    Optional<Frame> common =
        frames(persist)
            .filter(f -> f.file().equals(own.file()) && functions.contains(f.function()))
            .findFirst();
    return common.or(() -> Optional.of(own));
  }

  private static Stream<Frame> frames(Place place) {
    return Stream.concat(Stream.of(place.frame()), place.stack().stream());
  }

  /**
   * The same for the place by itself. A persist in a header is usually a shared helper, and an
   * access in a system header an intrinsic: then it is the line that uses it. So it is where a
   * library was called whose inside is folded.
   */
  static Frame shown(Role role, Place place) {
    Frame own = place.frame();
    if (LibraryFrames.isFolded(own)) {
      return place.stack().stream().filter(f -> !LibraryFrames.isFolded(f)).findFirst().orElse(own);
    }
    return role == Role.PERSIST ? caller(place).orElse(own) : place.ownFrame();
  }

  /** The nearest frame in another file, where the access itself stands in a header. */
  static Optional<Frame> caller(Place place) {
    return isHeader(place.frame())
        ? place.stack().stream()
            .filter(f -> !f.file().isEmpty() && !f.file().equals(place.frame().file()))
            .findFirst()
        : Optional.empty();
  }

  private static boolean isHeader(Frame frame) {
    return HEADER.matcher(frame.fileName()).matches();
  }

  /** The name of the function without template arguments, parameters and return type. */
  static String shortFunction(Frame frame) {
    String name = frame.function().replace("(anonymous namespace)::", "");
    if (name.isEmpty()) {
      return "?";
    }
    int operator = name.indexOf("operator");
    if (operator >= 0) {
      int parameters = name.indexOf('(', operator + "operator(".length());
      return bare(name.substring(0, operator))
          + name.substring(operator, parameters < 0 ? name.length() : parameters);
    }
    return bare(name);
  }

  private static String bare(String name) {
    var kept = new StringBuilder();
    int depth = 0;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '(' && depth == 0) {
        break;
      }
      depth += c == '<' || c == '(' ? 1 : 0;
      if (depth == 0) {
        kept.append(c);
      }
      depth -= c == '>' || c == ')' ? 1 : 0;
    }
    return kept.substring(kept.lastIndexOf(" ") + 1);
  }
}
