package dev.perdure.crash.recovery;

import java.io.Serializable;
import java.util.List;

/**
 * A pool as a failure leaves it: what it was before the run, and what is different.
 *
 * @param path the user's file, which holds the content from before the run
 * @param address where it is to be mapped
 * @param length of that place
 * @param size of the file now, negative where it does not exist yet
 * @param pages the pages that may differ
 */
public record PoolImage(String path, long address, long length, long size, List<Page> pages)
    implements Serializable {

  /** A page of the file. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Page(long offset, byte[] content) implements Serializable {}

  public PoolImage {
    pages = List.copyOf(pages);
  }
}
