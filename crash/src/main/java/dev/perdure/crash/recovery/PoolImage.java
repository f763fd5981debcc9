package dev.perdure.crash.recovery;

import dev.perdure.crash.image.CrashImage;
import dev.perdure.crash.memory.PoolAddress;
import dev.perdure.crash.memory.Pools;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * A pool as a failure leaves it: what it was before the run, and what is different.
 *
 * @param path the user's file, which holds the content from before the run
 * @param address where it is to be mapped
 * @param length of that place
 * @param size of the file now, negative where it does not exist yet
 * @param original whether the rest is as in the user's file, and not zeros
 * @param pages the pages that may differ
 */
public record PoolImage(
    String path, long address, long length, long size, boolean original, List<Page> pages)
    implements Serializable {

  /** A page of the file. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Page(long offset, byte[] content) implements Serializable {}

  static final int PAGE = 4096;

  public PoolImage {
    pages = List.copyOf(pages);
  }

  /** The same pool with other pages. */
  PoolImage with(List<Page> others) {
    return new PoolImage(path, address, length, size, original, others);
  }

  /**
   * The pools as an image has them, in the order of their indices.
   *
   * @param sizes of the pools at that moment
   */
  public static List<PoolImage> of(Pools pools, long[] sizes, CrashImage image) {
    List<List<Page>> pages = new ArrayList<>();
    pools.all().forEach(p -> pages.add(new ArrayList<>()));
    image.forEachPage(
        (address, content) ->
            pages
                .get(PoolAddress.pool(address))
                .add(new Page(PoolAddress.offset(address), content)));
    List<PoolImage> images = new ArrayList<>();
    for (int i = 0; i < pages.size(); i++) {
      Pools.Pool pool = pools.all().get(i);
      images.add(
          new PoolImage(
              pool.path().toString(),
              pool.address(),
              pool.length(),
              sizes[i],
              pool.originalSize() >= 0,
              pages.get(i)));
    }
    return images;
  }
}
