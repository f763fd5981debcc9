package dev.perdure.crash.recovery;

import dev.perdure.crash.image.Suspect;
import dev.perdure.model.finding.Place;
import java.io.Serializable;
import java.util.List;

/**
 * What came of a recovery run.
 *
 * @param end how it ended
 * @param checked what each check of the job showed, in their order
 * @param output where its output is kept
 * @param mapped whether it mapped any of the pools
 */
public record RecoveryResult(
    RecoveryJob job, End end, List<Checked> checked, String output, boolean mapped)
    implements Serializable {

  /** How a recovery run ended: by an exit code, a signal, or not at all. */
  public record End(int exit, int signal, boolean hang) implements Serializable {
    public boolean failed() {
      return exit != 0 || signal != 0 || hang;
    }
  }

  /**
   * A read of a byte that it should not have read.
   *
   * @param address the pool address of the first such byte
   */
  public record SuspectRead(Suspect suspect, long address, int length, Place reader)
      implements Serializable {}

  /**
   * What a check showed.
   *
   * @param reads first reads of suspect bytes
   * @param left lock words that were not reset
   */
  public record Checked(ImageCheck check, List<SuspectRead> reads, List<WordCheck> left)
      implements Serializable {
    public Checked {
      reads = List.copyOf(reads);
      left = List.copyOf(left);
    }

    boolean showsNothing() {
      return reads.isEmpty() && left.isEmpty();
    }
  }

  public RecoveryResult {
    checked = List.copyOf(checked);
  }

  /** Whether recovery ended well and no check showed anything. */
  public boolean clean() {
    return !end.failed() && checked.stream().allMatch(Checked::showsNothing);
  }
}
