package dev.perdure.llvm.instrument;

import dev.perdure.llvm.ir.Attribute;
import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Builder;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.sites.Demangler;
import dev.perdure.llvm.sites.SiteCollector;
import dev.perdure.model.code.SiteTable;
import dev.perdure.model.config.Configuration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;

/** Instruments a whole module in place. */
public final class Instrumentation {
  private static final int ID_BYTES = 16;

  private final Configuration configuration;
  private final Demangler demangler;
  private SortedSet<String> unseenNames = Collections.emptySortedSet();

  public Instrumentation(Configuration configuration, Demangler demangler) {
    this.configuration = configuration;
    this.demangler = demangler;
  }

  /** What is inserted beside the hooks of events, before them. */
  public interface Addition {
    void instrument(Function function, Hooks hooks);

    /** Whether it calls functions of {@code labels.ll}. */
    default boolean usesLabels() {
      return false;
    }
  }

  /**
   * Instruments the module and verifies it.
   *
   * @param tableFile where the site table is put; the assembler reads it from there
   */
  public SiteTable instrument(BitcodeModule module, Path tableFile) throws IOException {
    return instrument(module, tableFile, Optional.empty(), List.of());
  }

  /**
   * The same, with more than the hooks of events.
   *
   * @param source a file that goes into the section {@code .perdure.program}, where there is one
   */
  public SiteTable instrument(
      BitcodeModule module, Path tableFile, Optional<Path> source, List<Addition> additions)
      throws IOException {
    List<Function> bodies =
        module.functions().stream().filter(Instrumentation::isInstrumented).toList();
    Map<String, String> readableNames =
        configuration.namesFunctions() ? readableNames(module) : Map.of();
    Prelude prelude = new Prelude(module);
    SiteCollector sites = new SiteCollector();
    try (Builder builder = module.builder()) {
      Hooks hooks = new Hooks(module, prelude, sites, builder);
      if (additions.stream().anyMatch(Addition::usesLabels)) {
        prelude.addLabels();
      }
      for (Function function : bodies) {
        additions.forEach(addition -> addition.instrument(function, hooks));
      }
      NamedCalls namedCalls = new NamedCalls(configuration, hooks, readableNames);
      CallSites callSites = new CallSites();
      for (Function function : bodies) {
        new FunctionInstrumentation(function, hooks, callSites, namedCalls).run();
      }
      AssemblyTexts texts = new AssemblyTexts(hooks);
      observeNakedFunctions(module, texts, callSites);
      texts.observe(module);
      unseenNames = namedCalls.unseen();
      callSites.close();
      ShadowStack stack = new ShadowStack(hooks);
      for (Function function : bodies) {
        stack.instrument(function, callSites);
        if (callSites.isEventful(function)) {
          function.remove(Attribute.MEMORY);
        }
      }
    }
    SiteTable table = sites.table(demangler);
    byte[] bytes = table.toBytes();
    Files.write(tableFile, bytes);
    prelude.addRegistration(table.sites().size(), id(bytes), tableFile.toString());
    if (source.isPresent()) {
      prelude.addSection(".perdure.program", source.get().toString());
    }
    prelude.makeInternal();
    module.verify();
    return table;
  }

  /** Functions that consist of assembly: there is no frame from which something could be called. */
  private static void observeNakedFunctions(
      BitcodeModule module, AssemblyTexts texts, CallSites callSites) {
    for (Function function : module.functions()) {
      if (function.hasBody()
          && !function.isAvailableExternally()
          && function.has(Attribute.NAKED)) {
        boolean observed = false;
        for (Block block : function.blocks()) {
          for (Instruction instruction : block.instructions()) {
            observed |=
                instruction.opcode() == Opcode.CALL
                    && instruction.asCall().isInlineAssembly()
                    && texts.observe(instruction.asCall());
          }
        }
        if (observed) {
          callSites.addEvent(function);
        }
      }
    }
  }

  /** Functions that the configuration names and of which the module holds no call. */
  public SortedSet<String> unseenNames() {
    return unseenNames;
  }

  private static boolean isInstrumented(Function function) {
    return function.hasBody()
        && !function.isAvailableExternally()
        && !function.has(Attribute.NAKED)
        && !Prelude.isOurs(function.name());
  }

  private Map<String, String> readableNames(BitcodeModule module) {
    return demangler.demangled(module.functions().stream().map(Function::name).toList());
  }

  private static byte[] id(byte[] table) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(table);
      return Arrays.copyOf(hash, ID_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
