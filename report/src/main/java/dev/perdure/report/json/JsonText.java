package dev.perdure.report.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A tree of JSON values as the text of a file; equal trees give equal bytes. The tree is walked
 * here: an object mapper would do it, but takes longer to be made than a report to be written.
 */
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
    JsonGenerator generator = new JsonFactory().createGenerator(text);
    generator.setPrettyPrinter(printer());
    write(tree, generator);
    generator.writeRaw('\n');
    generator.flush();
  }

  private static void write(JsonNode node, JsonGenerator to) throws IOException {
    switch (node.getNodeType()) {
      case OBJECT -> {
        to.writeStartObject();
        for (Map.Entry<String, JsonNode> field : node.properties()) {
          to.writeFieldName(field.getKey());
          write(field.getValue(), to);
        }
        to.writeEndObject();
      }
      case ARRAY -> {
        to.writeStartArray();
        for (JsonNode element : node) {
          write(element, to);
        }
        to.writeEndArray();
      }
      case STRING -> to.writeString(node.textValue());
      case BOOLEAN -> to.writeBoolean(node.booleanValue());
      case NULL -> to.writeNull();
      case NUMBER -> {
        if (node.isIntegralNumber()) {
          to.writeNumber(node.bigIntegerValue());
        } else {
          to.writeNumber(node.doubleValue());
        }
      }
      default -> throw new IllegalArgumentException("no value of JSON: " + node.getNodeType());
    }
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
