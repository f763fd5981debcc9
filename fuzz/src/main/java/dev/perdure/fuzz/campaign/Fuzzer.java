package dev.perdure.fuzz.campaign;

import dev.perdure.fuzz.area.Schedule;
import dev.perdure.fuzz.coverage.Coverage;
import dev.perdure.fuzz.input.Mutator;
import dev.perdure.fuzz.interleaving.Strategy;
import dev.perdure.target.TargetStartException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A worker of PMRace's three tiers (section 4.2.3). An input is executed until that brings nothing
 * new; then with one interleaving after the other, each of them again while that brings something;
 * when several of them brought nothing, or the others have waited for long, comes the next input.
 * New inputs are made without interleavings, and kept if they reach new branches. A search begins
 * with making inputs: interleavings of inputs that do little have little to show.
 */
public final class Fuzzer {
  private static final int IDLE_EXECUTIONS = 2;
  private static final int MOST_EXECUTIONS = 6;
  private static final int MOST_STEERED_EXECUTIONS = 2;
  private static final int IDLE_INTERLEAVINGS = 4;
  private static final int MOST_INTERLEAVINGS = 10;
  private static final int OLD_INPUT_PERCENT = 25;
  private static final int ATTEMPTS_BEFORE_POPULATING = 4;
  private static final int ATTEMPTS_BEFORE_EXPLORING = 8;
  private static final int FIRST_INPUTS = 16;

  private final Search search;
  private final CampaignRunner runner;
  private final SplittableRandom random;
  private final Strategy strategy;

  public Fuzzer(Search search, CampaignRunner runner) {
    this.search = search;
    this.runner = runner;
    this.random = search.random();
    this.strategy = search.plan().strategy().create(search.plan().writerWait());
  }

  /** Searches until the time is up, or nothing is left to explore. */
  public void run() throws IOException, TargetStartException, InterruptedException {
    Optional<Mutator> mutator = search.plan().mutator();
    if (mutator.isPresent() && search.beginsWithInputs()) {
      makeFirstInputs(mutator.get());
    }
    while (!search.over()) {
      Optional<byte[]> input = search.poll();
      if (input.isPresent()) {
        explore(input.get());
      } else if (mutator.isPresent()) {
        generate(mutator.get());
      } else {
        return;
      }
    }
  }

  /** What reaches new branches is explored first, the last of it before the others. */
  private void makeFirstInputs(Mutator mutator)
      throws IOException, TargetStartException, InterruptedException {
    for (byte[] seed : search.plan().seeds()) {
      tryOut(seed, "seeds");
    }
    for (int n = 0; n < FIRST_INPUTS && !search.over(); n++) {
      byte[] input = made(mutator, n % 2 == 0);
      if (tryOut(input, n % 2 == 0 ? "populating" : "new inputs")) {
        search.keep(input);
        search.exploreFirst(input);
      }
    }
  }

  private byte[] made(Mutator mutator, boolean populate) {
    List<byte[]> corpus = search.corpus();
    byte[] from = corpus.get(random.nextInt(corpus.size()));
    return populate ? mutator.populate(from, random) : mutator.mutate(from, corpus, random);
  }

  /** Whether an input reaches new branches when threads run as they like. */
  private boolean tryOut(byte[] input, String state)
      throws IOException, TargetStartException, InterruptedException {
    if (search.over()) {
      return false;
    }
    CampaignResult result =
        runner.run(campaign(input, Schedule.free(random.nextLong()), Tier.SEED));
    return search.finished(result, runner, state).branches() > 0;
  }

  private void explore(byte[] input)
      throws IOException, TargetStartException, InterruptedException {
    strategy.begin();
    repeat(input, Schedule.free(random.nextLong()), Tier.EXECUTION);
    if (!search.plan().tiers().contains(Tier.INTERLEAVING)) {
      return;
    }
    boolean others = search.plan().mutator().isPresent();
    int idle = 0;
    for (int n = 0; !others || n < MOST_INTERLEAVINGS && idle < IDLE_INTERLEAVINGS; n++) {
      Optional<Schedule> schedule = strategy.next(random.nextLong());
      if (schedule.isEmpty() || search.over()) {
        return;
      }
      boolean gained = repeat(input, schedule.get(), Tier.INTERLEAVING);
      idle = gained ? 0 : idle + 1;
    }
  }

  /**
   * The execution tier: again, as long as that covers something new. Returns whether it brought
   * anything.
   */
  private boolean repeat(byte[] input, Schedule schedule, Tier tier)
      throws IOException, TargetStartException, InterruptedException {
    boolean steered = tier == Tier.INTERLEAVING;
    boolean gained = false;
    int idle = 0;
    int mostIdle = steered ? 1 : IDLE_EXECUTIONS;
    int most = steered ? MOST_STEERED_EXECUTIONS : MOST_EXECUTIONS;
    for (int n = 0; n < most && idle < mostIdle && !search.over(); n++) {
      Tier now = n == 0 ? tier : Tier.EXECUTION;
      CampaignResult result = runner.run(campaign(input, schedule, now));
      gained |= strategy.learn(result.sharing());
      if (steered) {
        strategy.explored(schedule, result.area());
      }
      Coverage.Gain gain = search.finished(result, runner, strategy.state());
      idle = gain.any() ? 0 : idle + 1;
      gained |= gain.any();
    }
    return gained;
  }

  /**
   * The seed tier: an input that reaches new branches, or else any of those that were tried; now
   * and then an old one. (Not the last one: that would always be one with many inserts.)
   */
  private void generate(Mutator mutator)
      throws IOException, TargetStartException, InterruptedException {
    List<byte[]> corpus = search.corpus();
    byte[] chosen = corpus.get(random.nextInt(corpus.size()));
    if (random.nextInt(100) < OLD_INPUT_PERCENT) {
      search.explore(chosen);
      return;
    }
    for (int attempt = 0; attempt < ATTEMPTS_BEFORE_EXPLORING && !search.over(); attempt++) {
      boolean populate = attempt >= ATTEMPTS_BEFORE_POPULATING;
      byte[] input = made(mutator, populate);
      if (tryOut(input, populate ? "populating" : "new inputs")) {
        search.keep(input);
        chosen = input;
        break;
      }
      chosen = random.nextInt(attempt + 1) == 0 ? input : chosen;
    }
    search.explore(chosen);
  }

  private Campaign campaign(byte[] input, Schedule schedule, Tier tier) {
    return new Campaign(search.nextNumber(), input, schedule, tier);
  }
}
