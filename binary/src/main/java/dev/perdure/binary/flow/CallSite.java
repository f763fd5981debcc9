package dev.perdure.binary.flow;

/** Instructions whose exceptions continue at a landing pad. */
public record CallSite(long start, long end, long landingPad) {
  public boolean contains(long address) {
    return address >= start && address < end;
  }
}
