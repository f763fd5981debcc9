package dev.perdure.fuzz.campaign;

import dev.perdure.fuzz.area.Schedule;
import dev.perdure.fuzz.coverage.Coverage;
import dev.perdure.fuzz.interleaving.Strategy;
import dev.perdure.target.TargetStartException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * PMRace's three tiers (section 4.2.3). An input is executed until that brings nothing new; then
 * with one interleaving after the other, each of them again while that brings something; then comes
 * the next input. New inputs are made without interleavings, and kept if they reach new branches.
 */
public final class Fuzzer {
  private static final int IDLE_EXECUTIONS = 2;
  private static final int MOST_EXECUTIONS = 6;
  private static final int ATTEMPTS_BEFORE_POPULATING = 4;
  private static final int ATTEMPTS_BEFORE_EXPLORING = 8;

  private final FuzzPlan plan;
  private final CampaignRunner runner;
  private final Progress progress;
  private final SplittableRandom random;
  private final Coverage coverage = new Coverage();
  private final List<byte[]> corpus;
  private final Deque<byte[]> queue;
  private final long end;
  private int campaigns;

  public Fuzzer(FuzzPlan plan, CampaignRunner runner, Progress progress) {
    this.plan = plan;
    this.runner = runner;
    this.progress = progress;
    this.random = new SplittableRandom(plan.seed());
    this.corpus = new ArrayList<>(plan.seeds());
    this.queue = new ArrayDeque<>(plan.seeds());
    this.end = System.nanoTime() + plan.time().toNanos();
  }

  /** Searches until the time is up, or nothing is left to explore. */
  public void run() throws IOException, TargetStartException, InterruptedException {
    while (!over()) {
      byte[] input = queue.poll();
      if (input == null) {
        if (plan.mutator().isEmpty()) {
          return;
        }
        generate();
      } else {
        explore(input);
      }
    }
  }

  /** All inputs that reached something new. */
  public List<byte[]> corpus() {
    return corpus;
  }

  private boolean over() {
    return progress.over() || System.nanoTime() - end >= 0;
  }

  private void explore(byte[] input)
      throws IOException, TargetStartException, InterruptedException {
    Strategy strategy = plan.strategy().create(plan.writerWait());
    repeat(input, Schedule.free(random.nextLong()), Campaign.Tier.EXECUTION, strategy, false);
    while (plan.interleavings() && !over()) {
      Optional<Schedule> schedule = strategy.next(random.nextLong());
      if (schedule.isEmpty()) {
        return;
      }
      repeat(input, schedule.get(), Campaign.Tier.INTERLEAVING, strategy, true);
    }
  }

  /** The execution tier: again, as long as that brings something new. */
  private void repeat(
      byte[] input, Schedule schedule, Campaign.Tier tier, Strategy strategy, boolean steered)
      throws IOException, TargetStartException, InterruptedException {
    int idle = 0;
    int most = steered ? 1 : IDLE_EXECUTIONS;
    for (int n = 0; n < MOST_EXECUTIONS && idle < most && !over(); n++) {
      Campaign.Tier now = n == 0 ? tier : Campaign.Tier.EXECUTION;
      CampaignResult result = runner.run(campaign(input, schedule, now));
      Coverage.Gain gain = coverage.add(result.branches(), result.pairs());
      idle = gain.any() ? 0 : idle + 1;
      strategy.learn(result.shared());
      if (steered) {
        strategy.explored(schedule, result.area());
      }
      progress.finished(result, gain, coverage, strategy.state());
    }
  }

  /** The seed tier: an input that reaches new branches, or else the last one that was tried. */
  private void generate() throws IOException, TargetStartException, InterruptedException {
    byte[] input = corpus.get(0);
    for (int attempt = 0; attempt < ATTEMPTS_BEFORE_EXPLORING && !over(); attempt++) {
      byte[] from = corpus.get(random.nextInt(corpus.size()));
      boolean populate = attempt >= ATTEMPTS_BEFORE_POPULATING;
      input =
          populate
              ? plan.mutator().get().populate(from, random)
              : plan.mutator().get().mutate(from, corpus, random);
      Schedule free = Schedule.free(random.nextLong());
      CampaignResult result = runner.run(campaign(input, free, Campaign.Tier.SEED));
      Coverage.Gain gain = coverage.add(result.branches(), result.pairs());
      progress.finished(result, gain, coverage, populate ? "populating" : "new inputs");
      if (gain.branches() > 0) {
        corpus.add(input);
        break;
      }
    }
    queue.add(input);
  }

  private Campaign campaign(byte[] input, Schedule schedule, Campaign.Tier tier) {
    return new Campaign(++campaigns, input, schedule, tier);
  }
}
