package dev.perdure.fuzz.area;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AreaLayoutTest {
  private static final Path HEADER =
      Path.of(System.getProperty("perdure.home"), "native/include/perdure_exploration.h");

  private static final Map<String, Class<?>> STRUCTS =
      Map.of(
          "sync_point", AreaLayout.SyncPoint.class,
          "turn", AreaLayout.Turn.class,
          "exploration", AreaLayout.Exploration.class);

  @TempDir Path folder;

  @Test
  void shouldAgreeWithTheHeader() throws Exception {
    Map<String, String> expressions = new LinkedHashMap<>();
    Map<String, Long> fromJava = new TreeMap<>();
    for (var struct : STRUCTS.entrySet()) {
      for (Field field : struct.getValue().getFields()) {
        String name = struct.getKey() + "." + field.getName();
        String type = "struct perdure_" + struct.getKey();
        fromJava.put(name, field.getLong(null));
        expressions.put(
            name,
            field.getName().equals("SIZE")
                ? "sizeof(" + type + ")"
                : "offsetof(" + type + ", " + field.getName().toLowerCase(Locale.ROOT) + ")");
      }
    }
    for (Field field : AreaLayout.class.getFields()) {
      if (field.getType() != String.class) {
        fromJava.put(field.getName(), field.getLong(null));
        expressions.put(field.getName(), "PERDURE_" + field.getName());
      }
    }
    assertThat(fromJava).isEqualTo(askC(expressions));
    assertThat(Files.readString(HEADER))
        .contains("PERDURE_ENV_EXPLORATION \"" + AreaLayout.ENV_EXPLORATION + "\"");
  }

  private Map<String, Long> askC(Map<String, String> expressions) throws Exception {
    StringBuilder text =
        new StringBuilder("#include <stddef.h>\n#include <stdio.h>\n#include \"")
            .append(HEADER)
            .append("\"\nint main(void) {\n");
    expressions.forEach(
        (name, expression) ->
            text.append("printf(\"%s %%lld\\n\", (long long)(%s));\n".formatted(name, expression)));
    Path source = Files.writeString(folder.resolve("ask.c"), text.append("}\n"));
    run("gcc", "-o", folder.resolve("ask").toString(), source.toString());
    Map<String, Long> answers = new TreeMap<>();
    for (String line : run(folder.resolve("ask").toString()).lines().toList()) {
      answers.put(line.split(" ")[0], Long.valueOf(line.split(" ")[1]));
    }
    return answers;
  }

  private static String run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
