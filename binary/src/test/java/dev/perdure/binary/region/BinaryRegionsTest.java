package dev.perdure.binary.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.flow.ModuleCode;
import dev.perdure.binary.sum.RegisterSum;
import dev.perdure.flow.region.Start;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The three conditions of a start, on all paths of the code as LLVM disassembles it. Set {@code
 * perdure.regions.every} to 1 to look at every access of the libraries.
 */
class BinaryRegionsTest {
  @TempDir Path folder;

  /** What a look at a module's regions brought. */
  private record Looked(int starts, int beyondTheBlock, int rewritten, List<String> wrong) {}

  @ParameterizedTest
  @CsvSource({"libpmemobj.so.1, 1", "libpmem.so.1, 40", "libstdc++.so.6, 60", "libc.so.6, 60"})
  void shouldStartOnlyWhereAllThreeConditionsHoldInLibraries(String library, int every)
      throws Exception {
    Path path = Path.of("/usr/lib/x86_64-linux-gnu", library);
    assumeTrue(Files.exists(path), library + " is not installed");
    Looked looked = look(path, Integer.getInteger("perdure.regions.every", every));
    assertThat(looked.wrong).isEmpty();
    assertThat(looked.starts).isGreaterThan(300);
    assertThat(looked.beyondTheBlock).isGreaterThan(looked.starts / 20);
    assertThat(looked.rewritten).isGreaterThan(looked.starts / 20);
  }

  @Test
  void shouldStartOnlyWhereAllThreeConditionsHoldIfStartsAreAnnounced() throws Exception {
    Looked looked = look(RandomAssembly.library(folder, 6, 1500), 1, s -> s.operand().isPresent());
    assertThat(looked.wrong).isEmpty();
    assertThat(looked.starts).isGreaterThan(1500);
    assertThat(looked.rewritten).isGreaterThan(looked.starts / 40);
  }

  @Test
  void shouldStartOnlyWhereAllThreeConditionsHoldInRandomFunctions() throws Exception {
    Looked looked = look(RandomAssembly.library(folder, 5, 1500), 1);
    assertThat(looked.wrong).isEmpty();
    assertThat(looked.starts).isGreaterThan(1500);
    assertThat(looked.beyondTheBlock).isGreaterThan(looked.starts / 20);
    assertThat(looked.rewritten).isGreaterThan(looked.starts / 20);
  }

  private static Looked look(Path path, int every) throws Exception {
    return look(path, every, sum -> true);
  }

  private static Looked look(Path path, int every, Predicate<RegisterSum> usable) throws Exception {
    ModuleCode module = ModuleCode.read(ElfFile.read(path).orElseThrow());
    TextModule text = new TextModule(module);
    List<String> wrong = new ArrayList<>();
    int[] counts = new int[4];
    BinaryRegions.reader(module)
        .each(
            usable,
            found -> {
              if (text.at(found.code().start()) == null || counts[3]++ % every != 0) {
                return;
              }
              long access = found.code().at(found.place()).address();
              TextPaths paths =
                  new TextPaths(text, found.code().start(), found.code().end(), access);
              for (Start<List<RegisterSum>> start : found.starts()) {
                long address = found.code().at(start.place()).address();
                Optional<String> problem =
                    paths.check(address, start.address(), found.access().extent());
                problem.ifPresent(
                    p -> wrong.add("access %x, start %x: %s".formatted(access, address, p)));
                counts[0]++;
                counts[1] += start.place().block() != found.place().block() ? 1 : 0;
                counts[2] += start.address().equals(found.access().extent()) ? 0 : 1;
              }
            });
    return new Looked(counts[0], counts[1], counts[2], wrong);
  }
}
