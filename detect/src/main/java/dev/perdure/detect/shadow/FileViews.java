package dev.perdure.detect.shadow;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Gives each byte of a mapped file one address, its home, however often and wherever the file is
 * mapped: the place where that byte was mapped first. Other mappings of it are views of the home.
 *
 * <p>Invariants. Homes of one file are disjoint by offset; views are disjoint by address and lead
 * to homes only. A home outlives its mapping, until another file is mapped over it.
 */
public final class FileViews {
  /** A piece of address space that shows what lies elsewhere, by its start, or of a file. */
  private record Piece(long start, long end, long target) {
    long at(long address) {
      return target + (address - start);
    }
  }

  private static final Piece NONE = new Piece(0, 0, 0);

  /** By file: from offsets to home addresses. */
  private final Map<Long, TreeMap<Long, Piece>> homes = new HashMap<>();

  /** From addresses of views to home addresses. */
  private final TreeMap<Long, Piece> views = new TreeMap<>();

  private Piece last = NONE;

  /** Whether all mappings are homes, so that every address stands for itself. */
  public boolean isEmpty() {
    return views.isEmpty();
  }

  /** A part of a file is mapped, over whatever was there. */
  public void map(long address, long length, long file, long offset) {
    cut(address, address + length);
    homes.forEach((other, places) -> forget(places, address, length, other == file, offset));
    TreeMap<Long, Piece> places = homes.computeIfAbsent(file, f -> new TreeMap<>());
    long end = offset + length;
    for (long from = offset; from < end; ) {
      Map.Entry<Long, Piece> below = places.floorEntry(from);
      long here = address + (from - offset);
      if (below != null && below.getValue().end > from) {
        Piece home = below.getValue();
        long to = Math.min(end, home.end);
        if (home.at(from) != here) {
          views.put(here, new Piece(here, here + (to - from), home.at(from)));
        }
        from = to;
      } else {
        Long next = places.higherKey(from);
        long to = next == null ? end : Math.min(end, next);
        places.put(from, new Piece(from, to, here));
        from = to;
      }
    }
    last = NONE;
  }

  /** Homes that lie where something else is mapped now are none any more, nor are their views. */
  private void forget(
      TreeMap<Long, Piece> places, long address, long length, boolean sameFile, long offset) {
    places
        .values()
        .removeIf(
            home -> {
              boolean overlaps =
                  home.target < address + length && address < home.target + (home.end - home.start);
              boolean goes = overlaps && !(sameFile && home.at(offset) == address);
              if (goes) {
                views.values().removeIf(v -> leadsTo(v, home));
              }
              return goes;
            });
  }

  private static boolean leadsTo(Piece view, Piece home) {
    return view.target >= home.target && view.target < home.target + (home.end - home.start);
  }

  /**
   * The mapping is gone; homes stay. So do views in the window, where a place belongs to one file
   * for good: another process may still use it.
   */
  public void unmap(long address, long length) {
    if (!PmRanges.inWindow(address)) {
      cut(address, address + length);
      last = NONE;
    }
  }

  private void cut(long start, long end) {
    Map.Entry<Long, Piece> below = views.lowerEntry(end);
    while (below != null && below.getValue().end > start) {
      Piece old = below.getValue();
      views.remove(old.start);
      if (old.start < start) {
        views.put(old.start, new Piece(old.start, start, old.target));
      }
      if (old.end > end) {
        views.put(end, new Piece(end, old.end, old.at(end)));
      }
      below = views.lowerEntry(Math.min(end, old.start));
    }
  }

  /** The home of a byte. */
  public long home(long address) {
    Piece view = viewAt(address);
    return view == NONE ? address : view.at(address);
  }

  /** How many bytes from an address on have their homes one after another. */
  public long run(long address) {
    Piece view = viewAt(address);
    if (view != NONE) {
      return view.end - address;
    }
    Long next = views.higherKey(address);
    return next == null ? Long.MAX_VALUE : next - address;
  }

  /** Whether a byte of the range is seen through a view from elsewhere. */
  public boolean isViewed(long address, long length) {
    return views.values().stream()
        .anyMatch(v -> v.target < address + length && address < v.target + (v.end - v.start));
  }

  private Piece viewAt(long address) {
    if (address < last.start || address >= last.end) {
      Map.Entry<Long, Piece> below = views.floorEntry(address);
      if (below == null || below.getValue().end <= address) {
        return NONE;
      }
      last = below.getValue();
    }
    return last;
  }
}
