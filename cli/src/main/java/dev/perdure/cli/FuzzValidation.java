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
import dev.perdure.model.finding.DurableEffect.Recovery;
import dev.perdure.model.finding.Evidence;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Role;
import dev.perdure.target.TargetStartException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Asks recovery about each new effect of a search, once, and about its lock words. Findings that
 * come to the same effect of a campaign share the answer.
 */
final class FuzzValidation {
  /**
   * Effects of a thread's own data that are looked at in one campaign, so that a program with
   * hundreds of them is still searched meanwhile; the others are when they are seen again.
   */
  private static final int MOST_OWN = 8;

  private final EffectValidation effects;
  private final LockValidation locks;
  private final Map<List<Object>, Optional<Recovery>> verdicts = new HashMap<>();

  FuzzValidation(RecoverySetting setting, RecoveryCommand command, boolean needsFlushes)
      throws IOException {
    this.effects = new EffectValidation(setting, command, needsFlushes);
    this.locks = new LockValidation(setting, command, needsFlushes);
  }

  /** The findings of a campaign with what recovery makes of them. */
  List<Finding> of(CampaignResult result, CampaignRunner runner)
      throws IOException, TargetStartException, InterruptedException {
    List<Finding> validated = new ArrayList<>();
    Map<List<Object>, Optional<Recovery>> answers = new HashMap<>();
    int own = 0;
    for (Finding finding : result.findings()) {
      if (finding.effect().isEmpty()) {
        validated.add(finding);
        continue;
      }
      boolean isOwn = finding.kind() == FindingKind.INTRA_THREAD_INCONSISTENCY;
      Optional<Recovery> verdict = verdicts.get(key(finding));
      if (verdict == null && (!isOwn || own < MOST_OWN)) {
        own += isOwn ? 1 : 0;
        verdict = ask(finding.effect().get(), answers, result, runner);
        verdicts.put(key(finding), verdict);
      }
      validated.add(verdict == null ? finding : with(finding, verdict));
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

  private static List<Object> key(Finding finding) {
    return List.of(
        MergedFindings.identity(finding),
        finding.places().get(Role.EFFECT).site(),
        finding.effect().orElseThrow().flow());
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

  private static Finding with(Finding finding, Optional<Recovery> verdict) {
    return verdict.isEmpty()
        ? finding
        : with(finding, finding.effect().orElseThrow().validated(verdict.get()));
  }

  private static Finding with(Finding f, DurableEffect effect) {
    Set<Evidence> evidence = EnumSet.noneOf(Evidence.class);
    evidence.addAll(f.evidence());
    boolean unrecovered = effect.recovery().equals(Optional.of(Recovery.NOT_RECOVERED));
    if (unrecovered && f.kind() == FindingKind.PERSISTENCY_RACE) {
      evidence.add(Evidence.NOT_RECOVERED);
    }
    return new Finding(
        f.kind(),
        f.places(),
        f.otherStacks(),
        evidence,
        f.count(),
        f.message(),
        f.example(),
        f.notes(),
        f.crash(),
        Optional.of(effect));
  }
}
