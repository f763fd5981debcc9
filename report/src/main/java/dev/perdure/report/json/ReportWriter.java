package dev.perdure.report.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.perdure.model.code.Frame;
import dev.perdure.model.finding.CrashPoint;
import dev.perdure.model.finding.DurableEffect;
import dev.perdure.model.finding.Evidence;
import dev.perdure.model.finding.Example;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import dev.perdure.report.run.ReportedFinding;
import dev.perdure.report.run.RunReport;
import java.util.List;
import java.util.OptionalInt;

/** A report as a tree of JSON values; keys stand in the order of the published example. */
final class ReportWriter {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final RunReport report;

  ReportWriter(RunReport report) {
    this.report = report;
  }

  ObjectNode tree() {
    ObjectNode root = NODES.objectNode();
    root.put("schema", FindingsJson.SCHEMA);
    root.putObject("tool").put("name", "perdure").put("version", report.version());
    root.put("command", report.command());
    ObjectNode target = root.putObject("target");
    target.set("command", strings(report.target().command()));
    target.set("exit", number(report.target().exit()));
    target.set("signal", number(report.target().signal()));
    target.put("ending", report.target().ending().label());
    root.put("complete", report.complete());
    root.putObject("coverage")
        .put("frontend", report.coverage().frontend())
        .put("modules", report.coverage().modules())
        .put("sites", report.coverage().sites())
        .put("uncovered", report.coverage().uncovered())
        .<ObjectNode>set("gaps", strings(report.coverage().gaps()))
        .set("unfollowed", strings(report.coverage().unfollowed()));
    root.putObject("stats")
        .put("events", report.stats().events())
        .put("threads", report.stats().threads())
        .put("pmBytes", report.stats().pmBytes())
        .put("seconds", report.stats().seconds())
        .put("peakMemoryBytes", report.stats().peakMemoryBytes())
        .put("seed", report.stats().seed());
    root.set("notices", strings(report.notices()));
    root.set("findings", findings());
    return root;
  }

  ArrayNode findings() {
    ArrayNode findings = NODES.arrayNode();
    report.findings().forEach(finding -> findings.add(finding(finding)));
    return findings;
  }

  private ObjectNode finding(ReportedFinding reported) {
    Finding finding = reported.finding();
    ObjectNode node = NODES.objectNode();
    node.put("id", reported.id());
    node.put("kind", finding.kind().label());
    node.put("level", finding.level().label());
    node.set(
        "evidence", strings(finding.evidence().stream().sorted().map(Evidence::label).toList()));
    node.put("message", finding.message());
    for (Role role : Role.values()) {
      node.set(role.label(), finding.place(role).map(this::place).orElse(null));
    }
    node.put("effects", finding.effect().map(DurableEffect::distinct).orElse(0));
    finding.effect().ifPresent(effect -> flow(node.get(Role.EFFECT.label()), effect));
    node.set("failurePoint", finding.crash().map(this::failurePoint).orElse(null));
    finding.crash().ifPresent(crash -> recoveryOutcome(node, crash));
    node.put(
        "recovery",
        finding
            .effect()
            .flatMap(DurableEffect::recovery)
            .map(DurableEffect.Recovery::label)
            .orElse(null));
    node.put("benign", reported.benign().orElse(null));
    node.put("assumes", report.assumed(finding).orElse(null));
    node.put("reproduce", reported.reproduce());
    node.put("count", finding.count());
    node.put("suppressed", reported.suppressed().isPresent());
    node.put("suppressReason", reported.suppressed().orElse(null));
    node.set("notes", strings(finding.notes()));
    node.set("example", finding.example().map(ReportWriter::example).orElse(null));
    ObjectNode others = node.putObject("otherStacks");
    for (Role role : Role.values()) {
      List<Place> places = finding.otherStacks().getOrDefault(role, List.of());
      if (!places.isEmpty()) {
        ArrayNode list = others.putArray(role.label());
        places.forEach(place -> list.add(place(place)));
      }
    }
    return node;
  }

  private ObjectNode failurePoint(CrashPoint crash) {
    ObjectNode node = NODES.objectNode();
    node.put("index", crash.index());
    node.setAll(place(crash.place()));
    node.put("image", crash.image());
    return node;
  }

  private static void recoveryOutcome(ObjectNode node, CrashPoint crash) {
    crash.recoveryExit().ifPresent(code -> node.put("recoveryExit", code));
    crash.recoverySignal().ifPresent(signal -> node.put("recoverySignal", signal));
    if (crash.hang()) {
      node.put("hang", true);
    }
  }

  private static void flow(JsonNode place, DurableEffect effect) {
    if (place instanceof ObjectNode node) {
      node.put("flow", effect.flow().label());
      node.put("address", "0x" + Long.toHexString(effect.address()));
      node.put("length", effect.length());
      node.put("thread", effect.thread());
      node.put("time", effect.time());
    }
  }

  private ObjectNode place(Place place) {
    ObjectNode node = frame(place.frame());
    node.put("inlined", place.site().frames().size() - 1);
    ArrayNode stack = node.putArray("stack");
    place.stack().forEach(frame -> stack.add(frame(frame)));
    return node;
  }

  private ObjectNode frame(Frame frame) {
    ObjectNode node = NODES.objectNode();
    node.put("file", frame.file());
    node.put("line", frame.line());
    node.put("function", frame.function());
    if (!frame.module().isEmpty()) {
      node.put("module", frame.module());
    }
    if (frame.offset() != Frame.NO_OFFSET) {
      node.put("offset", frame.offset());
    }
    report.source().line(frame).ifPresent(text -> node.put("text", text));
    return node;
  }

  private static ObjectNode example(Example example) {
    ObjectNode node = NODES.objectNode();
    node.put("address", "0x" + Long.toHexString(example.address()));
    node.put("size", example.size());
    node.set("store", moment(example.storeThread(), example.storeTime(), example.storeLocks()));
    ObjectNode end = moment(example.endThread(), example.endTime(), example.endLocks());
    node.set("end", end.put("overwritten", example.overwritten()));
    node.set("load", moment(example.loadThread(), example.loadTime(), example.loadLocks()));
    node.put("orderedInThisRun", example.orderedInThisRun());
    return node;
  }

  private static ObjectNode moment(int thread, long time, List<String> locks) {
    ObjectNode node = NODES.objectNode();
    node.put("thread", thread).put("time", time);
    node.set("locks", strings(locks));
    return node;
  }

  private static JsonNode number(OptionalInt number) {
    return number.isPresent() ? NODES.numberNode(number.getAsInt()) : NODES.nullNode();
  }

  private static ArrayNode strings(List<String> strings) {
    ArrayNode array = NODES.arrayNode();
    strings.forEach(array::add);
    return array;
  }
}
