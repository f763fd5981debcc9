package dev.perdure.binary.region;

import dev.perdure.binary.decode.Disassembly;
import dev.perdure.binary.elf.ElfSymbol;
import dev.perdure.binary.flow.CallSite;
import dev.perdure.binary.flow.ModuleCode;
import dev.perdure.flow.call.KnownFunctions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A module's disassembled code, with what may follow each instruction. */
final class TextModule {
  private static final Pattern STUB = Pattern.compile("([0-9a-f]+) <([^>@]+)(?:@.*)?@plt>:");

  private final Map<Long, TextLine> lines = new HashMap<>();
  private final Map<Long, String> stubs;
  private final Map<String, Long> own = new HashMap<>();
  private final List<CallSite> callSites;
  private final Map<Long, Boolean> acquiring = new HashMap<>();

  TextModule(ModuleCode module) throws Exception {
    for (Disassembly.Line line : Disassembly.of(module.elf().path())) {
      lines.put(line.address(), TextLine.of(line));
    }
    for (ElfSymbol s : module.elf().symbols()) {
      if (s.function()) {
        own.putIfAbsent(s.name(), s.address());
      }
    }
    stubs = stubs(module.elf().path());
    callSites = module.callSites();
  }

  /** The linker's stubs by their addresses, as binutils names them. */
  private static Map<Long, String> stubs(Path file) throws IOException {
    Process process =
        new ProcessBuilder(
                "objdump", "-d", "-j", ".plt", "-j", ".plt.sec", "-j", ".plt.got", file.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    Map<Long, String> stubs = new HashMap<>();
    for (String line :
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
      Matcher m = STUB.matcher(line);
      if (m.matches()) {
        stubs.put(Long.parseLong(m.group(1), 16), m.group(2));
      }
    }
    return stubs;
  }

  /** The function that a call or jump through a stub goes to, if the module does not have it. */
  private String stub(TextLine line) {
    String name =
        line.target().isPresent() ? stubs.getOrDefault(line.target().getAsLong(), "") : "";
    return own.containsKey(name) ? "" : name;
  }

  /** Where a direct call or jump goes in the end. */
  private long target(TextLine line) {
    long target = line.target().getAsLong();
    return own.getOrDefault(stubs.getOrDefault(target, ""), target);
  }

  TextLine at(long address) {
    return lines.get(address);
  }

  /** Addresses that may follow within the function; -1 where control leaves it. */
  List<Long> after(TextLine line, long start, long end) {
    List<Long> next = new ArrayList<>();
    if (line.isReturn() || line.mnemonic().startsWith("jmp") && line.target().isEmpty()) {
      return List.of(-1L);
    }
    if (line.stops()) {
      return List.of();
    }
    if (line.isJump()) {
      next.add(line.target().orElseThrow());
    }
    boolean returns = !line.isCall() || !KnownFunctions.neverReturns(stub(line));
    if (!line.mnemonic().startsWith("jmp") && returns) {
      next.add(line.end());
    }
    if (line.isCall()) {
      callSites.stream()
          .filter(s -> s.contains(line.address()))
          .forEach(s -> next.add(s.landingPad()));
    }
    next.replaceAll(a -> a >= start && a < end ? a : -1L);
    return next;
  }

  /** Whether the instruction acquires, or calls what may. */
  boolean acquires(TextLine line) {
    if (!line.isCall()) {
      return line.isLocked();
    }
    if (!stub(line).isEmpty() && !KnownFunctions.mayAcquire(stub(line))) {
      return false;
    }
    boolean elsewhere = line.target().isEmpty() || !stub(line).isEmpty();
    return elsewhere || acquiring.computeIfAbsent(target(line), this::reachesAcquire);
  }

  /** Follows everything that a function may execute, but jumps through tables. */
  private boolean reachesAcquire(long function) {
    Set<Long> seen = new HashSet<>();
    Deque<Long> work = new ArrayDeque<>(List.of(function));
    while (!work.isEmpty()) {
      TextLine line = lines.get(work.remove());
      if (line == null || line.isLocked()) {
        return true;
      }
      if (!seen.add(line.address())) {
        continue;
      }
      boolean leaves = line.isCall() || line.isJump();
      if (leaves && !stub(line).isEmpty()) {
        if (KnownFunctions.mayAcquire(stub(line))) {
          return true;
        }
      } else if (leaves && line.target().isPresent()) {
        work.add(target(line));
      } else if (line.isCall()) {
        return true;
      }
      boolean goesOn = !line.isReturn() && !line.stops() && !line.mnemonic().startsWith("jmp");
      if (goesOn && !(line.isCall() && KnownFunctions.neverReturns(stub(line)))) {
        work.add(line.end());
      }
    }
    return false;
  }
}
