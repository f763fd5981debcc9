package dev.perdure.llvm.assembly;

import java.util.ArrayList;
import java.util.List;

/**
 * What an asm statement does to memory.
 *
 * @param effects in the order of the text
 * @param jumps whether the text has jumps, so that an instruction may be executed many times
 */
public record AssemblyEffects(List<Effect> effects, boolean jumps) {

  public AssemblyEffects {
    effects = List.copyOf(effects);
  }

  /**
   * Reads LLVM's form of an asm statement.
   *
   * @param constraints LLVM's constraint string
   * @param intel whether the text starts out in Intel syntax
   */
  public static AssemblyEffects of(String text, String constraints, boolean intel) {
    List<Statement> statements = new StatementReader(intel).read(text);
    EffectReader reader = new EffectReader(Constraint.parse(constraints), statements.size() == 1);
    List<Effect> effects = new ArrayList<>();
    boolean jumps = false;
    for (Statement statement : statements) {
      effects.addAll(reader.read(statement));
      jumps |= Mnemonic.of(statement.mnemonic()).isJump();
    }
    return new AssemblyEffects(effects, jumps);
  }
}
