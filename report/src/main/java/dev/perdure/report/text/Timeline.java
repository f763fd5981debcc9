package dev.perdure.report.text;

import dev.perdure.model.code.Frame;
import dev.perdure.model.finding.DurableEffect;
import dev.perdure.model.finding.Evidence;
import dev.perdure.model.finding.Example;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import dev.perdure.report.source.SourceExcerpts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What happened, downwards in time: the writing thread on the left, the reading one on the right.
 * Findings of one thread have the left column only.
 */
final class Timeline {
  private static final int INDENT = 2;

  private final Finding finding;
  private final SourceExcerpts source;
  private final TerminalStyle style;
  private final boolean twoThreads;
  private final int column;

  /** One thing that happened; the position orders the moments. */
  private record Moment(double position, boolean right, List<String> lines) {}

  Timeline(Finding finding, SourceExcerpts source, TerminalStyle style) {
    this.finding = finding;
    this.source = source;
    this.style = style;
    this.twoThreads =
        finding.place(Role.LOAD).isPresent()
            && finding.kind() != FindingKind.INTRA_THREAD_INCONSISTENCY;
    this.column = twoThreads ? (style.width() - INDENT - 3) / 2 : style.width() - INDENT;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (twoThreads) {
      lines.add(
          row(
              heading("writer", finding.example().map(Example::storeThread).orElse(0)),
              heading("reader", finding.example().map(Example::loadThread).orElse(0))));
      lines.add(
          " ".repeat(INDENT)
              + style.horizontal().repeat(column + 1)
              + style.cross()
              + style.horizontal().repeat(style.width() - INDENT - column - 2));
    }
    for (Moment moment : moments()) {
      for (String line : moment.lines()) {
        lines.add(moment.right() ? row("", line) : row(line, ""));
      }
    }
    return lines.stream().map(String::stripTrailing).toList();
  }

  private String row(String left, String right) {
    String start = " ".repeat(INDENT) + TextLayout.pad(left, column);
    return twoThreads ? start + " " + style.vertical() + " " + right : start;
  }

  private List<Moment> moments() {
    Order order = Order.of(finding);
    Optional<Example> example = finding.example();
    List<Moment> moments = new ArrayList<>();
    finding
        .place(Role.STORE)
        .map(p -> cell("store", Role.STORE, p, example.map(Example::storeLocks)))
        .ifPresent(cell -> moments.add(new Moment(order.store(), false, cell)));
    example
        .map(Advice::droppedLocks)
        .filter(locks -> !locks.isEmpty() && order.load() > order.store())
        .map(locks -> List.of(fit("release " + String.join(", ", locks))))
        .ifPresent(cell -> moments.add(new Moment(Math.nextUp(order.store()), false, cell)));
    finding
        .place(Role.LOAD)
        .map(p -> cell("load", Role.LOAD, p, example.map(Example::loadLocks)))
        .ifPresent(cell -> moments.add(new Moment(order.load(), twoThreads, cell)));
    finding
        .place(Role.EFFECT)
        .map(p -> cell(effectVerb(), Role.EFFECT, p, Optional.empty()))
        .ifPresent(cell -> moments.add(new Moment(Math.nextUp(order.load()), twoThreads, cell)));
    end().ifPresent(cell -> moments.add(new Moment(order.end(), false, cell)));
    moments.sort(Comparator.comparingDouble(Moment::position));
    return moments;
  }

  /** The order of the three moments: by their times, or as the evidence tells where these lack. */
  private record Order(double store, double load, double end) {
    static Order of(Finding finding) {
      boolean never =
          finding.example().map(e -> e.endThread() == 0 && !e.overwritten()).orElse(false);
      Optional<Example> timed =
          finding
              .example()
              .filter(e -> e.storeTime() >= 0 && e.loadTime() >= 0)
              .filter(e -> never || e.endTime() >= 0);
      boolean observed = finding.evidence().contains(Evidence.OBSERVED_READ);
      double end = never ? Double.MAX_VALUE : timed.map(Example::endTime).orElse(2L);
      return new Order(
          timed.map(Example::storeTime).orElse(0L),
          timed.map(Example::loadTime).orElse(observed ? 1L : 3L),
          end);
    }
  }

  private Optional<List<String>> end() {
    Optional<Example> example = finding.example();
    boolean overwritten = example.map(Example::overwritten).orElse(false);
    boolean never = example.map(e -> e.endThread() == 0).orElse(false) && !overwritten;
    String other =
        example
            .filter(e -> e.endThread() != 0 && e.endThread() != e.storeThread())
            .filter(e -> e.storeThread() != 0)
            .map(e -> " by thread " + e.endThread())
            .orElse("");
    String verb = (overwritten ? "overwritten" : endVerb()) + other;
    Optional<Place> persist = finding.place(Role.PERSIST);
    if (persist.isPresent()) {
      return Optional.of(cell(verb, Role.PERSIST, persist.get(), example.map(Example::endLocks)));
    }
    return example.map(e -> List.of(fit(never ? "(never persisted)" : verb)));
  }

  private String effectVerb() {
    if (finding.kind() == FindingKind.TARGET_FAILURE) {
      return "ended in a call";
    }
    return switch (finding.effect().map(DurableEffect::flow).orElse(DurableEffect.Flow.CONTENT)) {
      case CONTENT -> "store of what depends on it";
      case ADDRESS -> "store to where it leads";
      case FILE -> "output of what depends on it";
    };
  }

  private String endVerb() {
    return switch (finding.kind()) {
      case MISSING_FENCE -> "flush";
      case REDUNDANT_FLUSH -> "needless flush";
      case REDUNDANT_FENCE -> "needless fence";
      case REDUNDANT_LOG -> "needless log entry";
      default -> "persist";
    };
  }

  private List<String> cell(String verb, Role role, Place place, Optional<List<String>> locks) {
    Frame frame = FrameText.shown(finding, role).orElse(place.frame());
    List<String> lines = new ArrayList<>();
    lines.add(fit((verb + "  " + FrameText.placeAndFunction(frame)).stripTrailing()));
    source.line(frame).ifPresent(text -> lines.add(fit("    " + text)));
    FrameText.caller(place)
        .filter(caller -> frame.equals(place.frame()))
        .ifPresent(caller -> lines.add(fit("    called at " + FrameText.place(caller))));
    locks
        .filter(held -> !held.isEmpty())
        .ifPresent(held -> lines.add(fit("    holding " + String.join(", ", held))));
    return lines;
  }

  private String fit(String text) {
    return TextLayout.cut(style.safe(text), column, style);
  }

  private static String heading(String role, int thread) {
    return thread == 0 ? role : role + " (thread " + thread + ")";
  }
}
