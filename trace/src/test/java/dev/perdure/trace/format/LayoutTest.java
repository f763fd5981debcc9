package dev.perdure.trace.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.event.MemoryOrder;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Asks the C compiler for every number of the header, and Java for its mirror. */
class LayoutTest {
  private static final Path HEADER =
      Path.of(System.getProperty("perdure.home"), "native/include/perdure_trace.h");
  private static final Map<String, Class<?>> STRUCTS =
      Map.of(
          "slot", Layout.Slot.class,
          "header", Layout.Header.class,
          "counters", Layout.Counters.class,
          "ring", Layout.Ring.class,
          "file", Layout.File.class,
          "module", Layout.Module.class,
          "process", Layout.Process.class,
          "stack", Layout.Stack.class,
          "schedule_entry", Layout.ScheduleEntry.class,
          "schedule", Layout.Schedule.class);

  @TempDir Path folder;

  @Test
  void shouldHaveEveryConstantOfTheHeader() throws Exception {
    String header = withoutComments();
    List<String> names =
        Pattern.compile("#define (PERDURE_\\w+) |\\b(PERDURE_\\w+) = \\w+")
            .matcher(header)
            .results()
            .map(m -> m.group(1) == null ? m.group(2) : m.group(1))
            .filter(n -> !n.equals("PERDURE_ENV_RECORDING"))
            .toList();
    Map<String, Long> fromJava = new TreeMap<>();
    Map<String, String> expressions = new LinkedHashMap<>();
    for (String name : names) {
      expressions.put(name, name);
      fromJava.put(name, javaConstant(name));
    }

    assertThat(names).hasSizeGreaterThan(100);
    assertThat(fromJava).isEqualTo(askC(expressions));
    assertThat(Layout.ENV_RECORDING).isEqualTo("PERDURE_RECORDING");
  }

  @Test
  void shouldHaveEveryFieldOfEveryStruct() throws Exception {
    Map<String, String> expressions = new LinkedHashMap<>();
    Map<String, Long> fromJava = new TreeMap<>();
    Matcher structs =
        Pattern.compile("struct perdure_(\\w+) \\{(.*?)\\n\\};", Pattern.DOTALL)
            .matcher(withoutComments());
    while (structs.find()) {
      String struct = structs.group(1);
      Class<?> mirror = STRUCTS.get(struct);
      assertThat(mirror).as("mirror of struct perdure_" + struct).isNotNull();
      for (String field : fields(structs.group(2))) {
        String name = struct + "." + field;
        expressions.put(name, "offsetof(struct perdure_" + struct + ", " + field + ")");
        fromJava.put(name, number(mirror, field.toUpperCase(Locale.ROOT)));
      }
      expressions.put(struct + ".SIZE", "sizeof(struct perdure_" + struct + ")");
      fromJava.put(struct + ".SIZE", number(mirror, "SIZE"));
    }

    assertThat(fromJava).isEqualTo(askC(expressions));
    assertThat(fromJava.keySet().stream().filter(n -> n.endsWith(".SIZE"))).hasSize(STRUCTS.size());
    long constants =
        STRUCTS.values().stream()
            .flatMap(c -> Arrays.stream(c.getFields()))
            .filter(f -> Modifier.isStatic(f.getModifiers()))
            .count();
    assertThat(fromJava).as("no constant without a field").hasSize((int) constants);
  }

  private static String withoutComments() throws IOException {
    return Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL)
        .matcher(Files.readString(HEADER))
        .replaceAll("");
  }

  private static List<String> fields(String body) {
    return Arrays.stream(body.split("[;,]"))
        .map(d -> d.replaceAll("_Alignas\\(\\d+\\)|\\[[^\\]]*\\]", "").strip())
        .filter(d -> !d.isEmpty())
        .map(d -> d.substring(d.lastIndexOf(' ') + 1))
        .toList();
  }

  private static long javaConstant(String name) throws ReflectiveOperationException {
    String bare = name.substring("PERDURE_".length());
    if (bare.startsWith("EV_")) {
      return number(EventKind.class, bare.substring(3));
    }
    if (bare.matches("(RMW|FLUSH|FENCE|REGION|EFFECT|MAP|PERSIST|JOINED|LOCK)_.*")) {
      return number(EventInfo.class, bare);
    }
    if (bare.matches("PLAIN|RELAXED|ACQUIRE_ORDER|RELEASE_ORDER|ACQ_REL|SEQ_CST|VOLATILE")) {
      return number(MemoryOrder.class, bare.replace("_ORDER", ""));
    }
    return number(Layout.class, bare);
  }

  private static long number(Class<?> type, String name) throws ReflectiveOperationException {
    Field field = type.getField(name);
    return ((Number) field.get(null)).longValue();
  }

  private Map<String, Long> askC(Map<String, String> expressions)
      throws IOException, InterruptedException {
    StringBuilder program =
        new StringBuilder(
            "#include <stddef.h>\n#include <stdio.h>\n#include \""
                + HEADER
                + "\"\nint main(void) {\n");
    expressions.forEach(
        (name, expression) ->
            program.append(
                "printf(\"%s %%lld\\n\", (long long)(%s));\n".formatted(name, expression)));
    Path source = Files.writeString(folder.resolve("ask.c"), program.append("}\n"));
    run("gcc", "-o", folder.resolve("ask").toString(), source.toString());
    Map<String, Long> answers = new TreeMap<>();
    for (String line : run(folder.resolve("ask").toString()).lines().toList()) {
      answers.put(line.split(" ")[0], Long.valueOf(line.split(" ")[1]));
    }
    return answers;
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
