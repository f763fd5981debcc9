package dev.perdure.binary.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.flow.ModuleCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanFileTest {
  @TempDir Path folder;

  private Plan plan() throws Exception {
    Files.writeString(
        folder.resolve("p.c"),
        """
        long get(long *p, long n) { long s = 0; while (n-- > 0) s += *p++; return s; }
        void put(long *p) { *p = 1; __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST); }
        int main(int n, char **a) { put((long *)a); return (int)get((long *)a, n); }
        """);
    assertThat(
            new ProcessBuilder("gcc", "-O1", "p.c", "-o", "p")
                .directory(folder.toFile())
                .inheritIO()
                .start()
                .waitFor())
        .isZero();
    ElfFile elf = ElfFile.read(folder.resolve("p")).orElseThrow();
    return Planner.plan(
        elf, ModuleCode.read(elf), Map.of(), Loads.OBSERVED, Map.of(), new byte[16]);
  }

  @Test
  void shouldGiveBackWhatWasWritten() throws Exception {
    Plan plan = plan();
    Path file = folder.resolve("x.plan");
    PlanFile.write(plan, file);

    Plan read = PlanFile.read(file).orElseThrow();

    assertThat(PlanFile.complete(file)).isTrue();
    assertThat(read.sites()).isEqualTo(plan.sites()).isNotEmpty();
    assertThat(read.calls()).isEqualTo(plan.calls()).isSorted();
    assertThat(read.frames()).isEqualTo(plan.frames()).isNotEmpty();
    assertThat(read.moved()).isEqualTo(plan.moved()).isNotEmpty();
    assertThat(read.patches()).usingRecursiveComparison().isEqualTo(plan.patches());
    assertThat(read.patches()).anyMatch(Patch::early).anyMatch(p -> !p.early());
    assertThat(read.coverage()).isEqualTo(plan.coverage());
    assertThat(read.moduleFixups()).isEqualTo(plan.moduleFixups());
    assertThat(Arrays.copyOf(read.code(), plan.code().length)).isEqualTo(plan.code());
  }

  @Test
  void shouldMarkAcquisitionsThatAnotherEventFollows() throws Exception {
    AssembledFunction f =
        AssembledFunction.of(
            folder,
            "call pthread_mutex_lock@plt",
            "call pthread_mutex_unlock@plt",
            "call pthread_mutex_lock@plt");

    Plan plan =
        Planner.plan(
            f.module().elf(), f.module(), Map.of(), Loads.OBSERVED, Map.of(), new byte[16]);

    int[] wanted =
        f.function().code().stream()
            .limit(3)
            .mapToInt(i -> Plan.call(i.end(), i.address() == f.function().start()))
            .toArray();
    assertThat(plan.calls()).containsExactly(wanted);
    assertThat(Plan.callEnd(wanted[0])).isEqualTo(f.function().code().get(0).end());
  }

  @Test
  void shouldTakeADamagedPlanForNone() throws Exception {
    Path file = folder.resolve("x.plan");
    PlanFile.write(plan(), file);
    byte[] whole = Files.readAllBytes(file);
    for (int length : new int[] {0, 10, 72, whole.length - 1}) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThat(PlanFile.complete(file)).isFalse();
      assertThat(PlanFile.read(file)).isEmpty();
    }
  }

  @Test
  void shouldNotOverlapPatches() throws Exception {
    long last = 0;
    for (Patch p :
        plan().patches().stream()
            .sorted(java.util.Comparator.comparingLong(Patch::address))
            .toList()) {
      assertThat(p.address()).isGreaterThanOrEqualTo(last);
      last = p.address() + p.length();
    }
  }
}
