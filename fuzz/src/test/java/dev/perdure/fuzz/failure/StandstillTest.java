package dev.perdure.fuzz.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.fuzz.area.AreaLayout.Exploration;
import dev.perdure.fuzz.area.ExplorationArea;
import dev.perdure.fuzz.area.Schedule;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandstillTest {
  private static final int PROCESS = 70;
  private static final String WAITS = "202 0x7f00 0x80 0x2 0x0 0x0 0x0 0x7ffe 0x7f01\n";
  private static final String WAITS_FOR_A_TIME =
      "202 0x7f00 0x80 0x2 0x7ffe10 0x0 0x0 0x7ffe 0x7f01\n";
  private static final String SLEEPS = "230 0x0 0x0 0x7ffe 0x0 0x0 0x0 0x7ffe 0x7f01\n";

  @TempDir Path folder;
  private Path areaFile;
  private Standstill standstill;
  private long now;

  @BeforeEach
  void prepare() throws Exception {
    areaFile = folder.resolve("area");
    ExplorationArea area = ExplorationArea.create(areaFile, Schedule.free(1), false);
    standstill = new Standstill(area, () -> now, folder.resolve("proc"));
  }

  private void thread(int number, String call) throws Exception {
    Path task = folder.resolve("proc/" + PROCESS + "/task/" + number);
    Files.writeString(Files.createDirectories(task).resolve("syscall"), call);
  }

  private void put(int offset, long value) throws Exception {
    ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value);
    try (FileChannel channel = FileChannel.open(areaFile, StandardOpenOption.WRITE)) {
      channel.write(bytes, offset);
    }
  }

  /** Looks for three seconds, ten times a second. */
  private boolean standsStill() {
    boolean still = false;
    for (int looks = 0; looks < 30; looks++) {
      now += 100_000_000;
      still |= standstill.test(PROCESS);
    }
    return still;
  }

  @Test
  void shouldSeeThatAllThreadsWaitForEachOther() throws Exception {
    thread(70, WAITS);
    thread(71, WAITS);
    assertThat(standsStill()).isTrue();
  }

  @Test
  void shouldTakeThreadsThatSpinForWaiting() throws Exception {
    thread(70, WAITS);
    thread(71, SLEEPS);
    assertThat(standsStill()).isFalse();
    put(Exploration.IDLE + 4, 71);
    assertThat(standsStill()).isTrue();
  }

  @Test
  void shouldWaitForThreadsThatMayGetOn() throws Exception {
    thread(70, WAITS);
    thread(71, WAITS_FOR_A_TIME);
    assertThat(standsStill()).isFalse();
    thread(71, "running\n");
    assertThat(standsStill()).isFalse();
  }

  @Test
  void shouldNotInterfereWhileMemoryIsAccessed() throws Exception {
    thread(70, WAITS);
    for (int round = 1; round < 50; round++) {
      now += 100_000_000;
      put(Exploration.ACCESSES, round);
      assertThat(standstill.test(PROCESS)).isFalse();
    }
  }

  @Test
  void shouldWaitForTimersThatMayGoOff() throws Exception {
    thread(70, WAITS);
    Path process = folder.resolve("proc/" + PROCESS);
    Files.writeString(process.resolve("status"), "Name:\ta\nSigCgt:\t0000000000002000\n");
    assertThat(standsStill()).isFalse();
    Files.writeString(process.resolve("status"), "Name:\ta\nSigCgt:\t0000000180000000\n");
    Files.writeString(process.resolve("timers"), "ID: 0\nsignal: 34/0\nnotify: signal/pid.70\n");
    assertThat(standsStill()).isFalse();
    Files.writeString(process.resolve("timers"), "");
    assertThat(standsStill()).isTrue();
  }

  @Test
  void shouldNotJudgeWhatHasEnded() {
    assertThat(standsStill()).isFalse();
  }
}
