package dev.perdure.report.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.model.config.AllocFunction;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.config.FramePattern;
import dev.perdure.model.config.FreeFunction;
import dev.perdure.model.config.LockFunction;
import dev.perdure.model.config.LockMode;
import dev.perdure.model.config.RangeFunction;
import dev.perdure.model.config.ThreadFunction;
import dev.perdure.model.config.TryFunction;
import dev.perdure.model.config.TrySuccess;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationReaderTest {
  @TempDir Path directory;

  @Test
  void shouldReadEverySection() throws Exception {
    Configuration configuration =
        read(
            """
            [pm]
            paths = ["/mnt/pmem0", "pool"]

            [sync]
            acquire = ["my_lock", {function = "rw_read", lock = 1, mode = "shared"}]
            release = ["my_unlock"]
            try = [
              {function = "my_trylock", success = 1},
              {function = "my_tryfor", lock = 1, out = 2},
            ]
            create = [{function = "spawn", thread = 1}]
            join = ["wait_for"]

            [allocators]
            alloc = [
              "pm_alloc",
              {function = "pm_calloc", count = 0, size = 1, zeroed = true},
              {function = "pm_new", address = 0, size = 1},
            ]
            free = ["pm_free"]

            [flush]
            flush = [{function = "wb", length = "line"}]
            fence = ["order"]
            persist = ["save"]

            [[suppress]]
            kind = "persistency-race"
            store = "resize"
            load = "table.c:417"
            reason = "readers check the version"
            benign = true

            [[suppress]]
            any = "third_party/list.h"
            reason = "not ours"

            [fuzz]
            threads = 4
            recover = "./check {pm}"
            [crash]
            images = ["latest", "all"]
            """);

    assertThat(configuration.pmPaths()).containsExactly("/mnt/pmem0", "pool");
    assertThat(configuration.sync().acquire())
        .containsExactly(
            new LockFunction("my_lock", 0, LockMode.EXCLUSIVE),
            new LockFunction("rw_read", 1, LockMode.SHARED));
    assertThat(configuration.sync().release())
        .containsExactly(new LockFunction("my_unlock", 0, LockMode.EXCLUSIVE));
    assertThat(configuration.sync().attempt())
        .containsExactly(
            new TryFunction("my_trylock", 0, LockMode.EXCLUSIVE, new TrySuccess.Returns(1)),
            new TryFunction("my_tryfor", 1, LockMode.EXCLUSIVE, new TrySuccess.OutArgument(2)));
    assertThat(configuration.sync().create())
        .containsExactly(new ThreadFunction("spawn", OptionalInt.of(1)));
    assertThat(configuration.sync().join())
        .containsExactly(new ThreadFunction("wait_for", OptionalInt.of(0)));
    assertThat(configuration.allocators().alloc())
        .containsExactly(
            new AllocFunction("pm_alloc", OptionalInt.empty(), 0, OptionalInt.empty(), false),
            new AllocFunction("pm_calloc", OptionalInt.empty(), 1, OptionalInt.of(0), true),
            new AllocFunction("pm_new", OptionalInt.of(0), 1, OptionalInt.empty(), false));
    assertThat(configuration.allocators().free()).containsExactly(new FreeFunction("pm_free", 0));
    assertThat(configuration.flush().flush())
        .containsExactly(new RangeFunction("wb", 0, OptionalInt.empty()));
    assertThat(configuration.flush().fence()).containsExactly("order");
    assertThat(configuration.flush().persist())
        .containsExactly(new RangeFunction("save", 0, OptionalInt.of(1)));
    assertThat(configuration.fuzz()).isEqualTo(Map.of("threads", "4", "recover", "./check {pm}"));
    assertThat(configuration.crash()).isEqualTo(Map.of("images", "latest,all"));
    var suppressions = configuration.suppressions();
    assertThat(suppressions).hasSize(2);
    assertThat(suppressions.get(0).kind()).contains(FindingKind.PERSISTENCY_RACE);
    assertThat(suppressions.get(0).roles())
        .containsEntry(Role.STORE, new FramePattern.InFunction("resize"))
        .containsEntry(Role.LOAD, new FramePattern.InLine("table.c", 417));
    assertThat(suppressions.get(0).benign()).isTrue();
    assertThat(suppressions.get(0).origin()).isEqualTo(file() + ":27");
    assertThat(suppressions.get(1).any()).contains(new FramePattern.InFile("third_party/list.h"));
    assertThat(suppressions.get(1).origin()).isEqualTo(file() + ":34");
  }

  @Test
  void shouldTakeAnEmptyFileForTheDefaults() throws Exception {
    assertThat(read("# nothing yet\n")).isEqualTo(Configuration.EMPTY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[synch]~acquire = []|:1: unknown key 'synch'; did you mean 'sync'?",
        "~[sync]~aquire = []|:3: unknown key 'aquire' in [sync]; did you mean 'acquire'?",
        "[sync]~try = [~ {function = 'f', succes = 0},~]|:3: unknown key 'succes' in [sync.try]; did you mean 'success'?",
        "[pm]~paths = '/mnt'|:2: 'paths' must be an array of strings, not a string",
        "[pm]~paths = [1]|:2: 'paths' must be an array of strings, not an integer",
        "pm = 3|:1: 'pm' must be a table, not an integer",
        "fuzz = true|:1: 'fuzz' must be a table, not true or false",
        "[sync]~acquire = [{lock = 0}]|:2: [sync.acquire] lacks the key 'function'",
        "[sync]~acquire = [{function = 'f', lock = -1}]|:2: 'lock' is the number of an argument, counted from 0; not -1",
        "[sync]~acquire = [{function = 'f', mode = 'weak'}]|:2: 'mode' must be \"exclusive\" or \"shared\", not \"weak\"",
        "[sync]~try = [{function = 'f', success = 0, out = 1}]|:2: a try function has 'success' or 'out', not both",
        "[[suppress]]~kind = 'missing-flush'|:1: [[suppress]] lacks a reason: say why these findings do not count",
        "[[suppress]]~reason = ' '~any = 'f'|:2: 'reason' must not be empty",
        "[[suppress]]~kind = 'missing-flushes'~reason = 'r'|:2: unknown kind 'missing-flushes'; did you mean 'missing-flush'?",
        "[[suppress]]~benign = 'yes'~any = 'f'~reason = 'r'|:2: 'benign' must be true or false, not a string"
      })
  void shouldNamePlaceAndRemedy(String text, String message) {
    assertThatThrownBy(() -> read(text.replace('~', '\n')))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(file() + message);
  }

  @Test
  void shouldRefuseASuppressionOfEverything() {
    assertThatThrownBy(() -> read("[[suppress]]\nreason = 'all'\n"))
        .hasMessageStartingWith(file() + ":2: [[suppress]] covers everything");
  }

  @Test
  void shouldAskWhatASuccessfulTryReturns() {
    assertThatThrownBy(() -> read("[sync]\ntry = ['f']\n"))
        .hasMessageContaining("try function 'f' must say what a success returns");
  }

  @Test
  void shouldNameTheLineOfASyntaxError() {
    assertThatThrownBy(() -> read("[pm]\npaths = [\n"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageMatching("(?s).*perdure.toml:\\d+: not valid TOML: [^\n]*");
  }

  @Test
  void shouldSayThatThereIsNoFile() {
    assertThatThrownBy(() -> ConfigurationReader.read(directory.resolve("none.toml")))
        .hasMessage(directory.resolve("none.toml") + ": there is no such file");
    assertThatThrownBy(() -> ConfigurationReader.read(directory))
        .isInstanceOf(ConfigurationException.class);
  }

  @Test
  void shouldReadFilesOfSuppressionsOnly() throws Exception {
    Files.writeString(file(), "[[suppress]]\nid = 'PR-00AA11'\nreason = 'known'\n");

    assertThat(ConfigurationReader.readSuppressions(file()).get(0).id()).contains("PR-00AA11");

    Files.writeString(file(), "[[suppress]]\nframe = 'resize'\nreason = 'known'\n");
    assertThat(ConfigurationReader.readSuppressions(file()).get(0).any())
        .contains(new FramePattern.InFunction("resize"));

    Files.writeString(file(), "[pm]\n");
    assertThatThrownBy(() -> ConfigurationReader.readSuppressions(file()))
        .hasMessage(file() + ":1: unknown key 'pm'; did you mean 'suppress'?");
  }

  private Path file() {
    return directory.resolve("perdure.toml");
  }

  private Configuration read(String text) throws IOException, ConfigurationException {
    Files.writeString(file(), text);
    return ConfigurationReader.read(file());
  }
}
