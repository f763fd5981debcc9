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

/** Asks recovery about each new effect of a search, once, and about its lock words. */
final class FuzzValidation {
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
    for (Finding finding : result.findings()) {
      validated.add(validated(finding, result, runner));
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

  private Finding validated(Finding finding, CampaignResult result, CampaignRunner runner)
      throws IOException, TargetStartException, InterruptedException {
    if (finding.effect().isEmpty()) {
      return finding;
    }
    DurableEffect effect = finding.effect().get();
    List<Object> key =
        List.of(
            MergedFindings.identity(finding),
            finding.places().get(Role.EFFECT).site(),
            effect.flow());
    Optional<Recovery> verdict = verdicts.get(key);
    if (verdict == null) {
      verdict = effects.of(effect, runner.trace(), runner.views(), result.toNanos());
      verdicts.put(key, verdict);
    }
    return verdict.isEmpty() ? finding : with(finding, effect.validated(verdict.get()));
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
