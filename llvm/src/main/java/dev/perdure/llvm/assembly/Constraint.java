package dev.perdure.llvm.assembly;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * One operand of LLVM's constraint string. Clobbers are no operands and are left out, so that the
 * index of a constraint in {@link #parse} is the operand's number in the text.
 *
 * @param output written by the statement
 * @param indirect a memory operand: the argument is its address
 * @param label a jump target of an asm goto
 * @param general a general register, or a number
 * @param tied the output that this input shares its register with
 * @param register the fixed register, without {@code %}; empty if the compiler chooses
 * @param argument which argument of the call belongs to it; empty for results
 */
public record Constraint(
    boolean output,
    boolean indirect,
    boolean label,
    boolean general,
    OptionalInt tied,
    String register,
    OptionalInt argument) {

  /** The operands of a constraint string such as {@code "=*m,r,*m,~{memory}"}. */
  public static List<Constraint> parse(String constraints) {
    List<Constraint> operands = new ArrayList<>();
    int argument = 0;
    for (String text : constraints.split(",")) {
      if (text.isEmpty() || text.startsWith("~")) {
        continue;
      }
      boolean output = text.startsWith("=");
      boolean label = text.startsWith("!");
      String rest = text.replaceFirst("^[=!&%+]*", "");
      boolean indirect = rest.startsWith("*");
      rest = rest.replaceFirst("^[*&%]*", "");
      boolean hasArgument = !label && (!output || indirect);
      operands.add(
          new Constraint(
              output,
              indirect,
              label,
              isGeneral(rest),
              rest.matches("\\d+") ? OptionalInt.of(Integer.parseInt(rest)) : OptionalInt.empty(),
              rest.startsWith("{") ? rest.substring(1, rest.indexOf('}')) : "",
              hasArgument ? OptionalInt.of(argument++) : OptionalInt.empty()));
    }
    return operands;
  }

  private static boolean isGeneral(String constraint) {
    return constraint.startsWith("{")
        ? RegisterName.whole(constraint.substring(1, constraint.indexOf('}'))).isPresent()
        : constraint.matches("[rqQRlabcdSDieInIJKLMNOZ]+");
  }
}
