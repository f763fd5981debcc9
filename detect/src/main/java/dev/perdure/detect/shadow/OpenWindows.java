package dev.perdure.detect.shadow;

/** Looks at the open windows of some bytes, and changes nothing. */
public final class OpenWindows {
  private final ShadowPm shadow;

  public OpenWindows(ShadowPm shadow) {
    this.shadow = shadow;
  }

  /** Is told of open windows. */
  public interface Visitor {
    /**
     * @param word the address of the first byte of the word
     * @param common the bytes of the word that were asked for and are the window's
     * @param granule how many bytes a bit of the mask stands for
     */
    void visit(int window, long word, int common, int granule);
  }

  /** Every open window of the range. */
  public void forEach(long address, long length, Visitor visitor) {
    long end = address + length;
    for (long at = address; at < end; ) {
      ShadowArea area = shadow.area(at);
      int block = area == ShadowArea.NONE ? ShadowArea.ABSENT : area.lines[ShadowArea.line(at)];
      if (!ShadowArea.hasWords(block)) {
        at = (at & -64) + 64;
        continue;
      }
      int granule = block < 0 ? 8 : 1;
      long first = block < 0 ? at & -64 : at & -8;
      long next = Math.min(end, first + 8L * granule);
      int from = (int) (at - first) / granule;
      int to = (int) (next - 1 - first) / granule;
      int mask = (2 << to) - (1 << from);
      int word = block < 0 ? -block : Word.inLine(block, at);
      int open = Word.open(shadow.chunk(word), ShadowPm.at(word));
      for (int window = open; window != 0; window = shadow.windows().next(window)) {
        int common = shadow.windows().mask(window) & mask;
        if (common != 0) {
          visitor.visit(window, first, common, granule);
        }
      }
      at = next;
    }
  }

  /**
   * The open window at the byte of a store that was made at that time by that thread index, or 0.
   */
  public int find(long address, long storeTime, int index) {
    int[] found = new int[1];
    forEach(
        address,
        1,
        (window, word, common, granule) -> {
          if (shadow.windows().time(window) == storeTime
              && shadow.windows().index(window) == index) {
            found[0] = window;
          }
        });
    return found[0];
  }
}
