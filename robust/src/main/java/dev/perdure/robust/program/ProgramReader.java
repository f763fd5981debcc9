package dev.perdure.robust.program;

import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.sites.SiteCollector;
import dev.perdure.model.config.Configuration;
import dev.perdure.robust.pm.PmPointers;
import dev.perdure.robust.pm.PmSources;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads a whole module. */
public final class ProgramReader {
  private final BitcodeModule module;
  private final Values values;
  private final PmPointers pm;
  private final ExternalCalls externals;
  private final ProgramBuilder builder;

  public ProgramReader(
      BitcodeModule module,
      Values values,
      PmPointers pm,
      Configuration configuration,
      PmSources sources,
      Map<String, String> readableNames,
      SiteCollector sites,
      ReturnSites returns) {
    this.module = module;
    this.values = values;
    this.pm = pm;
    this.externals = new ExternalCalls(configuration, sources, readableNames);
    this.builder = new ProgramBuilder(sites, returns);
  }

  public Program read() {
    Map<Function, Integer> indices = new LinkedHashMap<>();
    for (Function function : module.functions()) {
      if (function.hasBody() && !function.isAvailableExternally()) {
        indices.put(function, indices.size());
      }
    }
    Set<Function> called = calledByName(indices.keySet());
    List<Routine> routines = new ArrayList<>();
    for (var entry : indices.entrySet()) {
      Function function = entry.getKey();
      StepSink sink = new StepSink(builder, values, pm, new Addresses(module, values, function));
      RoutineReader reader = new RoutineReader(module, values, externals, indices, function, sink);
      routines.add(reader.read(entry.getValue(), !called.contains(function)));
    }
    return new Program(routines, builder.origins(), values);
  }

  private static Set<Function> calledByName(Set<Function> functions) {
    Set<Function> called = new HashSet<>();
    for (Function function : functions) {
      function.blocks().stream()
          .flatMap(block -> block.instructions().stream())
          .filter(ProgramReader::isCall)
          .map(Instruction::asCall)
          .filter(call -> !call.isInlineAssembly())
          .map(Call::calledFunction)
          .forEach(callee -> callee.ifPresent(called::add));
    }
    return called;
  }

  private static boolean isCall(Instruction instruction) {
    Opcode opcode = instruction.opcode();
    return opcode == Opcode.CALL || opcode == Opcode.INVOKE;
  }
}
