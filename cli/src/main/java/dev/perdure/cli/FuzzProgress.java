package dev.perdure.cli;

import dev.perdure.fuzz.campaign.CampaignResult;
import dev.perdure.fuzz.campaign.CampaignRunner;
import dev.perdure.fuzz.campaign.Progress;
import dev.perdure.fuzz.coverage.Coverage;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.Level;
import dev.perdure.report.run.RunStats;
import dev.perdure.target.TargetStartException;
import dev.perdure.trace.definition.ModuleSites;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Keeps what campaigns show: findings, the campaigns to be replayed, figures. */
final class FuzzProgress implements Progress {
  private final FuzzFindings found;
  private final FuzzStatus status;
  private final FuzzScreen screen;
  private final SavedCampaigns saved;
  private final Optional<FuzzValidation> validation;
  private final Optional<Level> stopAt;
  private RunStats stats;
  private dev.perdure.report.run.Coverage coverage = dev.perdure.report.run.Coverage.NONE;
  private int lastExit;
  private volatile boolean interrupted;
  private volatile boolean reached;

  FuzzProgress(
      FuzzFindings found,
      FuzzStatus status,
      FuzzScreen screen,
      SavedCampaigns saved,
      Optional<FuzzValidation> validation,
      Optional<Level> stopAt,
      long seed) {
    this.found = found;
    this.status = status;
    this.screen = screen;
    this.saved = saved;
    this.validation = validation;
    this.stopAt = stopAt;
    this.stats = new RunStats(0, 0, 0, 0, 0, seed);
  }

  @Override
  public void finished(CampaignResult result, CampaignRunner runner, Coverage total, String state)
      throws IOException, TargetStartException, InterruptedException {
    List<Finding> findings =
        validation.isPresent() ? validation.get().of(result, runner) : result.findings();
    boolean improved = found.add(result, findings);
    if (improved) {
      saved.save(result.campaign());
    }
    reached = stopAt.map(found::reached).orElse(false);
    status.finished(result, total, state, found.all(), improved);
    count(result);
    screen.show(false);
  }

  private void count(CampaignResult result) {
    stats =
        new RunStats(
            stats.events() + result.events(),
            Math.max(stats.threads(), result.statistics().threads()),
            Math.max(stats.pmBytes(), result.statistics().pmBytes()),
            stats.seconds() + result.seconds(),
            PeakMemory.ofThisProcess(),
            stats.seed());
    coverage =
        new dev.perdure.report.run.Coverage(
            "llvm",
            result.modules().size(),
            result.modules().stream().mapToLong(ModuleSites::count).sum(),
            0,
            List.of(),
            List.of());
    lastExit = result.outcome().exit().orElse(lastExit);
  }

  @Override
  public boolean over() {
    return interrupted || reached;
  }

  void interrupt() {
    interrupted = true;
    validation.ifPresent(FuzzValidation::interrupt);
  }

  boolean interrupted() {
    return interrupted;
  }

  RunStats stats() {
    return stats;
  }

  dev.perdure.report.run.Coverage coverage() {
    return coverage;
  }

  int lastExit() {
    return lastExit;
  }
}
