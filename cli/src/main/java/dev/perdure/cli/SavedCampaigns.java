package dev.perdure.cli;

import dev.perdure.fuzz.area.ScheduleText;
import dev.perdure.fuzz.campaign.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The campaigns of a run directory that found something, to be replayed. */
record SavedCampaigns(Path folder) {
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

  Campaign load(String id) {
    Path own = folder.resolve(id);
    if (!id.matches("C\\d{1,9}") || !Files.isDirectory(own)) {
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
          Campaign.Tier.REPLAY);
    } catch (IOException | IllegalArgumentException e) {
      throw CommandFailure.usage("--replay " + own + ": " + e.getMessage(), e);
    }
  }
}
