package dev.perdure.llvm.labels;

import dev.perdure.llvm.instrument.Hooks;
import dev.perdure.llvm.ir.Builder;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Type;
import dev.perdure.llvm.ir.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The labels of the fields of structs in registers, beside that of the struct as a whole, which
 * {@link ValueLabels} has. A struct whose fields are not known apart, such as a phi, has its own
 * label for each of them.
 *
 * <p>Labels of a result's fields pass in the slots of arguments: nobody needs these between the
 * return and the next call. A function without labels of its own leaves them as they are, and the
 * result as a whole unlabelled, which tells that they are not meant.
 */
final class StructLabels {
  private static final int MOST_FIELDS = 16;

  private final Hooks hooks;
  private final ValueLabels labels;
  private final Map<Value, List<Value>> fields = new HashMap<>();

  StructLabels(Hooks hooks, ValueLabels labels) {
    this.hooks = hooks;
    this.labels = labels;
  }

  private static boolean isFollowed(Type type) {
    return type.isStruct() && type.fieldCount() <= MOST_FIELDS;
  }

  Value of(Value struct, int field) {
    List<Value> known = fields.get(struct);
    return known == null ? labels.of(struct) : known.get(field);
  }

  /** Notes a new value of one field; the builder stands before the instruction. */
  void inserted(Instruction insert) {
    if (!isFollowed(insert.type())) {
      return;
    }
    Value before = insert.operand(0);
    Value label = labels.of(insert.operand(1));
    List<Integer> path = insert.fieldPath();
    List<Value> now = all(before);
    boolean whole = path.size() == 1;
    now.set(path.get(0), whole ? label : labels.union(of(before, path.get(0)), label));
    fields.put(insert, now);
  }

  /** What memory that is not persistent has for the fields. */
  void loaded(Instruction load) {
    if (!isFollowed(load.type())) {
      return;
    }
    Value address = load.address();
    List<Value> now = new ArrayList<>();
    for (int i = 0; i < load.type().fieldCount(); i++) {
      Value offset = hooks.int64(hooks.module().fieldOffset(load.type(), i));
      Value size = hooks.int64(hooks.module().storeSize(load.type().field(i)));
      Value place = hooks.before(load).offset(address, offset);
      now.add(hooks.event("label_load", load, place, size, labels.of(address)));
    }
    fields.put(load, now);
  }

  /** Behind the label of the whole result; the builder stands before the return. */
  void returned(Value result) {
    if (isFollowed(result.type())) {
      List<Value> each = all(result);
      for (int i = 0; i < each.size(); i++) {
        hooks.call("label_argument", hooks.int32(i), each.get(i));
      }
    }
  }

  /** Behind the label of the whole result; the builder stands behind the call. */
  void received(Value result, Builder builder) {
    if (isFollowed(result.type())) {
      Value meant = builder.notEqual(labels.of(result), labels.none());
      fields.put(
          result,
          IntStream.range(0, result.type().fieldCount())
              .<Value>mapToObj(i -> hooks.call("label_parameter", meant, hooks.int32(i)))
              .toList());
    }
  }

  private List<Value> all(Value struct) {
    List<Value> each = new ArrayList<>();
    for (int i = 0; i < struct.type().fieldCount(); i++) {
      each.add(of(struct, i));
    }
    return each;
  }
}
