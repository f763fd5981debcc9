package dev.perdure.robust.program;

import java.util.List;

/**
 * A function with a body.
 *
 * @param parameters the values of its parameters
 * @param callable whether code that is not known may call it: its address is taken, or it is
 *     visible outside; then everything must be persistent when it ends
 * @param root whether nothing in the program calls it by name
 */
public record Routine(
    int index,
    String name,
    List<Integer> parameters,
    List<CodeBlock> blocks,
    boolean callable,
    boolean root) {
  public Routine {
    parameters = List.copyOf(parameters);
    blocks = List.copyOf(blocks);
  }
}
