package dev.perdure.report.configuration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;

/**
 * One table of the file while it is read: typed access to its keys, with errors that say where and
 * what. Its known keys are given at the start, so a mistyped key is found before anything is used.
 */
final class TomlTable {
  private final TomlText text;
  private final String path;
  private final JsonNode node;

  private TomlTable(TomlText text, String path, JsonNode node) {
    this.text = text;
    this.path = path;
    this.node = node;
  }

  static TomlTable root(TomlText text, ObjectNode node, String... known)
      throws ConfigurationException {
    return new TomlTable(text, "", node).checked(known);
  }

  private TomlTable checked(String... known) throws ConfigurationException {
    var names = new TreeSet<>(Arrays.asList(known));
    for (Iterator<String> keys = node.fieldNames(); keys.hasNext(); ) {
      String key = keys.next();
      if (!names.contains(key)) {
        String where = path.isEmpty() ? "" : " in " + shown();
        throw error(
            key,
            "unknown key '%s'%s; did you mean '%s'?"
                .formatted(key, where, NearestName.of(key, names).orElse("")));
      }
    }
    return this;
  }

  /** A table below this one; an empty one where it is not there. */
  TomlTable table(String key, String... known) throws ConfigurationException {
    JsonNode child = node.path(key);
    if (!child.isMissingNode() && !child.isObject()) {
      throw wrongType(key, "a table", child);
    }
    return new TomlTable(text, below(key), child).checked(known);
  }

  /** The tables of an array of tables. */
  List<TomlTable> tables(String key, String... known) throws ConfigurationException {
    List<TomlTable> tables = new ArrayList<>();
    for (JsonNode element : elements(key, "an array of tables")) {
      if (!element.isObject()) {
        throw wrongType(key, "an array of tables", element);
      }
      tables.add(new TomlTable(text, element(key, tables.size()), element).checked(known));
    }
    return tables;
  }

  /** Functions: a name alone, or a table with the key {@code function} and those given. */
  List<TomlTable> functions(String key, String... known) throws ConfigurationException {
    String[] keys = Arrays.copyOf(known, known.length + 1);
    keys[known.length] = "function";
    List<TomlTable> functions = new ArrayList<>();
    for (JsonNode element : elements(key, "an array of functions")) {
      JsonNode table = element;
      if (element.isTextual()) {
        table = text.tableWith("function", element.textValue());
      } else if (!element.isObject()) {
        throw wrongType(key, "an array of function names or tables", element);
      }
      functions.add(new TomlTable(text, element(key, functions.size()), table).checked(keys));
    }
    return functions;
  }

  List<String> strings(String key) throws ConfigurationException {
    List<String> strings = new ArrayList<>();
    for (JsonNode element : elements(key, "an array of strings")) {
      if (!element.isTextual()) {
        throw wrongType(key, "an array of strings", element);
      }
      strings.add(element.textValue());
    }
    return strings;
  }

  Optional<String> string(String key) throws ConfigurationException {
    JsonNode value = node.path(key);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (!value.isTextual()) {
      throw wrongType(key, "a string", value);
    }
    if (value.textValue().isBlank()) {
      throw error(key, "'%s' must not be empty".formatted(key));
    }
    return Optional.of(value.textValue());
  }

  /** A string, a number, or the strings of an array with commas between them. */
  Optional<String> words(String key) throws ConfigurationException {
    JsonNode value = node.path(key);
    if (value.isIntegralNumber()) {
      return Optional.of(value.asText());
    }
    return value.isArray() ? Optional.of(String.join(",", strings(key))) : string(key);
  }

  String requiredString(String key) throws ConfigurationException {
    Optional<String> value = string(key);
    if (value.isEmpty()) {
      throw error(key, "%s lacks the key '%s'".formatted(shown(), key));
    }
    return value.get();
  }

  boolean flag(String key) throws ConfigurationException {
    JsonNode value = node.path(key);
    if (!value.isMissingNode() && !value.isBoolean()) {
      throw wrongType(key, "true or false", value);
    }
    return value.booleanValue();
  }

  Optional<Long> integer(String key) throws ConfigurationException {
    JsonNode value = node.path(key);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw wrongType(key, "an integer", value);
    }
    return Optional.of(value.longValue());
  }

  /** The number of an argument, counted from 0. */
  OptionalInt argument(String key) throws ConfigurationException {
    Optional<Long> value = integer(key);
    if (value.isPresent() && (value.get() < 0 || value.get() > 63)) {
      throw error(
          key,
          "'%s' is the number of an argument, counted from 0; not %d".formatted(key, value.get()));
    }
    return value.isPresent() ? OptionalInt.of(value.get().intValue()) : OptionalInt.empty();
  }

  int argument(String key, int otherwise) throws ConfigurationException {
    return argument(key).orElse(otherwise);
  }

  /** Whether the key is there with exactly this string. */
  boolean says(String key, String word) {
    return node.path(key).isTextual() && node.path(key).textValue().equals(word);
  }

  boolean has(String key) {
    return node.has(key);
  }

  /** Where a key of this table stands, as messages name it. */
  String origin() {
    return text.place(path, "");
  }

  ConfigurationException error(String key, String message) {
    return new ConfigurationException(text.place(path, key) + ": " + message);
  }

  private Iterable<JsonNode> elements(String key, String type) throws ConfigurationException {
    JsonNode value = node.path(key);
    if (value.isMissingNode()) {
      return List.of();
    }
    if (!value.isArray()) {
      throw wrongType(key, type, value);
    }
    return value;
  }

  private ConfigurationException wrongType(String key, String wanted, JsonNode found) {
    return error(key, "'%s' must be %s, not %s".formatted(key, wanted, TomlText.typeOf(found)));
  }

  private String below(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  private String element(String key, int index) {
    return below(key) + "[" + index + "]";
  }

  private String shown() {
    String plain = path.replaceAll("\\[\\d+\\]", "");
    return plain.equals("suppress") ? "[[suppress]]" : "[" + plain + "]";
  }
}
