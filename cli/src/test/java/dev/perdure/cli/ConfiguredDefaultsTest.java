package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.report.configuration.ConfigurationReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;

class ConfiguredDefaultsTest {
  @TempDir private Path folder;

  @Test
  void shouldKnowEveryOptionOfTheCommands() {
    assertThat(ConfigurationReader.CRASH_OPTIONS)
        .containsExactlyInAnyOrderElementsOf(optionsOf(new CrashOptionList()));
    assertThat(ConfigurationReader.FUZZ_OPTIONS)
        .containsExactlyInAnyOrderElementsOf(optionsOf(new FuzzOptions()));
  }

  private static List<String> optionsOf(Object mixin) {
    return CommandSpec.forAnnotatedObject(mixin).options().stream()
        .map(option -> option.longestName().substring(2))
        .filter(name -> !name.equals("replay"))
        .toList();
  }

  @Test
  void shouldTakeOptionsFromTheConfiguration() throws Exception {
    Files.writeString(folder.resolve("perdure.toml"), "[crash]\nrecover = \"true\"\njobs = 0\n");

    assertThat(perdure("crash", "--", "/bin/true"))
        .isEqualTo("perdure: --jobs 0: at least 1 is wanted");
  }

  @Test
  void shouldPreferWhatIsTyped() throws Exception {
    Files.writeString(folder.resolve("own.toml"), "[fuzz]\nthreads = 0\nstrategy = \"luck\"\n");

    assertThat(perdure("fuzz", "--config", "own.toml", "--threads", "2", "--", "/bin/true"))
        .isEqualTo("perdure: --strategy luck: pmaware, delay or pct is wanted");
  }

  @Test
  void shouldNameKeysThatNoOptionHas() throws Exception {
    Files.writeString(folder.resolve("perdure.toml"), "[crash]\nrecovery = \"true\"\n");

    assertThat(perdure("crash", "--", "/bin/true"))
        .isEqualTo(
            "perdure: perdure.toml:2: unknown key 'recovery' in [crash]; did you mean 'recover'?");
  }

  private String perdure(String... words) throws Exception {
    PerdureProcess.Result result = new PerdureProcess(folder).run(words);
    assertThat(result.exit()).isEqualTo(CommandFailure.USAGE);
    return result.err().strip();
  }
}
