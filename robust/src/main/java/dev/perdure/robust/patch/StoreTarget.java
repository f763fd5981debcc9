package dev.perdure.robust.patch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an expression stores to, read from its text: assignments, increments, and calls of functions
 * that are given an address and perhaps a length.
 *
 * @param start where the expression begins in the text
 * @param end behind its end
 * @param nameEnd behind the name of a variable whose evaluation has effects and must happen once; 0
 *     of any other
 * @param address of the first byte, as an expression
 * @param bytes how many, as an expression
 */
record StoreTarget(int start, int end, int nameEnd, String address, String bytes) {
  /** Holds the address of what is evaluated once. */
  private static final String ONCE = "perdure_at";

  private static final Pattern ASSIGNMENT =
      Pattern.compile("(?:[-+*/%&|^]|<<|>>)?=(?!=)|\\+\\+|--");

  /** They write one object, to which their second argument leads. */
  private static final Pattern SECOND =
      Pattern.compile("clock_get(time|res)|f?stat|lstat|(local|gm)time_r|nanosleep|getrusage");

  private static final String ONE_NUMBER = "\"%(hh?|ll?|[jztL])?[diouxXeEfFgGp]\"";
  private static final Pattern VARIABLE = Pattern.compile("\\w+\\s*;");
  private static final Pattern CALL = Pattern.compile("(\\w+)\\s*\\(");
  private static final Pattern BY_LENGTH =
      Pattern.compile("(__builtin_)?(mem(cpy|move|set|pcpy)|st[rp]ncpy)");
  private static final Pattern TEXT =
      Pattern.compile("(__builtin_)?(st[rp]cpy|strn?cat|v?sn?printf)");
  private static final Pattern BY_ADDRESS =
      Pattern.compile("(__atomic|__c11_atomic|__sync|atomic)_\\w+");

  /** An operator or the like that an operand ends before. */
  private static final String ENDS_OPERAND = ",;?:=&|^<>+*/%!~{}";

  /** The call that flushes it. */
  String flush() {
    return "perdure_flush(%s, %s)".formatted(address, bytes);
  }

  /** Whether the variable must not be evaluated again. */
  boolean once() {
    return nameEnd > 0;
  }

  /** What comes before the name of such a variable, to hold its address... */
  String holding(String name) {
    return "{ __typeof__(" + name + ") *" + ONCE + " = &(";
  }

  /** ... and what behind it. */
  static String held() {
    return "); (*" + ONCE + ")";
  }

  /** The store at a place; empty where the text does not tell. */
  static Optional<StoreTarget> at(SourceText source, int offset, Statement within) {
    String code = source.code();
    Matcher operator = ASSIGNMENT.matcher(code).region(offset, code.length());
    if (operator.lookingAt()) {
      return operator.group().matches("\\+\\+|--")
          ? changed(source, offset, within)
          : assigned(source, offset, within);
    }
    Matcher call = CALL.matcher(code).region(offset, code.length());
    if (call.lookingAt()) {
      return called(source, offset, call);
    }
    int copied = copyOperator(code, offset, within);
    return copied >= 0 ? assigned(source, copied, within) : read(source, offset, within);
  }

  /** Of the copy of a struct the compiler knows only where its source is: a variable by itself. */
  private static int copyOperator(String code, int offset, Statement within) {
    int before = offset - 1;
    while (before > within.start() && Character.isWhitespace(code.charAt(before))) {
      before--;
    }
    boolean copy =
        before > within.start()
            && code.charAt(before) == '='
            && "=!<>".indexOf(code.charAt(before - 1)) < 0
            && VARIABLE.matcher(code).region(offset, code.length()).lookingAt();
    return copy ? before : -1;
  }

  /** A variable, or a part of one, that is loaded there. */
  private static Optional<StoreTarget> read(SourceText source, int offset, Statement within) {
    String code = source.code();
    int end = offset;
    while (end < within.end() && Character.isJavaIdentifierPart(code.charAt(end))) {
      end++;
    }
    if (code.startsWith("*", offset)) {
      end = operandEnd(code, offset + 1, within.end(), ENDS_OPERAND);
      return variable(source, offset, end, offset, end);
    }
    int start = offset;
    int depth = 0;
    while (start > within.start()) {
      char c = code.charAt(start - 1);
      boolean arrow = c == '>' && code.charAt(start - 2) == '-';
      depth += c == ')' || c == ']' ? 1 : c == '(' || c == '[' ? -1 : 0;
      boolean part = Character.isJavaIdentifierPart(c) || c == '.' || arrow;
      if (depth < 0 || depth == 0 && !part && c != '(' && c != '[') {
        break;
      }
      start -= arrow ? 2 : 1;
    }
    return end == offset ? Optional.empty() : variable(source, start, end, start, end);
  }

  private static Optional<StoreTarget> assigned(SourceText source, int operator, Statement within) {
    int start = operandStart(source.code(), operator, within.start());
    int end = operandEnd(source.code(), operator, within.end(), ",;");
    return variable(source, start, operator, start, end);
  }

  private static Optional<StoreTarget> changed(SourceText source, int operator, Statement within) {
    String code = source.code();
    int before = operator - 1;
    while (before > within.start() && Character.isWhitespace(code.charAt(before))) {
      before--;
    }
    char following = code.charAt(source.skipBlanks(operator + 2));
    boolean postfix =
        operator > within.start()
            && !Character.isJavaIdentifierPart(following)
            && following != '('
            && (Character.isJavaIdentifierPart(code.charAt(before))
                || code.charAt(before) == ')'
                || code.charAt(before) == ']');
    if (postfix) {
      int start = operandStart(code, operator, within.start());
      return variable(source, start, operator, start, operator + 2);
    }
    int end = operandEnd(code, operator + 2, within.end(), ENDS_OPERAND);
    return variable(source, operator + 2, end, operator, end);
  }

  private static Optional<StoreTarget> variable(
      SourceText source, int from, int to, int start, int end) {
    String name = source.text().substring(from, to).strip();
    boolean declares = name.matches("[\\w:<>]+[\\s*&]+\\w+");
    if (name.isEmpty() || declares) {
      return Optional.empty();
    }
    if (hasEffects(name)) {
      int nameEnd =
          from == start ? from + source.text().substring(from, to).stripTrailing().length() : 0;
      return nameEnd == 0
          ? Optional.empty()
          : Optional.of(new StoreTarget(start, end, nameEnd, ONCE, "sizeof *" + ONCE));
    }
    Matcher field = Pattern.compile("(?s)(.*?)(\\.|->)\\s*(\\w+)$").matcher(name);
    if (field.matches() && isBitField(source, field.group(3))) {
      String object = field.group(1).strip();
      return Optional.of(
          field.group(2).equals(".")
              ? new StoreTarget(start, end, 0, "&(" + object + ")", "sizeof(" + object + ")")
              : new StoreTarget(start, end, 0, object, "sizeof *(" + object + ")"));
    }
    return Optional.of(new StoreTarget(start, end, 0, "&(" + name + ")", "sizeof(" + name + ")"));
  }

  /** As far as the file itself declares it. */
  private static boolean isBitField(SourceText source, String field) {
    return Pattern.compile("\\b" + field + "\\s*:\\s*\\d+\\s*[;,]").matcher(source.code()).find();
  }

  /** Calls are not made twice, except of macros such as D_RW. */
  private static boolean hasEffects(String expression) {
    if (expression.contains("++") || expression.contains("--")) {
      return true;
    }
    Matcher call = CALL.matcher(expression);
    while (call.find()) {
      String name = call.group(1);
      boolean pure = name.equals("sizeof") || name.equals(name.toUpperCase(Locale.ROOT));
      if (!pure) {
        return true;
      }
    }
    return false;
  }

  private static Optional<StoreTarget> called(SourceText source, int offset, Matcher call) {
    String name = call.group(1);
    List<String> arguments = new ArrayList<>();
    int end = arguments(source, call.end(), arguments);
    boolean scansOneNumber =
        name.equals("sscanf") && arguments.size() == 3 && arguments.get(1).matches(ONE_NUMBER);
    if (scansOneNumber || SECOND.matcher(name).matches() && arguments.size() == 2) {
      String object = arguments.get(arguments.size() - 1);
      return hasEffects(object)
          ? Optional.empty()
          : Optional.of(new StoreTarget(offset, end, 0, object, "sizeof *(" + object + ")"));
    }
    String address = arguments.isEmpty() ? "" : arguments.get(0);
    if (address.isEmpty() || hasEffects(address)) {
      return Optional.empty();
    }
    if (BY_LENGTH.matcher(name).matches() && arguments.size() == 3) {
      return hasEffects(arguments.get(2))
          ? Optional.empty()
          : Optional.of(new StoreTarget(offset, end, 0, address, arguments.get(2)));
    } else if (TEXT.matcher(name).matches()) {
      return Optional.of(new StoreTarget(offset, end, 0, address, "strlen(" + address + ") + 1"));
    } else if (BY_ADDRESS.matcher(name).matches()) {
      return Optional.of(new StoreTarget(offset, end, 0, address, "sizeof *(" + address + ")"));
    }
    return Optional.empty();
  }

  /** Reads arguments from behind the parenthesis on; returns the place behind the closing one. */
  private static int arguments(SourceText source, int from, List<String> arguments) {
    String code = source.code();
    int depth = 0;
    int start = from;
    for (int i = from; i < code.length(); i++) {
      char c = code.charAt(i);
      if (depth == 0 && (c == ',' || c == ')')) {
        arguments.add(source.text().substring(start, i).strip());
        start = i + 1;
        if (c == ')') {
          return i + 1;
        }
      }
      depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    }
    return code.length();
  }

  private static int operandStart(String code, int end, int least) {
    int depth = 0;
    for (int i = end - 1; i >= least; i--) {
      char c = code.charAt(i);
      if (c == ')' || c == ']') {
        depth++;
      } else if (c == '(' || c == '[') {
        if (depth-- == 0) {
          return i + 1;
        }
      } else if (depth == 0
          && (";,{}?=".indexOf(c) >= 0 || code.startsWith("&&", i) || code.startsWith("||", i))) {
        return i + (c == '&' || c == '|' ? 2 : 1);
      }
    }
    int word = least;
    return code.startsWith("return", word) ? word + "return".length() : word;
  }

  private static int operandEnd(String code, int from, int most, String ends) {
    int depth = 0;
    for (int i = from; i < most; i++) {
      char c = code.charAt(i);
      if (c == '(' || c == '[') {
        depth++;
      } else if (c == ')' || c == ']') {
        if (depth-- == 0) {
          return i;
        }
      } else if (depth == 0
          && ends.indexOf(c) >= 0
          && !(c == '>' && i > 0 && code.charAt(i - 1) == '-')) {
        return i;
      }
    }
    return most;
  }
}
