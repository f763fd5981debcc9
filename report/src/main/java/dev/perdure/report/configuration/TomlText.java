package dev.perdure.report.configuration;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import dev.perdure.model.file.FileReason;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The text of a configuration file: parsed, with the places of its keys. */
final class TomlText {
  private final String name;
  private final String text;
  private final KeyLines lines;

  private TomlText(String name, String text) {
    this.name = name;
    this.text = text;
    this.lines = new KeyLines(text);
  }

  static TomlText read(Path file) throws ConfigurationException {
    try {
      return new TomlText(file.toString(), Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new ConfigurationException(file + ": there is no such file", e);
    } catch (CharacterCodingException e) {
      throw new ConfigurationException(file + ": this is not UTF-8 text", e);
    } catch (IOException e) {
      throw new ConfigurationException(file + ": cannot be read (" + FileReason.of(e) + ")", e);
    }
  }

  ObjectNode parse() throws ConfigurationException {
    try {
      JsonNode node = new TomlMapper().readTree(text);
      return (ObjectNode) node;
    } catch (JsonProcessingException e) {
      String at = e.getLocation() == null ? "" : ":" + e.getLocation().getLineNr();
      throw new ConfigurationException(
          name + at + ": not valid TOML: " + e.getOriginalMessage().lines().findFirst().orElse(""),
          e);
    }
  }

  /** {@code file:line}, or the file alone where the line is not known. */
  String place(String table, String key) {
    var line = lines.of(table, key);
    return line.isPresent() ? name + ":" + line.getAsInt() : name;
  }

  ObjectNode tableWith(String key, String value) {
    return JsonNodeFactory.instance.objectNode().put(key, value);
  }

  static String typeOf(JsonNode node) {
    return switch (node.getNodeType()) {
      case STRING -> "a string";
      case BOOLEAN -> "true or false";
      case NUMBER -> node.isIntegralNumber() ? "an integer" : "a decimal number";
      case ARRAY -> "an array";
      case OBJECT -> "a table";
      default -> "a date or time";
    };
  }
}
