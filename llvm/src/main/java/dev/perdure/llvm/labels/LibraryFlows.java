package dev.perdure.llvm.labels;

import dev.perdure.llvm.instrument.Hooks;
import dev.perdure.llvm.instrument.PointerOrigin;
import dev.perdure.llvm.ir.Builder;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.ir.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What library functions do with the bytes that they are given, as far as labels go. Functions that
 * are not listed pass none.
 */
final class LibraryFlows {
  /** What is inserted before a call of a function. */
  private interface Rule {
    void apply(LibraryFlows flows, Call call);
  }

  private static final int OBJECT_ID_SIZE = 16;

  private static final Map<String, Rule> RULES = new HashMap<>();

  static {
    for (String name : words("memcpy memmove mempcpy __memcpy_chk __memmove_chk __mempcpy_chk")) {
      RULES.put(name, copies(0, 1, 2));
    }
    for (String part : words("memcpy memmove")) {
      for (String ending : words(" _persist _nodrain")) {
        RULES.put("pmem_" + part + ending.strip(), copies(0, 1, 2));
        RULES.put("pmemobj_" + part + ending.strip(), copies(1, 2, 3));
      }
    }
    for (String name : words("strcpy stpcpy __strcpy_chk __stpcpy_chk")) {
      RULES.put(name, copiesString(0, 1));
    }
    for (String name : words("strncpy stpncpy strlcpy __strncpy_chk")) {
      RULES.put(name, copiesShorter(0, 1, 2));
    }
    for (String name : words("strcat __strcat_chk")) {
      RULES.put(name, (flows, call) -> flows.append(call, Optional.empty()));
    }
    for (String name : words("strncat __strncat_chk")) {
      RULES.put(name, (flows, call) -> flows.append(call, Optional.of(call.argument(2))));
    }
    RULES.put("memset", fills(0, 1, 2));
    RULES.put("__memset_chk", fills(0, 1, 2));
    for (String ending : words(" _persist _nodrain")) {
      RULES.put("pmem_memset" + ending.strip(), fills(0, 1, 2));
      RULES.put("pmemobj_memset" + ending.strip(), fills(1, 2, 3));
    }
    // An object of a size that depends on something stays allocated when that is lost.
    for (String name : words("alloc zalloc xalloc realloc zrealloc")) {
      RULES.put("pmemobj_" + name, (flows, call) -> flows.allocate(call));
    }
    for (String name : words("read pread pread64 recv recvfrom")) {
      RULES.put(name, clears(1, 2));
    }
    RULES.put("fgets", clears(0, 1));
    RULES.put("fread", (flows, call) -> flows.clearElements(call));
    for (String name : words("malloc _Znwm _Znam")) {
      RULES.put(name, (flows, call) -> flows.clearResult(call, call.argument(0)));
    }
    RULES.put("calloc", (flows, call) -> flows.clearResult(call, flows.product(call, 0, 1)));
    for (String name : words("write pwrite pwrite64 send sendto")) {
      RULES.put(name, (flows, call) -> flows.write(call));
    }
    RULES.put("fwrite", (flows, call) -> flows.writeElements(call));
    RULES.put("fputs", (flows, call) -> flows.writeString(call));
    for (String name : words("fputc putc")) {
      RULES.put(name, (flows, call) -> flows.writeValue(call));
    }
    RULES.put("fprintf", (flows, call) -> flows.print(call, true, flows.formatted(call, 1)));
    RULES.put("__fprintf_chk", (flows, call) -> flows.print(call, true, flows.formatted(call, 2)));
    RULES.put("dprintf", (flows, call) -> flows.print(call, false, flows.formatted(call, 1)));
    RULES.put("vfprintf", (flows, call) -> flows.print(call, true, flows.formatList(call, 1)));
    RULES.put("vdprintf", (flows, call) -> flows.print(call, false, flows.formatList(call, 1)));
    RULES.put("sprintf", (flows, call) -> flows.format(call, flows.formatted(call, 1)));
    RULES.put("snprintf", (flows, call) -> flows.format(call, flows.formatted(call, 2)));
    RULES.put("__sprintf_chk", (flows, call) -> flows.format(call, flows.formatted(call, 3)));
    RULES.put("__snprintf_chk", (flows, call) -> flows.format(call, flows.formatted(call, 4)));
    RULES.put("vsprintf", (flows, call) -> flows.format(call, flows.formatList(call, 1)));
    RULES.put("vsnprintf", (flows, call) -> flows.format(call, flows.formatList(call, 2)));
    RULES.put("asprintf", (flows, call) -> flows.formatNew(call, flows.formatted(call, 1)));
    RULES.put("vasprintf", (flows, call) -> flows.formatNew(call, flows.formatList(call, 1)));
    for (String name : words("sscanf __isoc99_sscanf __isoc23_sscanf")) {
      RULES.put(name, (flows, call) -> flows.scan(call));
    }
    for (String name : words("strdup __strdup")) {
      RULES.put(name, (flows, call) -> flows.duplicate(call));
    }
    RULES.put("strndup", (flows, call) -> flows.duplicate(call));
    // What setjmp returns for the second time.
    for (String name : words("longjmp _longjmp siglongjmp __longjmp_chk")) {
      RULES.put(
          name,
          (flows, call) -> flows.hooks.call("label_return", flows.labels.of(call.argument(1))));
    }
    RULES.put("qsort", (flows, call) -> flows.sort(call));
    for (String name : words("writev pwritev pwritev64")) {
      RULES.put(name, (flows, call) -> flows.writeParts(call));
    }
    RULES.put("sendmsg", (flows, call) -> flows.sendMessage(call));
    for (String name :
        words("strlen atoi atol atoll strtol strtoul strtoll strtoull strtod atof")) {
      RULES.put(name, (flows, call) -> flows.readString(call));
    }
    for (String name : words("strcmp strcasecmp strspn strcspn")) {
      RULES.put(name, (flows, call) -> flows.readStrings(call));
    }
    for (String name : words("memcmp bcmp")) {
      RULES.put(name, (flows, call) -> flows.readRanges(call));
    }
    for (String name : words("strchr strrchr strstr memchr memrchr strpbrk")) {
      RULES.put(name, (flows, call) -> flows.labels.set(call, flows.labels.of(call.argument(0))));
    }
  }

  /** Functions that return their first argument, or a place behind it. */
  private static final Set<String> RETURN_TARGET =
      Set.of(
          words(
              "memcpy memmove mempcpy memset strcpy stpcpy strncpy stpncpy strcat __memcpy_chk "
                  + "__memmove_chk __mempcpy_chk __memset_chk __strcpy_chk __strcat_chk"));

  private final Hooks hooks;
  private final ValueLabels labels;
  private final PointerOrigin origin;

  LibraryFlows(Hooks hooks, ValueLabels labels) {
    this.hooks = hooks;
    this.origin = new PointerOrigin(hooks.declared());
    this.labels = labels;
  }

  /** Returns whether the function is known. */
  boolean visit(Call call, String name) {
    Rule rule = RULES.get(name);
    if (rule == null) {
      return false;
    }
    hooks.before(call);
    rule.apply(this, call);
    if (RETURN_TARGET.contains(name)) {
      labels.set(call, labels.of(call.argument(0)));
      written(call);
    }
    return true;
  }

  /** Behind a function that has written to its first argument and flushed nothing. */
  void written(Call call) {
    Value to = call.argument(0);
    if (call.opcode() == Opcode.CALL && !call.isMustTail() && origin.mayBePm(to)) {
      hooks.after(call);
      hooks.event("label_stored", call, to);
    }
  }

  void copy(Call call, Value to, Value from, Value length) {
    hooks.event("label_copy", call, to, from, wide(length), labels.of(to), labels.of(from));
  }

  void fill(Call call, Value to, Value content, Value length) {
    hooks.event("label_fill", call, to, wide(length), content, labels.of(to));
  }

  private static Rule copies(int to, int from, int length) {
    return (flows, call) ->
        flows.copy(call, call.argument(to), call.argument(from), call.argument(length));
  }

  private static Rule copiesString(int to, int from) {
    return (flows, call) ->
        flows.copy(
            call,
            call.argument(to),
            call.argument(from),
            flows.hooks.call("string_length", call.argument(from)));
  }

  private static Rule copiesShorter(int to, int from, int most) {
    return (flows, call) -> {
      Value shorter = flows.shorter(call.argument(from), call.argument(most));
      flows.copy(call, call.argument(to), call.argument(from), shorter);
    };
  }

  /** The length of a text with its end, or the limit, if that is less. */
  private Value shorter(Value text, Value most) {
    Value length = hooks.call("string_length", text);
    Value limit = wide(most);
    Builder builder = hooks.builder();
    return builder.select(builder.unsignedLess(length, limit), length, limit);
  }

  private void append(Call call, Optional<Value> most) {
    Builder builder = hooks.builder();
    Value to = call.argument(0);
    Value length = hooks.call("string_length", to);
    Value end = builder.offset(to, builder.subtract(length, hooks.int64(1)));
    labels.set(end, labels.of(to));
    Value from = call.argument(1);
    Value count = most.isPresent() ? shorter(from, most.get()) : hooks.call("string_length", from);
    copy(call, end, from, count);
  }

  private void duplicate(Call call) {
    Value text = call.argument(0);
    Value label = hooks.event("label_string", call, text, labels.of(text));
    if (call.opcode() == Opcode.CALL) {
      hooks.after(call);
      Value length = hooks.call("string_length", call);
      hooks.event("label_fill", call, call, length, label, labels.none());
    }
  }

  private void sort(Call call) {
    hooks.call("label_mix", call.argument(0), product(call, 1, 2));
  }

  private static Rule fills(int to, int value, int length) {
    return (flows, call) ->
        flows.fill(
            call, call.argument(to), flows.labels.of(call.argument(value)), call.argument(length));
  }

  private static Rule clears(int to, int length) {
    return (flows, call) ->
        flows.fill(call, call.argument(to), flows.labels.none(), call.argument(length));
  }

  private void allocate(Call call) {
    fill(call, call.argument(1), labels.of(call.argument(2)), hooks.int64(OBJECT_ID_SIZE));
  }

  private void clearElements(Call call) {
    fill(call, call.argument(0), labels.none(), product(call, 1, 2));
  }

  private void clearResult(Call call, Value size) {
    if (call.opcode() == Opcode.CALL) {
      hooks.after(call);
      hooks.event("label_fill", call, call, wide(size), labels.none(), labels.none());
    }
  }

  private Value product(Call call, int a, int b) {
    return hooks.builder().multiply(wide(call.argument(a)), wide(call.argument(b)));
  }

  private void write(Call call) {
    output(call, call.argument(0), call.argument(1), wide(call.argument(2)), call.argument(1));
  }

  private void writeElements(Call call) {
    Value descriptor = hooks.call("stream_descriptor", call.argument(3));
    output(call, descriptor, call.argument(0), product(call, 1, 2), call.argument(0));
  }

  private void writeString(Call call) {
    Value descriptor = hooks.call("stream_descriptor", call.argument(1));
    Value text = call.argument(0);
    output(call, descriptor, text, hooks.call("string_length", text), text);
  }

  private void output(Call call, Value descriptor, Value from, Value length, Value pointer) {
    hooks.event("label_output", call, descriptor, from, length, labels.of(pointer));
  }

  private void writeValue(Call call) {
    Value descriptor = hooks.call("stream_descriptor", call.argument(1));
    values(call, descriptor, labels.of(call.argument(0)));
  }

  private void print(Call call, boolean stream, Value label) {
    if (!labels.isNone(label)) {
      Value target = call.argument(0);
      values(call, stream ? hooks.call("stream_descriptor", target) : target, label);
    }
  }

  private void writeParts(Call call) {
    Value parts = call.argument(1);
    Value count = wide(call.argument(2));
    hooks.event("label_outputs", call, call.argument(0), parts, count, labels.of(parts));
  }

  private void sendMessage(Call call) {
    Value message = call.argument(1);
    hooks.event("label_message", call, call.argument(0), message, labels.of(message));
  }

  private void values(Call call, Value descriptor, Value label) {
    Value nothing = hooks.builder().asPointer(hooks.int64(0));
    hooks.event("label_output", call, descriptor, nothing, hooks.int64(0), label);
  }

  /** What the arguments of a format have, and the texts that they point to. */
  private Value formatted(Call call, int format) {
    Value label = labels.none();
    for (int i = format + 1; i < call.argumentCount(); i++) {
      Value argument = call.argument(i);
      Value own = labels.of(argument);
      Value all =
          argument.type().isOrdinaryPointer()
              ? hooks.event(
                  "label_formatted",
                  call,
                  call.argument(format),
                  hooks.int32(i - format - 1),
                  argument,
                  own)
              : own;
      label = labels.union(label, all);
    }
    return label;
  }

  private Value formatList(Call call, int format) {
    return hooks.event("label_format_list", call, call.argument(format), call.argument(format + 1));
  }

  /** The text has what the arguments had; its length is the result. */
  private void format(Call call, Value label) {
    if (call.opcode() == Opcode.CALL) {
      Builder builder = hooks.after(call);
      Value length = builder.add(builder.resize(call, 64), hooks.int64(1));
      Value to = call.argument(0);
      hooks.event("label_fill", call, to, length, label, labels.of(to));
    }
  }

  private void formatNew(Call call, Value label) {
    if (call.opcode() == Opcode.CALL) {
      hooks.after(call);
      hooks.event("label_new_text", call, call.argument(0), call, label);
    }
  }

  private void scan(Call call) {
    Value text = call.argument(0);
    Value label = hooks.event("label_string", call, text, labels.of(text));
    if (call.opcode() == Opcode.CALL) {
      hooks.after(call);
      for (int i = 2; i < call.argumentCount(); i++) {
        Value to = call.argument(i);
        Value index = hooks.int32(i - 2);
        hooks.event("label_scanned", call, call.argument(1), index, to, label, labels.of(to));
      }
    }
  }

  private void readString(Call call) {
    Value text = call.argument(0);
    labels.set(call, hooks.event("label_string", call, text, labels.of(text)));
  }

  private void readStrings(Call call) {
    Value label = labels.none();
    for (int i = 0; i < 2; i++) {
      Value text = call.argument(i);
      label = labels.union(label, hooks.event("label_string", call, text, labels.of(text)));
    }
    labels.set(call, label);
  }

  private void readRanges(Call call) {
    Value label = labels.none();
    Value length = wide(call.argument(2));
    for (int i = 0; i < 2; i++) {
      Value from = call.argument(i);
      label = labels.union(label, hooks.event("label_load", call, from, length, labels.of(from)));
    }
    labels.set(call, label);
  }

  private Value wide(Value length) {
    return hooks.builder().resize(length, 64);
  }

  private static String[] words(String text) {
    return text.split(" ", -1);
  }
}
