package dev.perdure.report.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.perdure.model.code.CallStack;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import dev.perdure.model.finding.CrashPoint;
import dev.perdure.model.finding.DurableEffect;
import dev.perdure.model.finding.Evidence;
import dev.perdure.model.finding.Example;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import dev.perdure.report.run.Coverage;
import dev.perdure.report.run.Ending;
import dev.perdure.report.run.ReportedFinding;
import dev.perdure.report.run.RunReport;
import dev.perdure.report.run.RunStats;
import dev.perdure.report.run.TargetOutcome;
import dev.perdure.report.source.SourceExcerpts;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** From a tree of JSON values back to a report; the inverse of {@link ReportWriter}. */
final class ReportReader {
  private final String name;
  private final Map<SourceExcerpts.Key, String> source = new HashMap<>();

  ReportReader(String name) {
    this.name = name;
  }

  RunReport read(JsonNode root) throws FindingsFormatException {
    if (!root.path("findings").isArray()) {
      throw new FindingsFormatException(name + ": the list 'findings' is missing");
    }
    List<ReportedFinding> findings = new ArrayList<>();
    for (JsonNode node : root.path("findings")) {
      findings.add(finding(node, findings.size()));
    }
    JsonNode coverage = root.path("coverage");
    JsonNode stats = root.path("stats");
    return new RunReport(
        root.path("tool").path("version").asText(""),
        root.path("command").asText(""),
        target(root.path("target")),
        root.path("complete").asBoolean(true),
        new Coverage(
            coverage.path("frontend").asText(""),
            coverage.path("modules").asInt(),
            coverage.path("sites").asLong(),
            coverage.path("uncovered").asLong(),
            strings(coverage.path("gaps")),
            strings(coverage.path("unfollowed"))),
        new RunStats(
            stats.path("events").asLong(),
            stats.path("threads").asInt(),
            stats.path("pmBytes").asLong(),
            stats.path("seconds").asDouble(),
            stats.path("peakMemoryBytes").asLong(),
            stats.path("seed").asLong()),
        findings,
        strings(root.path("notices")),
        new SourceExcerpts(source));
  }

  private static TargetOutcome target(JsonNode node) {
    OptionalInt exit = number(node.path("exit"));
    OptionalInt signal = number(node.path("signal"));
    Ending implied =
        signal.isPresent() ? Ending.SIGNALLED : exit.isPresent() ? Ending.EXITED : Ending.UNKNOWN;
    return new TargetOutcome(
        strings(node.path("command")),
        exit,
        signal,
        Ending.byLabel(node.path("ending").asText()).orElse(implied));
  }

  private ReportedFinding finding(JsonNode node, int index) throws FindingsFormatException {
    String kind = node.path("kind").asText();
    Optional<FindingKind> known = FindingKind.byLabel(kind);
    if (known.isEmpty()) {
      throw new FindingsFormatException(
          "%s: finding %d has the unknown kind '%s'".formatted(name, index, kind));
    }
    Map<Role, Place> places = new EnumMap<>(Role.class);
    Map<Role, List<Place>> others = new EnumMap<>(Role.class);
    for (Role role : Role.values()) {
      if (node.path(role.label()).isObject()) {
        places.put(role, place(node.path(role.label())));
      }
      List<Place> further = new ArrayList<>();
      node.path("otherStacks").path(role.label()).forEach(other -> further.add(place(other)));
      if (!further.isEmpty()) {
        others.put(role, further);
      }
    }
    var finding =
        new Finding(
            known.get(),
            places,
            others,
            evidence(node.path("evidence"), index),
            node.path("count").asLong(1),
            node.path("message").asText(""),
            node.path("example").isObject()
                ? Optional.of(example(node.path("example")))
                : Optional.empty(),
            strings(node.path("notes")),
            node.path("failurePoint").isObject() ? Optional.of(crash(node)) : Optional.empty(),
            effect(node));
    Optional<String> suppressed =
        node.path("suppressed").asBoolean()
            ? Optional.of(text(node.path("suppressReason")).orElse(""))
            : Optional.empty();
    return new ReportedFinding(
        node.path("id").asText(""),
        finding,
        suppressed,
        text(node.path("benign")),
        node.path("reproduce").asText(""));
  }

  private static Optional<DurableEffect> effect(JsonNode finding) {
    JsonNode node = finding.path(Role.EFFECT.label());
    return DurableEffect.Flow.byLabel(node.path("flow").asText())
        .map(
            flow ->
                new DurableEffect(
                    flow,
                    address(node.path("address").asText("0x0")),
                    node.path("length").asLong(),
                    node.path("thread").asInt(),
                    node.path("time").asLong(-1),
                    finding.path("effects").asInt(1),
                    DurableEffect.Recovery.byLabel(finding.path("recovery").asText())));
  }

  private Set<Evidence> evidence(JsonNode list, int index) throws FindingsFormatException {
    Set<Evidence> evidence = EnumSet.noneOf(Evidence.class);
    for (String label : strings(list)) {
      Optional<Evidence> known = Evidence.byLabel(label);
      if (known.isEmpty()) {
        throw new FindingsFormatException(
            "%s: finding %d has the unknown evidence '%s'".formatted(name, index, label));
      }
      evidence.add(known.get());
    }
    return evidence;
  }

  private CrashPoint crash(JsonNode node) {
    JsonNode point = node.path("failurePoint");
    return new CrashPoint(
        point.path("index").asInt(),
        place(point),
        point.path("image").asText(""),
        number(node.path("recoveryExit")),
        number(node.path("recoverySignal")),
        node.path("hang").asBoolean());
  }

  private Place place(JsonNode node) {
    List<Frame> stack = new ArrayList<>();
    node.path("stack").forEach(frame -> stack.add(frame(frame)));
    int inlined = Math.max(0, Math.min(node.path("inlined").asInt(), stack.size()));
    List<Frame> site = new ArrayList<>(List.of(frame(node)));
    site.addAll(stack.subList(0, inlined));
    return new Place(new Site(site), new CallStack(stack.subList(inlined, stack.size())));
  }

  private Frame frame(JsonNode node) {
    var frame =
        new Frame(
            node.path("function").asText(""),
            node.path("file").asText(""),
            node.path("line").asInt(),
            node.path("module").asText(""),
            node.path("offset").asLong(Frame.NO_OFFSET));
    text(node.path("text"))
        .ifPresent(text -> source.put(new SourceExcerpts.Key(frame.file(), frame.line()), text));
    return frame;
  }

  private static Example example(JsonNode node) {
    JsonNode store = node.path("store");
    JsonNode end = node.path("end");
    JsonNode load = node.path("load");
    return new Example(
        address(node.path("address").asText("0x0")),
        node.path("size").asInt(),
        store.path("thread").asInt(),
        store.path("time").asLong(-1),
        end.path("thread").asInt(),
        end.path("time").asLong(-1),
        end.path("overwritten").asBoolean(),
        load.path("thread").asInt(),
        load.path("time").asLong(-1),
        strings(store.path("locks")),
        strings(end.path("locks")),
        strings(load.path("locks")),
        node.path("orderedInThisRun").asBoolean());
  }

  private static long address(String text) {
    return text.matches("0x[0-9a-fA-F]{1,16}") ? Long.parseUnsignedLong(text.substring(2), 16) : 0;
  }

  private static Optional<String> text(JsonNode node) {
    return node.isTextual() ? Optional.of(node.textValue()) : Optional.empty();
  }

  private static OptionalInt number(JsonNode node) {
    return node.isIntegralNumber() ? OptionalInt.of(node.intValue()) : OptionalInt.empty();
  }

  private static List<String> strings(JsonNode list) {
    List<String> strings = new ArrayList<>();
    list.forEach(element -> strings.add(element.asText()));
    return strings;
  }
}
