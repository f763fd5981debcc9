package dev.perdure.detect.sync;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;

/**
 * Semaphores, barriers and once: release and acquire without holding anything. Every earlier post
 * happens before a later wait, because both change one counter of the semaphore.
 */
public final class Rendezvous {
  private final Long2ObjectOpenHashMap<Publication> published = new Long2ObjectOpenHashMap<>();
  private final Long2LongOpenHashMap barrierCounts = new Long2LongOpenHashMap();
  private final Long2ObjectOpenHashMap<BarrierRound> rounds = new Long2ObjectOpenHashMap<>();

  /** Semaphore post, or the end of a once routine. */
  public void publish(ThreadState thread, long address) {
    Publication publication = published.get(address);
    if (publication == null) {
      publication = new Publication();
      published.put(address, publication);
    }
    publication.add(thread);
  }

  /** Semaphore wait, or passing a once that is done. */
  public void receive(ThreadState thread, long address) {
    Publication publication = published.get(address);
    if (publication != null) {
      publication.teach(thread);
    }
  }

  public void initBarrier(long address, long count) {
    barrierCounts.put(address, count);
    rounds.remove(address);
  }

  public void enterBarrier(ThreadState thread, long address) {
    BarrierRound round = rounds.get(address);
    if (round == null || round.isFull(barrierCounts.get(address))) {
      round = new BarrierRound();
      rounds.put(address, round);
    }
    round.enter(thread);
  }

  public void leaveBarrier(ThreadState thread) {
    thread.barrierRound().leave(thread);
  }

  public void destroy(long address) {
    published.remove(address);
    barrierCounts.remove(address);
    rounds.remove(address);
  }
}
