package dev.perdure.fuzz.campaign;

import dev.perdure.fuzz.coverage.Coverage;
import dev.perdure.target.TargetStartException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** What the workers of a search share: inputs, coverage, and the time that is left. */
public final class Search {
  private final FuzzPlan plan;
  private final Progress progress;
  private final SplittableRandom random;
  private final Coverage coverage = new Coverage();
  private final List<byte[]> corpus;
  private final Deque<byte[]> queue;
  private final long end;
  private int campaigns;
  private boolean begun;

  /**
   * @param firstNumber of the campaigns: more than 1 where a search is resumed
   */
  public Search(FuzzPlan plan, Progress progress, int firstNumber) {
    this.plan = plan;
    this.progress = progress;
    this.random = new SplittableRandom(plan.seed());
    this.corpus = new ArrayList<>(plan.seeds());
    this.queue = new ArrayDeque<>(plan.seeds());
    this.end = System.nanoTime() + plan.time().toNanos();
    this.campaigns = firstNumber - 1;
  }

  FuzzPlan plan() {
    return plan;
  }

  /** Randomness of a worker's own. */
  public synchronized SplittableRandom random() {
    return random.split();
  }

  boolean over() {
    return progress.over() || System.nanoTime() - end >= 0;
  }

  /** Whether the caller is the one who makes the first inputs. */
  synchronized boolean beginsWithInputs() {
    boolean first = !begun && plan.tiers().contains(Tier.SEED);
    begun = true;
    return first;
  }

  /** The next input that is to be explored. */
  synchronized Optional<byte[]> poll() {
    if (queue.isEmpty() && !plan.tiers().contains(Tier.SEED) && plan.mutator().isPresent()) {
      queue.addAll(plan.seeds());
    }
    return Optional.ofNullable(queue.poll());
  }

  synchronized void explore(byte[] input) {
    queue.add(input);
  }

  synchronized void exploreFirst(byte[] input) {
    queue.addFirst(input);
  }

  synchronized void keep(byte[] input) {
    corpus.add(input);
  }

  /** All inputs that reached something new, after those that the search began with. */
  public synchronized List<byte[]> corpus() {
    return List.copyOf(corpus);
  }

  synchronized int nextNumber() {
    return ++campaigns;
  }

  synchronized Coverage.Gain finished(CampaignResult result, CampaignRunner runner, String state)
      throws IOException, TargetStartException, InterruptedException {
    Coverage.Gain gain = coverage.add(result.branches(), result.pairs());
    progress.finished(result, runner, coverage, state);
    return gain;
  }
}
