package dev.perdure.cli;

import dev.perdure.crash.CrashTestException;
import dev.perdure.crash.recovery.RecoveryCommand;
import dev.perdure.crash.recovery.RecoveryException;
import dev.perdure.crash.recovery.RecoverySetting;
import dev.perdure.fuzz.campaign.CampaignResult;
import dev.perdure.fuzz.campaign.CampaignRunner;
import dev.perdure.fuzz.validation.EffectValidation;
import dev.perdure.fuzz.validation.LockValidation;
import dev.perdure.model.finding.DurableEffect;
import dev.perdure.model.finding.DurableEffect.Elsewhere;
import dev.perdure.model.finding.DurableEffect.Recovery;
import dev.perdure.model.finding.Evidence;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import dev.perdure.target.TargetStartException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Asks recovery about the effects of a search, and about its lock words. Findings that come to the
 * same effect of a campaign share the answer. One effect that recovery leaves in place is enough of
 * a finding; that it repairs an effect is asked of each place, and of some addresses there.
 */
final class FuzzValidation {
  /**
   * Effects of a thread's own data that are looked at in one campaign, so that a program with
   * hundreds of them is still searched meanwhile; the others are when they are seen again.
   */
  private static final int MOST_OWN = 8;

  /** Different addresses at one place that recovery is to repair before it is believed. */
  private static final int ENOUGH_ADDRESSES = 4;

  private final EffectValidation effects;
  private final LockValidation locks;
  private final Set<Object> unrecovered = new HashSet<>();
  private final Map<List<Object>, Set<Long>> recoveredAt = new HashMap<>();

  FuzzValidation(RecoverySetting setting, RecoveryCommand command, boolean needsFlushes)
      throws IOException {
    this.effects = new EffectValidation(setting, command, needsFlushes);
    this.locks = new LockValidation(setting, command, needsFlushes);
  }

  /** Ends the recovery that runs: no more is asked. */
  void interrupt() {
    effects.interrupt();
    locks.interrupt();
  }

  /** The findings of a campaign with what recovery makes of them. */
  List<Finding> of(CampaignResult result, CampaignRunner runner)
      throws IOException, TargetStartException, InterruptedException {
    List<Finding> validated = new ArrayList<>();
    Map<List<Object>, Optional<Recovery>> answers = new HashMap<>();
    int own = 0;
    for (Finding finding : result.findings()) {
      boolean isOwn = finding.kind() == FindingKind.INTRA_THREAD_INCONSISTENCY;
      boolean open =
          finding.effect().isPresent() && !unrecovered.contains(MergedFindings.identity(finding));
      if (open && (!isOwn || own < MOST_OWN)) {
        int before = answers.size();
        validated.add(validated(finding, answers, result, runner));
        own += isOwn && answers.size() > before ? 1 : 0;
      } else {
        validated.add(finding);
      }
    }
    if (result.outcome().complete()) {
      validated.addAll(locksLeftTaken(result, runner));
    }
    return validated;
  }

  private List<Finding> locksLeftTaken(CampaignResult result, CampaignRunner runner)
      throws IOException, InterruptedException {
    try {
      return locks.of(runner.trace(), runner.views(), result.locks());
    } catch (RecoveryException e) {
      throw CommandFailure.target(e.getMessage());
    } catch (CrashTestException e) {
      throw CommandFailure.usage(e.getMessage());
    }
  }

  /** The finding with that of its effects which recovery does least about. */
  private Finding validated(
      Finding finding,
      Map<List<Object>, Optional<Recovery>> answers,
      CampaignResult result,
      CampaignRunner runner)
      throws IOException, TargetStartException, InterruptedException {
    DurableEffect first = finding.effect().orElseThrow();
    List<Elsewhere> all = new ArrayList<>();
    all.add(new Elsewhere(finding.places().get(Role.EFFECT), first));
    all.addAll(first.others());
    Object identity = MergedFindings.identity(finding);
    List<Elsewhere> asked = new ArrayList<>();
    for (Elsewhere e : all) {
      List<Object> way = List.of(identity, e.place().site(), e.effect().flow());
      Optional<Recovery> verdict = verdict(e.effect(), way, answers, result, runner);
      asked.add(new Elsewhere(e.place(), e.effect().validated(verdict)));
      if (verdict.equals(Optional.of(Recovery.NOT_RECOVERED))) {
        unrecovered.add(identity);
        break;
      }
    }
    return with(
        finding,
        asked.stream().max(Comparator.comparingInt(e -> e.effect().weight())).orElseThrow());
  }

  private Optional<Recovery> verdict(
      DurableEffect effect,
      List<Object> way,
      Map<List<Object>, Optional<Recovery>> answers,
      CampaignResult result,
      CampaignRunner runner)
      throws IOException, TargetStartException, InterruptedException {
    Set<Long> repaired = recoveredAt.computeIfAbsent(way, w -> new HashSet<>());
    if (repaired.contains(effect.address()) || repaired.size() >= ENOUGH_ADDRESSES) {
      return Optional.of(Recovery.RECOVERED);
    }
    Optional<Recovery> verdict = ask(effect, answers, result, runner);
    if (verdict.equals(Optional.of(Recovery.RECOVERED))) {
      repaired.add(effect.address());
    }
    return verdict;
  }

  private Optional<Recovery> ask(
      DurableEffect effect,
      Map<List<Object>, Optional<Recovery>> answers,
      CampaignResult result,
      CampaignRunner runner)
      throws IOException, TargetStartException, InterruptedException {
    List<Object> moment =
        List.of(effect.flow(), effect.thread(), effect.address(), effect.length(), effect.time());
    Optional<Recovery> known = answers.get(moment);
    if (known == null) {
      known = effects.of(effect, runner.trace(), runner.views(), result.toNanos());
      answers.put(moment, known);
    }
    return known;
  }

  private static Finding with(Finding f, Elsewhere worst) {
    Map<Role, Place> places = new EnumMap<>(f.places());
    places.put(Role.EFFECT, worst.place());
    Set<Evidence> evidence = EnumSet.noneOf(Evidence.class);
    evidence.addAll(f.evidence());
    boolean unrecovered = worst.effect().recovery().equals(Optional.of(Recovery.NOT_RECOVERED));
    if (unrecovered && f.kind() == FindingKind.PERSISTENCY_RACE) {
      evidence.add(Evidence.NOT_RECOVERED);
    }
    return new Finding(
        f.kind(),
        places,
        f.otherStacks(),
        evidence,
        f.count(),
        f.message(),
        f.example(),
        f.notes(),
        f.crash(),
        Optional.of(worst.effect()));
  }
}
