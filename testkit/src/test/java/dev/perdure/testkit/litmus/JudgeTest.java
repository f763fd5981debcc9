package dev.perdure.testkit.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JudgeTest {
  private static final String PROGRAM =
      """
      /* LITMUS
       * command: run
       * expect: persistency-race store=S1 load=L1 level>=observed
       * allow: missing-flush store=S1
       * allow: persistency-race store=S2 level<=possible
       * forbid: missing-fence
       * allow: missing-fence
       * END */
      a //@S1
      b //@L1
      c //@S2
      """;
  private static final String RACE =
      "{'kind': 'persistency-race', 'level': 'observed', 'evidence': ['lockset'],"
          + " 'store': {'file': '/x/prog.c', 'line': 9}, 'load': {'file': 'prog.c', 'line': 10}}";

  @Test
  void shouldPassWithExpectedAndAllowedFindings() throws Exception {
    assertThat(judge(RACE)).isEmpty();
    assertThat(judge(RACE, "{'kind': 'missing-flush', 'store': {'file': 'prog.c', 'line': 9}}"))
        .isEmpty();
  }

  @Test
  void shouldMissWhatIsNotThere() throws Exception {
    assertThat(judge())
        .containsExactly("missing: persistency-race store=S1 load=L1 level>=observed");
    assertThat(judge(RACE.replace("observed", "proven")))
        .containsExactly(
            "missing: persistency-race store=S1 load=L1 level>=observed  (found only:"
                + " persistency-race store=prog.c:9 load=prog.c:10 level=proven evidence=lockset)");
  }

  @Test
  void shouldRejectWhatNoRuleCovers() throws Exception {
    assertThat(judge(RACE, "{'kind': 'missing-flush', 'store': {'file': 'prog.c', 'line': 11}}"))
        .containsExactly("unexpected: missing-flush store=prog.c:11");
    assertThat(judge(RACE, RACE.replace("9}", "11}")))
        .containsExactly(
            "unexpected: persistency-race store=prog.c:11 load=prog.c:10 level=observed"
                + " evidence=lockset");
    assertThat(judge(RACE, RACE.replace("9}", "11}").replace("observed", "possible"))).isEmpty();
  }

  @Test
  void shouldForbidEvenWhatIsAllowed() throws Exception {
    assertThat(judge(RACE, "{'kind': 'missing-fence'}"))
        .containsExactly("forbidden: missing-fence");
  }

  @Test
  void shouldTakeTheNearestFrameInTheProgram() throws Exception {
    String inlined =
        RACE.replace(
            "{'file': '/x/prog.c', 'line': 9}",
            "{'file': 'litmus.h', 'line': 3, 'stack': [{'file': 'b.h', 'line': 1},"
                + " {'file': 'prog.c', 'line': 9}, {'file': 'prog.c', 'line': 2}]}");

    assertThat(judge(inlined)).isEmpty();
  }

  @Test
  void shouldTakeAnyLineOfTheFunctionWithoutDebugInformation() throws Exception {
    var places = new Places.ByFunction(Map.of("writer", Set.of(9, 11), "reader", Set.of(10)));
    String race =
        "{'kind': 'persistency-race', 'level': 'observed', 'evidence': ['lockset'],"
            + " 'store': {'function': 'memcpy', 'stack': [{'function': 'writer.part.0'}]},"
            + " 'load': {'function': 'reader', 'offset': 18}}";

    assertThat(judge(places, race)).isEmpty();
    assertThat(judge(places, race.replace("reader", "writer")))
        .containsExactly(
            "missing: persistency-race store=S1 load=L1 level>=observed",
            "unexpected: persistency-race store=writer load=writer level=observed"
                + " evidence=lockset");
    assertThat(judge(places, race, "{'kind': 'missing-flush', 'store': {'function': 'main'}}"))
        .containsExactly("unexpected: missing-flush store=main");
  }

  @Test
  void shouldNotForbidANeighbourOfWhatIsWantedInTheSameFunction() throws Exception {
    var places = new Places.ByFunction(Map.of("writer", Set.of(9, 11), "reader", Set.of(10)));
    String race =
        "{'kind': 'persistency-race', 'level': 'observed', 'store': {'function': 'writer'},"
            + " 'load': {'function': 'reader'}}";

    assertThat(judge(places, race, "{'kind': 'missing-fence'}")).isEmpty();
  }

  private static List<String> judge(String... findings)
      throws LitmusFormatException, JsonProcessingException {
    return judge(new Places.ByLine("prog.c"), findings);
  }

  private static List<String> judge(Places places, String... findings)
      throws LitmusFormatException, JsonProcessingException {
    List<JudgedFinding> found = new ArrayList<>();
    for (String finding : findings) {
      JsonNode node = new ObjectMapper().readTree(finding.replace('\'', '"'));
      found.add(new JudgedFinding(node, places));
    }
    return Judge.judge(LitmusProgram.parse(Path.of("prog.c"), PROGRAM), found);
  }
}
