package dev.perdure.report.text;

import dev.perdure.model.code.Frame;
import dev.perdure.model.code.TemplateArguments;
import dev.perdure.model.finding.CrashPoint;
import dev.perdure.model.finding.Evidence;
import dev.perdure.model.finding.Example;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Level;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import dev.perdure.report.run.ReportedFinding;
import dev.perdure.report.source.SourceExcerpts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The text of one finding. */
final class FindingBlock {
  private static final int LABEL = 11;
  private static final int MOST_FRAMES = 12;

  private final ReportedFinding reported;
  private final Finding finding;
  private final SourceExcerpts source;
  private final TerminalStyle style;
  private final List<String> lines = new ArrayList<>();

  FindingBlock(ReportedFinding reported, SourceExcerpts source, TerminalStyle style) {
    this.reported = reported;
    this.finding = reported.finding();
    this.source = source;
    this.style = style;
  }

  /** The lines; {@code lessons} says whether to explain why it matters and how to repair it. */
  List<String> lines(boolean lessons) {
    headline();
    TextLayout.wrap(style.safe(TemplateArguments.shortened(finding.message())), style.width() - 2)
        .forEach(line -> lines.add("  " + line));
    lines.add("");
    List<String> timeline = new Timeline(finding, source, style).lines();
    if (!timeline.isEmpty()) {
      lines.addAll(timeline);
      lines.add("");
    }
    reported.benign().ifPresent(reason -> labelled("benign", reason));
    window();
    finding.crash().ifPresent(crash -> labelled("failure", failure(crash)));
    evidence();
    finding.notes().forEach(note -> labelled("note", note));
    if (lessons) {
      labelled("why", Advice.why(finding));
    }
    stacks();
    if (lessons && !Advice.fix(finding).isEmpty()) {
      labelled("fix", Advice.fix(finding));
    }
    if (!reported.reproduce().isEmpty()) {
      labelled("reproduce", reported.reproduce());
    }
    return lines;
  }

  private void headline() {
    String left = finding.kind().label() + "  " + finding.level().label() + "  " + reported.id();
    String right = finding.count() > 1 ? "seen " + finding.count() + " times" : "";
    String painted =
        style.strong(finding.kind().label())
            + "  "
            + paint(finding.level())
            + "  "
            + style.strong(reported.id());
    int gap = Math.max(2, style.width() - left.length() - right.length());
    lines.add(right.isEmpty() ? painted : painted + " ".repeat(gap) + style.faint(right));
  }

  private String paint(Level level) {
    return level == Level.POSSIBLE ? style.warning(level.label()) : style.alarm(level.label());
  }

  private void window() {
    if (finding.example().isEmpty() || finding.place(Role.STORE).isEmpty()) {
      return;
    }
    Example example = finding.example().get();
    var text = new StringBuilder();
    if (example.size() > 0) {
      text.append(example.size()).append(example.size() == 1 ? " byte" : " bytes");
      text.append(" at 0x").append(Long.toHexString(example.address())).append(": ");
    }
    text.append("opened by ").append(place(Role.STORE).orElse("")).append(", ");
    if (example.overwritten()) {
      text.append("ended by a store that overwrote it");
    } else if (example.endThread() == 0) {
      text.append("never closed: not persistent when the run ended");
    } else {
      String fence = "a fence of thread " + example.endThread();
      text.append("closed by ").append(place(Role.PERSIST).orElse(fence));
    }
    if (example.endTime() >= 0 && example.storeTime() >= 0) {
      text.append(", ").append(duration(example.endTime() - example.storeTime())).append(" later");
    }
    labelled("window", text.toString());
  }

  private String failure(CrashPoint crash) {
    var text = new StringBuilder("point " + crash.index());
    Frame place = crash.place().frame();
    if (!place.file().isEmpty()) {
      text.append(", before ").append(frame(place));
    } else if (!place.function().isEmpty()) {
      text.append(CrashPoint.isBefore(crash.place()) ? ", before " : ", ").append(place.function());
    }
    text.append("; image ").append(crash.image());
    crash
        .recoveryExit()
        .ifPresent(code -> text.append("; recovery exited with code ").append(code));
    crash.recoverySignal().ifPresent(s -> text.append("; recovery was ended by signal ").append(s));
    return text.append(crash.hang() ? "; recovery did not end" : "").toString();
  }

  private Optional<String> place(Role role) {
    return FrameText.shown(finding, role).map(FrameText::place);
  }

  private void evidence() {
    List<Evidence> evidence = finding.evidence().stream().sorted().toList();
    for (int i = 0; i < evidence.size(); i++) {
      String text = TextLayout.pad(evidence.get(i).label(), 16) + Advice.evidence(evidence.get(i));
      hanging(i == 0 ? "evidence" : "", text, 16);
    }
    if (finding.kind() == FindingKind.PERSISTENCY_RACE
        && finding.notes().isEmpty()
        && finding.example().map(Example::orderedInThisRun).orElse(false)) {
      labelled("note", "This run happened to order the pair; another run may not.");
    }
  }

  private void stacks() {
    boolean first = true;
    for (Role role : Role.values()) {
      if (finding.place(role).isPresent()) {
        int further = finding.otherStacks().getOrDefault(role, List.of()).size();
        stack(first ? "stacks" : "", role.label(), finding.places().get(role), further);
        first = false;
      }
    }
    Optional<Place> failure = finding.crash().map(CrashPoint::place);
    if (failure.isPresent() && !failure.get().stack().isEmpty()) {
      stack(first ? "stacks" : "", "failure", failure.get(), 0);
    }
  }

  private void stack(String label, String name, Place place, int further) {
    List<Frame> frames = new ArrayList<>(place.site().frames());
    frames.addAll(place.callers().frames());
    int shown = Math.min(frames.size(), MOST_FRAMES);
    for (int i = 0; i < shown; i++) {
      hanging(
          i == 0 ? label : "", TextLayout.pad(i == 0 ? name : "", 9) + frame(frames.get(i)), 11);
    }
    String more =
        (frames.size() > shown ? "and " + (frames.size() - shown) + " more frames" : "")
            + (frames.size() > shown && further > 0 ? "; " : "")
            + (further > 0
                ? "and " + further + " other call " + (further == 1 ? "stack" : "stacks")
                : "");
    if (!more.isEmpty()) {
      hanging("", " ".repeat(9) + more, 11);
    }
  }

  private String frame(Frame frame) {
    String function =
        frame.function().isEmpty() ? "?" : TemplateArguments.shortened(frame.functionAndOffset());
    String where = frame.file().isEmpty() ? frame.module() : FrameText.place(frame);
    return where.isEmpty() || function.startsWith(where + "+")
        ? function
        : function + " (" + where + ")";
  }

  private void labelled(String label, String text) {
    hanging(label, text, 0);
  }

  /** A label and a text whose further lines stand below the given column of the first. */
  private void hanging(String label, String text, int column) {
    String safe = style.safe(text);
    int width = style.width() - 2 - LABEL;
    String head = safe.substring(0, Math.min(column, safe.length()));
    List<String> wrapped = TextLayout.wrap(safe.substring(head.length()), width - column);
    for (int i = 0; i < wrapped.size(); i++) {
      String start =
          "  "
              + (i == 0
                  ? style.label(label) + " ".repeat(LABEL - label.length()) + head
                  : " ".repeat(LABEL + column));
      lines.add((start + wrapped.get(i)).stripTrailing());
    }
  }

  private static String duration(long nanoseconds) {
    if (nanoseconds < 10_000) {
      return nanoseconds + " ns";
    }
    return nanoseconds < 1_000_000
        ? String.format(Locale.ROOT, "%.1f us", nanoseconds / 1e3)
        : String.format(Locale.ROOT, "%.1f ms", nanoseconds / 1e6);
  }
}
