package dev.perdure.binary.plan;

import dev.perdure.binary.flow.FrameRow;
import java.util.List;
import java.util.Map;

/**
 * What the runtime needs to observe a module.
 *
 * @param id names the module's sites in a recording, 16 bytes
 * @param textLow first address of its code
 * @param textHigh first address behind it
 * @param code the copy
 * @param moduleFixups places in the copy that hold a distance to the module
 * @param siteFixups places in the copy that hold a site
 * @param moved instructions that patches may overwrite, in ascending order: the address of each,
 *     then its position in the copy
 * @param sites the address of each observed instruction
 * @param calls as {@link #call} has them, in ascending order: these sites follow the others
 * @param frames how callers are found
 * @param coverage counts, by what they count
 * @param gaps what is not observed, in ascending order
 */
public record Plan(
    byte[] id,
    long textLow,
    long textHigh,
    byte[] code,
    int[] moduleFixups,
    int[] siteFixups,
    List<Patch> patches,
    int[] moved,
    int[] sites,
    int[] calls,
    List<FrameRow> frames,
    Map<String, Integer> coverage,
    List<Gap> gaps) {

  /**
   * A call in the list of calls, as an unsigned number; the code of modules ends below 2 GiB.
   *
   * @param end the address behind it
   * @param followed whether it acquires a lock, and another event comes soon
   */
  static int call(long end, boolean followed) {
    return (int) (2 * end) | (followed ? 1 : 0);
  }

  /** The address behind a call. */
  static long callEnd(int call) {
    return call >>> 1;
  }
}
