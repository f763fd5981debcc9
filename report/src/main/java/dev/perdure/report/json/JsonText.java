package dev.perdure.report.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/** A tree of JSON values as the text of a file; equal trees give equal bytes. */
final class JsonText {
  private JsonText() {}

  static byte[] of(JsonNode tree) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      write(tree, bytes);
    } catch (IOException e) {
      throw new IllegalStateException("a tree of values can always be written to memory", e);
    }
    return bytes.toByteArray();
  }

  /** Writes the text piece by piece: that of a large program's findings is long. */
  static void write(JsonNode tree, OutputStream out) throws IOException {
    Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    JsonGenerator generator = new ObjectMapper().writer(printer()).createGenerator(text);
    generator.writeTree(tree);
    generator.writeRaw('\n');
    generator.flush();
  }

  private static PrettyPrinter printer() {
    var indenter = new DefaultIndenter("  ", "\n");
    return new DefaultPrettyPrinter(
            Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                .withArrayEmptySeparator("")
                .withObjectEmptySeparator(""))
        .withObjectIndenter(indenter)
        .withArrayIndenter(indenter);
  }
}
