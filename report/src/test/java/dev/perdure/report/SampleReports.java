package dev.perdure.report;

import dev.perdure.model.code.CallStack;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import dev.perdure.model.config.FramePattern;
import dev.perdure.model.config.Suppression;
import dev.perdure.model.finding.CrashPoint;
import dev.perdure.model.finding.Evidence;
import dev.perdure.model.finding.Example;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import dev.perdure.report.finding.FindingList;
import dev.perdure.report.run.Coverage;
import dev.perdure.report.run.Ending;
import dev.perdure.report.run.RunReport;
import dev.perdure.report.run.RunStats;
import dev.perdure.report.run.TargetOutcome;
import dev.perdure.report.source.SourceExcerpts;
import dev.perdure.report.source.SourceLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Reports made by hand, one for each situation that the formats must render. */
public final class SampleReports {
  public static final String REPRODUCE = "perdure run --seed 7 --pm pool -- ./table pool";
  public static final SourceLines SOURCE =
      new SourceExcerpts(
          Map.of(
              key("src/table.c", 785), "table->buckets = fresh;",
              key("src/table.c", 790), "pm_persist(&table->buckets, sizeof table->buckets);",
              key("src/table.c", 417), "struct bucket *b = &table->buckets[hash(key)];",
              key("src/table.c", 528), "return table->buckets[hash(key)].value;",
              key("src/table.c", 700), "resize(table);",
              key("src/log.c", 31), "log->tail = next;",
              key("src/log.c", 33), "_mm_clwb(&log->tail);",
              key("include/pm.h", 12), "__asm__ volatile(\"clwb %0\" : \"+m\"(*p));",
              key("src/log.c", 40), "flush_line(log);"));

  private SampleReports() {}

  /** Two races on one store, one of them with a lock released too early. */
  public static RunReport racesOnOneStore() {
    return report(List.of(lateRace(), possibleRace()), List.of(), SOURCE);
  }

  /**
   * All kinds of flush findings, a race, a suppressed and a benign finding, an unused suppression.
   */
  public static RunReport manyKinds() {
    return report(
        List.of(
            missingFlush(),
            missingFence(),
            needlessFlush(),
            needlessFence(),
            lateRace(),
            possibleRace()),
        List.of(
            suppression(FindingKind.REDUNDANT_FENCE, "append", "costs nothing here", false),
            suppression(FindingKind.REDUNDANT_FLUSH, "append", "will go with the new log", true),
            suppression(FindingKind.MISSING_FLUSH, "nobody", "old code", false)),
        SOURCE);
  }

  /** Long C++ names, no source, a helper thread that persists, odd characters. */
  public static RunReport longNamesWithoutSource() {
    String load =
        "std::optional<std::pair<std::basic_string<char, std::char_traits<char>, std::allocator<char> > const,"
            + " pm::Value> > pm::ConcurrentHashTable<std::basic_string<char, std::char_traits<char>,"
            + " std::allocator<char> >, pm::Value, pm::Hash<4096ul> >::find(std::basic_string_view<char,"
            + " std::char_traits<char> >, pm::Epoch const&) const";
    var store =
        place(
            frame(
                "(anonymous namespace)::Bucket::operator()(unsigned long)",
                "/build/work/détail/bucket\u001b[31m.hpp",
                91),
            frame(
                "void pm::ConcurrentHashTable<int, pm::Value>::insert(int const&)",
                "/build/work/table.cpp",
                1204));
    var finding =
        new Finding(
            FindingKind.PERSISTENCY_RACE,
            Map.of(
                Role.STORE, store,
                Role.LOAD, place(frame(load, "/build/work/table.cpp", 1310)),
                Role.PERSIST, place(frame("pm::Flusher::drain()", "/build/work/flusher.cpp", 55))),
            Map.of(
                Role.LOAD,
                List.of(place(frame(load, "/build/work/table.cpp", 1310), frame("main", "", 0)))),
            Set.of(Evidence.HAPPENS_BEFORE),
            1,
            "The value stored by Bucket::operator() was read by another thread before it was persisted.",
            Optional.of(
                new Example(
                    0x200000001040L,
                    8,
                    3,
                    1_000,
                    5,
                    4_500_000,
                    false,
                    2,
                    9_000_000,
                    List.of("bucket_lock@0x200000001000"),
                    List.of(),
                    List.of(),
                    false)),
            List.of());
    return report(List.of(finding), List.of(), SourceLines.none());
  }

  /** Recovery that fails after a failure in a helper, which many places call. */
  public static RunReport failedRecovery() {
    var finding =
        new Finding(
            FindingKind.RECOVERY_FAILURE,
            Map.of(),
            Map.of(),
            Set.of(),
            1,
            "after a failure before flush_line (pm.h:12) recovery exits with code 3 on the image 'latest'",
            Optional.empty(),
            List.of(),
            Optional.of(
                new CrashPoint(
                    4,
                    new Place(
                        new Site(List.of(frame("flush_line", "include/pm.h", 12))),
                        new CallStack(
                            List.of(
                                frame("append", "src/log.c", 40),
                                frame("main", "src/main.c", 30)))),
                    "latest",
                    OptionalInt.of(3),
                    OptionalInt.empty(),
                    false)));
    return report(List.of(finding), List.of(), SOURCE);
  }

  /** A target that crashed, with parts that were not seen. */
  public static RunReport crashedTarget() {
    RunReport whole = report(List.of(overwrittenRace()), List.of(), SOURCE);
    return new RunReport(
        whole.version(),
        whole.command(),
        TargetOutcome.signalled(List.of("./table", "pool"), 11),
        false,
        new Coverage(
            "llvm",
            2,
            310,
            4,
            List.of("libx.so: 4 gather in sum+0x12"),
            List.of("/usr/bin/helper (not built with perdure cc)")),
        whole.stats(),
        whole.findings(),
        List.of("the trace was cut at 4G; analysis went on"),
        whole.source());
  }

  /** Nothing found, and nothing could be: no persistent memory was there. */
  public static RunReport nothingMapped() {
    RunReport whole = report(List.of(), List.of(), SOURCE);
    return new RunReport(
        whole.version(),
        "check",
        new TargetOutcome(
            List.of("./table"), OptionalInt.of(3), OptionalInt.empty(), Ending.EXITED),
        true,
        whole.coverage(),
        new RunStats(12, 1, 0, 0.01, 1 << 20, 1),
        List.of(),
        List.of(),
        SourceExcerpts.NONE);
  }

  /** A clean run. */
  public static RunReport clean() {
    return report(List.of(), List.of(), SOURCE);
  }

  public static RunReport report(
      List<Finding> findings, List<Suppression> suppressions, SourceLines source) {
    FindingList list = FindingList.of(findings, suppressions, source, REPRODUCE);
    return new RunReport(
        "0.1.0",
        "run",
        TargetOutcome.exited(List.of("./table", "pool"), 0),
        true,
        new Coverage("llvm", 1, 120, 0, List.of(), List.of()),
        new RunStats(48_213, 3, 1 << 21, 0.42, 96L << 20, 7),
        list.findings(),
        new ArrayList<>(list.unusedNotices()),
        list.source());
  }

  public static Finding lateRace() {
    return new Finding(
        FindingKind.PERSISTENCY_RACE,
        Map.of(
            Role.STORE,
            place(
                frame("resize", "src/table.c", 785),
                frame("put", "src/table.c", 700),
                frame("main", "src/main.c", 20)),
            Role.LOAD,
            place(frame("put", "src/table.c", 417), frame("main", "src/main.c", 24)),
            Role.PERSIST,
            place(frame("resize", "src/table.c", 790))),
        Map.of(),
        Set.of(Evidence.LOCKSET, Evidence.HAPPENS_BEFORE, Evidence.OBSERVED_READ),
        12,
        "put (table.c:417) read what resize (table.c:785) had stored but not yet persisted.",
        Optional.of(
            new Example(
                0x200000000040L,
                8,
                2,
                1_000_000,
                2,
                3_400_000,
                false,
                1,
                2_000_000,
                List.of("table_lock"),
                List.of(),
                List.of("table_lock"),
                false)),
        List.of());
  }

  public static Finding possibleRace() {
    return new Finding(
        FindingKind.PERSISTENCY_RACE,
        Map.of(
            Role.STORE, place(frame("resize", "src/table.c", 785)),
            Role.LOAD, place(frame("get", "src/table.c", 528)),
            Role.PERSIST, place(frame("resize", "src/table.c", 790))),
        Map.of(),
        Set.of(Evidence.LOCKSET),
        1,
        "get (table.c:528) may read what resize (table.c:785) has stored but not yet persisted.",
        Optional.of(
            new Example(
                0x200000000040L,
                8,
                2,
                1_000_000,
                2,
                3_400_000,
                false,
                3,
                8_000_000,
                List.of("table_lock"),
                List.of(),
                List.of("table_lock"),
                true)),
        List.of("This run ordered the pair; another may not."));
  }

  public static Finding overwrittenRace() {
    return new Finding(
        FindingKind.PERSISTENCY_RACE,
        Map.of(
            Role.STORE, place(frame("resize", "src/table.c", 785)),
            Role.LOAD, place(frame("put", "src/table.c", 417))),
        Map.of(),
        Set.of(Evidence.HAPPENS_BEFORE, Evidence.OBSERVED_READ),
        2,
        "put (table.c:417) read what resize (table.c:785) never persisted.",
        Optional.of(
            new Example(
                0x200000000040L,
                8,
                2,
                -1,
                3,
                -1,
                true,
                1,
                -1,
                List.of(),
                List.of(),
                List.of(),
                false)),
        List.of());
  }

  public static Finding missingFlush() {
    return new Finding(
        FindingKind.MISSING_FLUSH,
        Map.of(Role.STORE, place(frame("resize", "src/table.c", 785))),
        Map.of(),
        Set.of(),
        3,
        "The store in resize (table.c:785) was never flushed.",
        Optional.of(
            new Example(
                0x200000000040L,
                8,
                2,
                1_000,
                0,
                -1,
                false,
                0,
                -1,
                List.of(),
                List.of(),
                List.of(),
                false)),
        List.of());
  }

  public static Finding missingFence() {
    return new Finding(
        FindingKind.MISSING_FENCE,
        Map.of(
            Role.STORE, place(frame("append", "src/log.c", 31)),
            Role.PERSIST, place(frame("append", "src/log.c", 33))),
        Map.of(),
        Set.of(),
        1,
        "The store in append (log.c:31) was flushed, but no fence followed.",
        Optional.empty(),
        List.of());
  }

  public static Finding needlessFlush() {
    return new Finding(
        FindingKind.REDUNDANT_FLUSH,
        Map.of(
            Role.PERSIST,
            new Place(
                new Site(
                    List.of(
                        frame("flush_line", "include/pm.h", 12), frame("append", "src/log.c", 40))),
                new CallStack(List.of(frame("main", "src/main.c", 30))))),
        Map.of(),
        Set.of(),
        200,
        "This flush in append (log.c:40) never had anything to write back.",
        Optional.empty(),
        List.of());
  }

  public static Finding needlessFence() {
    return new Finding(
        FindingKind.REDUNDANT_FENCE,
        Map.of(Role.PERSIST, place(frame("append", "src/log.c", 33))),
        Map.of(),
        Set.of(),
        5,
        "This fence in append (log.c:33) never had anything to wait for.",
        Optional.empty(),
        List.of());
  }

  public static Suppression suppression(
      FindingKind kind, String any, String reason, boolean benign) {
    return new Suppression(
        Optional.of(kind),
        Optional.empty(),
        Map.of(),
        Optional.of(FramePattern.parse(any)),
        reason,
        benign,
        "perdure.toml:3");
  }

  public static Place place(Frame site, Frame... callers) {
    return new Place(new Site(List.of(site)), new CallStack(List.of(callers)));
  }

  public static Frame frame(String function, String file, int line) {
    return new Frame(function, file, line);
  }

  private static SourceExcerpts.Key key(String file, int line) {
    return new SourceExcerpts.Key(file, line);
  }
}
