package dev.perdure.report.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.model.code.Frame;
import dev.perdure.model.region.AccessKind;
import dev.perdure.model.region.AccessRegion;
import dev.perdure.model.region.CodePlace;
import dev.perdure.report.json.RegionsJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RegionListTest {
  private static final List<AccessRegion> ACCESSES =
      List.of(
          new AccessRegion(
              AccessKind.STORE,
              new CodePlace(new Frame("put", "src/table.c", 25), OptionalLong.empty()),
              List.of(
                  new CodePlace(new Frame("put", "src/table.c", 20), OptionalLong.empty()),
                  new CodePlace(new Frame("put", "src/table.c", 22), OptionalLong.empty()))),
          new AccessRegion(
              AccessKind.LOAD,
              new CodePlace(new Frame("get", "", 0), OptionalLong.of(0x1234)),
              List.of(new CodePlace(new Frame("get", "table.c", 7), OptionalLong.of(0x1200)))));

  @Test
  void shouldShowEachAccessOnOneLine() {
    assertThat(RegionsText.of(ACCESSES))
        .isEqualTo(
            """
            store table.c:25 in put, region from table.c:20, table.c:22
            load  0x1234 in get, region from 0x1200 (table.c:7)
            2 accesses
            """);
  }

  @Test
  void shouldWriteTheJsonOfTheContract() {
    assertThat(new String(RegionsJson.write(ACCESSES), StandardCharsets.UTF_8))
        .startsWith(
            """
            {
              "accesses": [
                {
                  "kind": "store",
                  "function": "put",
                  "file": "src/table.c",
                  "line": 25,
                  "address": null,
                  "starts": [
                    {
                      "file": "src/table.c",
                      "line": 20,
                      "address": null
                    },
            """)
        .contains("\"address\": 4660,", "\"address\": 4608\n");
  }
}
