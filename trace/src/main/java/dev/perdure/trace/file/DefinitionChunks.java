package dev.perdure.trace.file;

import dev.perdure.model.code.Site;
import dev.perdure.model.code.SiteTable;
import dev.perdure.trace.definition.Definitions;
import dev.perdure.trace.definition.ModuleSites;
import dev.perdure.trace.definition.PmFile;
import dev.perdure.trace.definition.TargetProcess;
import dev.perdure.trace.file.ByteReader.DamagedChunk;
import it.unimi.dsi.fastutil.ints.IntList;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The contents of the chunks that define things, both ways. */
final class DefinitionChunks {
  private DefinitionChunks() {}

  static ByteColumn metadata(Map<String, String> entries) {
    ByteColumn out = new ByteColumn();
    out.putVarint(entries.size());
    entries.forEach(
        (key, value) -> {
          putString(out, key);
          putString(out, value);
        });
    return out;
  }

  static Map<String, String> metadata(ByteReader in) throws DamagedChunk {
    Map<String, String> entries = new LinkedHashMap<>();
    for (int n = in.getCount(2); n > 0; n--) {
      entries.put(getString(in), getString(in));
    }
    return entries;
  }

  static ByteColumn module(ModuleSites m) {
    ByteColumn out = new ByteColumn();
    out.putVarint(m.base());
    out.putVarint(m.count());
    out.putVarint(m.pid());
    putString(out, m.id());
    putString(out, m.path());
    byte[] table = m.sites().filter(t -> !t.lazy()).map(SiteTable::toBytes).orElse(new byte[0]);
    out.putVarint(table.length);
    out.putBytes(table, table.length);
    return out;
  }

  static ModuleSites module(ByteReader in) throws DamagedChunk {
    int base = (int) in.getVarint();
    int count = (int) in.getVarint();
    int pid = (int) in.getVarint();
    String id = getString(in);
    String path = getString(in);
    byte[] table = in.getBytes(in.getVarint());
    try {
      return new ModuleSites(
          base,
          count,
          pid,
          id,
          path,
          table.length == 0 ? Optional.empty() : Optional.of(SiteTable.fromBytes(table)));
    } catch (IOException e) {
      throw new DamagedChunk();
    }
  }

  static ByteColumn sites(int[] numbers, List<Site> sites) {
    ByteColumn out = new ByteColumn();
    out.putVarint(numbers.length);
    for (int number : numbers) {
      out.putVarint(number & 0xffffffffL);
    }
    byte[] table = new SiteTable(sites).toBytes();
    out.putVarint(table.length);
    out.putBytes(table, table.length);
    return out;
  }

  static Map<Integer, Site> sites(ByteReader in) throws DamagedChunk {
    int[] numbers = new int[in.getCount(1)];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = (int) in.getVarint();
    }
    try {
      List<Site> sites = SiteTable.fromBytes(in.getBytes(in.getVarint())).sites();
      Map<Integer, Site> all = new LinkedHashMap<>();
      for (int i = 0; i < Math.min(numbers.length, sites.size()); i++) {
        all.put(numbers[i], sites.get(i));
      }
      return all;
    } catch (IOException e) {
      throw new DamagedChunk();
    }
  }

  static ByteColumn stacks(IntList stacks, Definitions definitions) {
    ByteColumn out = new ByteColumn();
    out.putVarint(stacks.size());
    for (int i = 0; i < stacks.size(); i++) {
      int stack = stacks.getInt(i);
      out.putVarint(stack & 0xffffffffL);
      out.putVarint(definitions.parent(stack) & 0xffffffffL);
      out.putVarint(definitions.topSite(stack) & 0xffffffffL);
    }
    return out;
  }

  static ByteColumn files(List<PmFile> files) {
    ByteColumn out = new ByteColumn();
    out.putVarint(files.size());
    for (PmFile f : files) {
      out.putVarint(f.device());
      out.putVarint(f.inode());
      out.putVarint(f.address());
      out.putVarint(f.length());
      putString(out, f.path());
    }
    return out;
  }

  static List<PmFile> files(ByteReader in) throws DamagedChunk {
    List<PmFile> files = new ArrayList<>();
    for (int n = in.getCount(5); n > 0; n--) {
      files.add(
          new PmFile(
              in.getVarint(), in.getVarint(), in.getVarint(), in.getVarint(), getString(in)));
    }
    return files;
  }

  static ByteColumn processes(List<TargetProcess> processes) {
    ByteColumn out = new ByteColumn();
    out.putVarint(processes.size());
    for (TargetProcess p : processes) {
      out.putVarint(p.pid());
      out.putVarint(p.parent());
      out.putVarint(p.flags());
      putString(out, p.executable());
    }
    return out;
  }

  static List<TargetProcess> processes(ByteReader in) throws DamagedChunk {
    List<TargetProcess> processes = new ArrayList<>();
    for (int n = in.getCount(4); n > 0; n--) {
      processes.add(
          new TargetProcess(
              (int) in.getVarint(), (int) in.getVarint(), (int) in.getVarint(), getString(in)));
    }
    return processes;
  }

  private static void putString(ByteColumn out, String s) {
    byte[] utf8 = s.getBytes(StandardCharsets.UTF_8);
    out.putVarint(utf8.length);
    out.putBytes(utf8, utf8.length);
  }

  private static String getString(ByteReader in) throws DamagedChunk {
    return new String(in.getBytes(in.getVarint()), StandardCharsets.UTF_8);
  }
}
