package dev.perdure.binary.plan;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.flow.Function;
import dev.perdure.binary.flow.Liveness;
import dev.perdure.binary.flow.RedZone;
import dev.perdure.binary.region.Announcement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongFunction;

/** Writes the copy of a function with its observed instructions. */
final class FunctionCopy {
  /** An announcement with the site that it names. */
  record Located(Announcement announcement, Site site) {}

  private final Assembler out;
  private final Function function;
  private final SiteKind[] kinds;
  private final Site[] sites;
  private final List<List<Located>> starts;
  private final SharedTests shared;
  private final Liveness liveness;
  private final InstructionCopy copy;
  private final SiteCode observed;
  private final TreeMap<Integer, AddressTest> leaders = new TreeMap<>();

  /**
   * @param kinds of the instructions, null where one is not observed
   * @param starts regions that are announced
   */
  FunctionCopy(
      Assembler out,
      Function function,
      SiteKind[] kinds,
      SharedTests shared,
      InstructionCopy copy,
      LongFunction<Site> sites,
      List<Located> starts) {
    this.out = out;
    this.function = function;
    this.kinds = kinds;
    this.shared = shared;
    this.liveness = Liveness.of(function);
    this.copy = copy;
    this.observed = new SiteCode(out, copy, RedZone.mayBeUsedBy(function));
    this.starts = new ArrayList<>(Collections.nCopies(kinds.length, List.of()));
    for (Located start : starts) {
      int index = start.announcement.index();
      List<Located> more = new ArrayList<>(this.starts.get(index));
      more.add(start);
      this.starts.set(index, more);
    }
    this.sites = new Site[kinds.length];
    for (int i = 0; i < kinds.length; i++) {
      this.sites[i] = kinds[i] == null ? null : sites.apply(function.code().get(i).address());
    }
  }

  /** The entry of a function that the configuration names; its code follows. */
  void writeNamed(NamedFunction name, Site site) {
    observed.writeNamed(name, site);
  }

  /**
   * Writes what is executed where there is no persistent memory.
   *
   * @param copied takes the places of the instructions; that of the first one stays if it is known
   */
  void write(CopiedCode copied) {
    List<Instruction> code = function.code();
    for (int i = 0; i < code.size(); i++) {
      if (copied.position(code.get(i).address()) < 0) {
        copied.put(code.get(i).address(), out.position());
      }
      writeStarts(i);
      if (shared.leaders().get(i)) {
        leaders.put(i, observed.writeTestOf(code.get(i), live(i, sites[i])));
      } else if (shared.followers().get(i)) {
        copy.write(code.get(i));
      } else {
        write(i);
      }
    }
    if (!code.get(code.size() - 1).operation().endsFlow()) {
      out.jump(function.end());
    }
  }

  /** Writes the rest, which is kept away from it. */
  void writeObserved() {
    shared.stretches().forEach(this::writeWithAllTests);
    observed.writeDetours();
  }

  private int live(int i, Site site) {
    return liveness.before(i) | site.kept();
  }

  private void writeStarts(int i) {
    for (Located start : starts.get(i)) {
      observed.writeStart(start.announcement, start.site, live(i, start.site));
    }
  }

  private void write(int i) {
    Instruction x = function.code().get(i);
    if (kinds[i] == null) {
      copy.write(x);
    } else {
      observed.write(x, kinds[i], sites[i], live(i, sites[i]));
    }
  }

  private void writeWithAllTests(SharedTests.Stretch stretch) {
    int[] places = new int[stretch.last() - stretch.first() + 1];
    for (int i = stretch.first(); i <= stretch.last(); i++) {
      if (i > stretch.first()) {
        writeStarts(i);
      }
      places[i - stretch.first()] = out.position();
      write(i);
    }
    out.jump(function.code().get(stretch.last()).end());
    leaders
        .subMap(stretch.first(), true, stretch.last(), true)
        .forEach((i, test) -> test.leadTo(places[i - stretch.first()]));
  }
}
