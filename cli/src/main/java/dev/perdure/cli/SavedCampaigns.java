package dev.perdure.cli;

import dev.perdure.fuzz.area.ScheduleText;
import dev.perdure.fuzz.campaign.Campaign;
import dev.perdure.fuzz.campaign.Tier;
import dev.perdure.model.file.FileReason;
import dev.perdure.report.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The campaigns of a run directory that found something, to be replayed. */
record SavedCampaigns(Path folder) {
  private static final String ID = "C\\d{1,9}";
  private static final String INPUT = "input";
  private static final String SCHEDULE = "schedule";

  static SavedCampaigns in(Path runDirectory) {
    return new SavedCampaigns(runDirectory.resolve("campaigns"));
  }

  void save(Campaign campaign) throws IOException {
    Path own = Files.createDirectories(folder.resolve(campaign.id()));
    Files.write(own.resolve(INPUT), campaign.input());
    Files.writeString(own.resolve(SCHEDULE), ScheduleText.of(campaign.schedule()));
  }

  Path runDirectory() {
    return folder.getParent();
  }

  /** Where the report of a replay goes, beside what it replays. */
  RunDirectory replayDirectory(Campaign campaign) {
    Path replay = folder.resolve(campaign.id()).resolve("replay");
    try {
      return RunDirectory.at(replay);
    } catch (IOException e) {
      throw CommandFailure.usage(replay + ": cannot be made (" + FileReason.of(e) + ")", e);
    }
  }

  /** The largest number of a campaign that is saved; 0 where there is none. */
  int lastNumber() throws IOException {
    if (!Files.isDirectory(folder)) {
      return 0;
    }
    try (var saved = Files.list(folder)) {
      return saved
          .map(p -> p.getFileName().toString())
          .filter(n -> n.matches(ID))
          .mapToInt(n -> Integer.parseInt(n.substring(1)))
          .max()
          .orElse(0);
    }
  }

  Campaign load(String id) {
    Path own = folder.resolve(id);
    if (!id.matches(ID) || !Files.isDirectory(own)) {
      throw CommandFailure.usage(
          "--replay "
              + id
              + ": there is no such campaign in "
              + folder
              + "; name its run directory with --out");
    }
    try {
      return new Campaign(
          Integer.parseInt(id.substring(1)),
          Files.readAllBytes(own.resolve(INPUT)),
          ScheduleText.parse(Files.readString(own.resolve(SCHEDULE))),
          Tier.REPLAY);
    } catch (IOException | IllegalArgumentException e) {
      throw CommandFailure.usage("--replay " + own + ": " + e.getMessage(), e);
    }
  }
}
