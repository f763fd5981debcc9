package dev.perdure.binary.plan;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.Operation;
import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.elf.ElfSection;
import dev.perdure.binary.flow.Callees;
import dev.perdure.binary.flow.FrameLayout;
import dev.perdure.binary.flow.FrameRow;
import dev.perdure.binary.flow.Function;
import dev.perdure.binary.flow.JumpTargets;
import dev.perdure.binary.flow.ModuleCode;
import dev.perdure.binary.region.Announcement;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Makes the plan of a module. */
public final class Planner {
  private static final int CACHE_LINE_PART = 16;

  private record Copied(Function function, SiteKind[] kinds) {}

  private final ModuleCode module;
  private final TextBytes text;
  private final Assembler out = new Assembler();
  private final CopiedCode copied = new CopiedCode();
  private final IntArrayList sites = new IntArrayList();
  private final List<ElfSection> variables;
  private final List<FrameRow> frames;
  private final TreeMap<Long, FrameRow> frameAt = new TreeMap<>();
  private final List<Copied> functions = new ArrayList<>();
  private final JumpTargets targets;
  private final Callees callees;
  private final Set<Long> followedCalls = new HashSet<>();
  private final Map<String, Integer> coverage = new TreeMap<>();
  private final List<Gap> gaps = new ArrayList<>();

  private final Map<Long, NamedFunction> named;
  private final Loads loads;
  private final Map<Long, List<Announcement>> announced;

  private Planner(
      ModuleCode module,
      TextBytes text,
      Map<Long, NamedFunction> named,
      Loads loads,
      Map<Long, List<Announcement>> announced)
      throws IOException {
    this.targets = JumpTargets.of(module);
    this.callees = new Callees(module);
    this.loads = loads;
    this.announced = announced;
    this.module = module;
    this.text = text;
    this.named = named;
    this.frames = FrameLayout.of(module.unwind());
    this.frames.forEach(row -> frameAt.put(row.address(), row));
    this.variables = module.sections().stream().filter(Planner::holdsVariables).toList();
  }

  /**
   * Plans a module.
   *
   * @param named functions that the configuration names, by their addresses
   * @param announced regions that are announced, by the functions that they start in
   * @param id what names its sites in a recording
   */
  static Plan plan(
      ElfFile elf,
      ModuleCode module,
      Map<Long, NamedFunction> named,
      Loads loads,
      Map<Long, List<Announcement>> announced,
      byte[] id)
      throws IOException {
    TextBytes text = TextBytes.of(elf, module.sections());
    return new Planner(module, text, named, loads, announced).make(id);
  }

  /** Data that the program writes: what locked instructions may have touched. */
  private static boolean holdsVariables(ElfSection s) {
    boolean data = s.name().startsWith(".data") && !s.name().startsWith(".data.rel.ro");
    return s.allocated() && !s.executable() && (data || s.name().startsWith(".bss"));
  }

  private Plan make(byte[] id) throws IOException {
    CodeRuns runs = new CodeRuns(targets);
    Placement placement = new Placement(runs, text);
    module.functions().forEach(f -> choose(f, placement));
    placement.placeTight();
    List<FunctionCopy> copies = new ArrayList<>();
    functions.forEach(f -> copies.add(copy(f, runs, placement.replacedCalls())));
    copies.forEach(FunctionCopy::writeObserved);
    out.resolve(copied);
    List<Patch> patches = new ArrayList<>(placement.patches(copied));
    patches.addAll(calls(placement.replacedCalls()));
    placement
        .tactics()
        .forEach((t, n) -> coverage.put("run." + t.name().toLowerCase(Locale.ROOT), n));
    coverage.put("sites", sites.size());
    coverage.put("functions", functions.size());
    module.notUnderstood().forEach(at -> gaps.add(new Gap(at, Gap.NOT_UNDERSTOOD)));
    targets.unlisted().forEach(at -> gaps.add(new Gap(at, Gap.NO_FUNCTION)));
    gaps.sort(Comparator.comparingLong(Gap::address));
    return new Plan(
        id,
        text.low(),
        text.high(),
        out.code(),
        out.moduleFixups().toIntArray(),
        out.siteFixups().toIntArray(),
        patches,
        placement.moved(copied),
        sites.toIntArray(),
        returnAddresses(),
        frames,
        coverage,
        List.copyOf(gaps));
  }

  /** Decides what is observed in a function, and where its text leads into the copy. */
  private void choose(Function f, Placement placement) {
    Candidates candidates = new Candidates(f, variables, loads);
    List<Instruction> code = f.code();
    SiteKind[] kinds = new SiteKind[code.size()];
    BitSet entered = new BitSet();
    BitSet always = new BitSet();
    for (int i = 0; i < kinds.length; i++) {
      kinds[i] = candidates.kind(code.get(i)).orElse(null);
      entered.set(i, kinds[i] != null);
      always.set(i, kinds[i] != null && kinds[i].wantedAlways(code.get(i)));
    }
    gaps.addAll(candidates.gaps());
    EventsAhead ahead = new EventsAhead(f, kinds, targets, callees);
    ahead.loads().stream().forEach(i -> kinds[i] = SiteKind.LOAD_FOLLOWED);
    new EventsBehind(f, kinds, targets, callees)
        .preceded()
        .forEach(
            i ->
                kinds[i] =
                    kinds[i] == SiteKind.STORE ? SiteKind.STORE_PRECEDED : SiteKind.FLUSH_PRECEDED);
    ahead.acquisitions().stream().forEach(i -> followedCalls.add(code.get(i).end()));
    announcedIn(f).stream()
        .filter(a -> !code.get(a.index()).operation().calls())
        .forEach(a -> entered.set(a.index()));
    boolean isNamed = named.containsKey(f.start());
    entered.set(0, entered.get(0) || isNamed);
    always.set(0, always.get(0) || isNamed);
    if (!entered.isEmpty()) {
      functions.add(new Copied(f, kinds));
      placement.add(f, entered, always);
    }
  }

  private FunctionCopy copy(Copied c, CodeRuns runs, Set<Long> replacedCalls) {
    Function f = c.function;
    NamedFunction name = named.get(f.start());
    InstructionCopy instructions =
        new InstructionCopy(
            out, text.sectionOf(f.start()), text.sectionAddress(f.start()), replacedCalls);
    SharedTests shared = SharedTests.of(f, c.kinds, next -> runs.endsBefore(f.code(), next));
    FunctionCopy copy =
        new FunctionCopy(out, f, c.kinds, shared, instructions, this::site, located(f));
    out.align(CACHE_LINE_PART);
    if (name != null) {
      copied.put(f.start(), out.position());
      copy.writeNamed(name, site(f.start()));
    }
    copy.write(copied);
    return copy;
  }

  private List<Announcement> announcedIn(Function f) {
    return announced.getOrDefault(f.start(), List.of());
  }

  private List<FunctionCopy.Located> located(Function f) {
    return announcedIn(f).stream()
        .map(a -> new FunctionCopy.Located(a, site(a.access(), f.code().get(a.index()).address())))
        .toList();
  }

  private Site site(long address) {
    return site(address, address);
  }

  /** The site of an instruction, for code that is executed before another one. */
  private Site site(long address, long executed) {
    sites.add((int) address);
    var row = frameAt.floorEntry(executed);
    return new Site(sites.size() - 1, row == null ? 0 : row.getValue().packed());
  }

  private int[] returnAddresses() {
    return module.functions().stream()
        .flatMap(f -> f.code().stream())
        .filter(i -> i.operation() == Operation.CALL || i.operation() == Operation.INDIRECT_CALL)
        .map(Instruction::end)
        .sorted()
        .distinct()
        .mapToInt(end -> Plan.call(end, followedCalls.contains(end)))
        .toArray();
  }

  /** Direct calls go straight to the copy of their function. */
  private List<Patch> calls(Set<Long> replaced) {
    List<Patch> patches = new ArrayList<>();
    for (Function f : module.functions()) {
      for (Instruction i : f.code()) {
        int target = i.operation() == Operation.CALL ? copied.position(i.target()) : -1;
        if (target >= 0 && !replaced.contains(i.address())) {
          long at = i.address() + i.immediateAt();
          patches.add(new Patch(Patch.Kind.CALL, at, target, text.at(at, 4), false));
        }
      }
    }
    return patches;
  }
}
