package dev.perdure.robust.program;

import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.ir.Value;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.config.RangeFunction;
import dev.perdure.robust.pm.PmSources;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What calls out of the program do, by the name of the function. What is not known may store, may
 * hand anything to another thread, and may never come back: everything must be persistent before.
 */
final class ExternalCalls {
  private final PmSources sources;
  private final Map<String, RangeFunction> flushes = new HashMap<>(LibraryKnowledge.FLUSHES);
  private final Map<String, RangeFunction> persists = new HashMap<>(LibraryKnowledge.PERSISTS);
  private final Set<String> fences = new HashSet<>(LibraryKnowledge.FENCES);
  private final Set<String> releases = new HashSet<>();
  private final Set<String> harmless = new HashSet<>();
  private final Set<String> named = new HashSet<>();
  private final Map<String, String> readableNames;

  /**
   * @param readableNames mangled names with their demangled forms
   */
  ExternalCalls(Configuration configuration, PmSources sources, Map<String, String> readableNames) {
    this.sources = sources;
    this.readableNames = readableNames;
    configuration.flush().flush().forEach(f -> flushes.put(name(f.function()), f));
    configuration.flush().persist().forEach(f -> persists.put(name(f.function()), f));
    configuration.flush().fence().forEach(f -> fences.add(name(f)));
    configuration.sync().release().forEach(f -> releases.add(name(f.function())));
    configuration.sync().acquire().forEach(f -> harmless.add(name(f.function())));
    configuration.sync().attempt().forEach(f -> harmless.add(name(f.function())));
    configuration.allocators().alloc().forEach(f -> name(f.function()));
    configuration.allocators().free().forEach(f -> harmless.add(name(f.function())));
  }

  private String name(String function) {
    named.add(function);
    return function;
  }

  /** Whether the configuration says what a function does, so that its body does not matter. */
  boolean isNamed(String function) {
    return named.contains(function) || named.contains(readable(function));
  }

  void read(Call call, String mangled, StepSink sink) {
    Optional<Marks.Kind> mark = Marks.of(call);
    if (mark.isPresent()) {
      mark(call, mark.get(), sink);
      return;
    }
    String function = named.contains(readable(mangled)) ? readable(mangled) : mangled;
    if (function.startsWith("llvm.")) {
      intrinsic(call, function, sink);
    } else if (persists.containsKey(function)) {
      range(call, persists.get(function), false, sink);
      sink.fence();
    } else if (flushes.containsKey(function)) {
      range(call, flushes.get(function), false, sink);
    } else if (fences.contains(function)) {
      sink.fence();
    } else if (function.equals("pmemobj_drain")) {
      sink.fence();
    } else if (function.startsWith("pmem_mem") || function.startsWith("pmemobj_mem")) {
      libraryCopy(call, function, sink);
    } else if (LibraryKnowledge.WRITERS.containsKey(function)) {
      LibraryKnowledge.Writer writer = LibraryKnowledge.WRITERS.get(function);
      fetchOthers(call, writer.to(), sink);
      written(call, writer, sink);
    } else if (LibraryKnowledge.SCANNERS.containsKey(function)) {
      scanned(call, LibraryKnowledge.SCANNERS.get(function), sink);
    } else if (LibraryKnowledge.THROWING_WRITERS.containsKey(function)) {
      unknown(call, "call of " + readable(function), sink);
      written(call, LibraryKnowledge.THROWING_WRITERS.get(function), sink);
    } else if (function.equals("fread")) {
      elements(call, 1, sink);
    } else if (function.equals("__fread_chk")) {
      elements(call, 2, sink);
    } else if (LibraryKnowledge.SORTERS.contains(function)) {
      unknown(call, "call of " + function, sink);
      elements(call, 1, sink);
    } else if (sources.allocator(function).isPresent()) {
      allocated(call, function, sink);
    } else if (LibraryKnowledge.THREAD_ENDS.contains(function)) {
      sink.release("end of the thread", false);
      sink.end();
      mayUnwind(call, sink);
    } else if (LibraryKnowledge.ENDS.contains(function)) {
      sink.end();
    } else if (LibraryKnowledge.FENCED_RELEASES.contains(function)) {
      publishArguments(call, sink);
      sink.release("call of " + function, true);
    } else if (releases.contains(function) || function.equals("pthread_spin_unlock")) {
      sink.release("call of " + function, false);
    } else if (LibraryKnowledge.DISPOSERS.contains(function)) {
      sink.dispose();
    } else if (!isHarmless(function)) {
      unknown(call, "call of " + readable(function), sink);
    }
  }

  /** Code that nothing is known of. */
  void unknown(Call call, String what, StepSink sink) {
    publishArguments(call, sink);
    sink.release(what, false);
    sink.dispose();
    mayUnwind(call, sink);
  }

  private static void mayUnwind(Call call, StepSink sink) {
    if (call.opcode() != Opcode.INVOKE) {
      sink.unwind();
    }
  }

  private boolean isHarmless(String function) {
    return harmless.contains(function) || LibraryKnowledge.isHarmless(function);
  }

  /** Whether no exception comes out of a function; to run out of memory counts as none. */
  boolean throwsNothing(String function) {
    return harmless.contains(function)
        || LibraryKnowledge.callsNothingBack(function)
            && !LibraryKnowledge.THREAD_ENDS.contains(function);
  }

  private String readable(String mangled) {
    return readableNames.getOrDefault(mangled, mangled);
  }

  private static void publishArguments(Call call, StepSink sink) {
    for (int i = 0; i < call.argumentCount(); i++) {
      sink.publish(call.argument(i));
    }
  }

  /** A copy loads from the arguments that it does not write to. */
  private static void fetchOthers(Call call, int to, StepSink sink) {
    for (int i = 0; i < call.argumentCount(); i++) {
      if (i != to) {
        sink.fetch(call.argument(i));
      }
    }
  }

  private static void mark(Call call, Marks.Kind kind, StepSink sink) {
    switch (kind) {
      case ALLOC -> sink.allocate(Marks.address(call));
      case RELEASE -> sink.release("PERDURE_RELEASE", false);
      default -> {}
    }
  }

  private static void intrinsic(Call call, String name, StepSink sink) {
    if (name.startsWith("llvm.memcpy.")
        || name.startsWith("llvm.memmove.")
        || name.startsWith("llvm.memset.")) {
      fetchOthers(call, 0, sink);
      write(call, 0, 2, Step.Manner.PLAIN, sink);
      return;
    }
    if (name.startsWith("llvm.masked.store.")) {
      vector(call, 1, call.argument(0), sink);
      return;
    }
    switch (name) {
      case "llvm.x86.clwb", "llvm.x86.clflushopt" -> flush(call, false, sink);
      case "llvm.x86.sse2.clflush" -> flush(call, true, sink);
      case "llvm.x86.sse.sfence", "llvm.x86.sse2.mfence" -> sink.fence();
      case "llvm.x86.directstore32" -> direct(call, Integer.BYTES, sink);
      case "llvm.x86.directstore64" -> direct(call, Long.BYTES, sink);
      case "llvm.x86.movdir64b" -> direct(call, 64, sink);
      default -> {}
    }
  }

  private static void vector(Call call, int to, Value value, StepSink sink) {
    if (sink.mayBePm(call.argument(to))) {
      long size = (long) value.type().lanes() * Long.BYTES;
      Place place = sink.addresses().place(call.argument(to), Extent.of(size));
      sink.write(place, Values.NONE, Step.Manner.PLAIN);
    }
  }

  private static void flush(Call call, boolean ordered, StepSink sink) {
    if (sink.mayBePm(call.argument(0))) {
      sink.flush(sink.addresses().place(call.argument(0), Extent.of(1)), ordered);
    }
  }

  private static void direct(Call call, int size, StepSink sink) {
    if (sink.mayBePm(call.argument(0))) {
      Place place = sink.addresses().place(call.argument(0), Extent.of(size, size));
      sink.write(place, Values.NONE, Step.Manner.NON_TEMPORAL);
    }
  }

  private static void range(Call call, RangeFunction range, boolean ordered, StepSink sink) {
    if (range.address() < call.argumentCount() && sink.mayBePm(call.argument(range.address()))) {
      Extent extent =
          range.length().isPresent() && range.length().getAsInt() < call.argumentCount()
              ? sink.addresses().extent(call.argument(range.length().getAsInt()), 1)
              : Extent.of(1);
      sink.flush(sink.addresses().place(call.argument(range.address()), extent), ordered);
    }
  }

  /**
   * The copies of libpmem and libpmemobj flush by themselves and fence, unless their name or their
   * flags say otherwise.
   */
  private static void libraryCopy(Call call, String function, StepSink sink) {
    int to = function.startsWith("pmemobj_") ? 1 : 0;
    int flags = to + 3;
    boolean persists = function.endsWith("_persist");
    Step.Manner manner = Step.Manner.NON_TEMPORAL;
    if (flags < call.argumentCount()) {
      long known = call.argument(flags).constantInteger().orElse(LibraryKnowledge.COPY_NO_FLUSH);
      boolean flushes = (known & LibraryKnowledge.COPY_NO_FLUSH) == 0;
      persists = flushes && (known & LibraryKnowledge.COPY_NO_DRAIN) == 0;
      manner = flushes ? Step.Manner.NON_TEMPORAL : Step.Manner.PLAIN;
    }
    fetchOthers(call, to, sink);
    write(call, to, to + 2, manner, sink);
    if (persists) {
      sink.fence();
    }
  }

  /**
   * The first argument is an array; how large an element is and how many there are say the one
   * given and the next.
   */
  private static void elements(Call call, int first, StepSink sink) {
    if (sink.mayBePm(call.argument(0))) {
      boolean firstKnown = call.argument(first).constantInteger().isPresent();
      int known = firstKnown ? first : first + 1;
      int other = firstKnown ? first + 1 : first;
      // Where both are known only when the program runs, a part is flushed: see the limits.
      long factor = call.argument(known).constantInteger().orElse(1);
      Extent extent = sink.addresses().extent(call.argument(other), factor);
      Place place = sink.addresses().place(call.argument(0), extent);
      sink.write(place, Values.NONE, Step.Manner.PLAIN);
    }
  }

  private static void written(Call call, LibraryKnowledge.Writer writer, StepSink sink) {
    if (sink.mayBePm(call.argument(writer.to()))) {
      Extent extent =
          switch (writer.length()) {
            case LibraryKnowledge.Writer.TEXT -> Extent.STRING;
            case LibraryKnowledge.Writer.FIXED -> Extent.of(writer.bytes());
            default -> sink.addresses().extent(call.argument(writer.length()), writer.bytes());
          };
      Place place = sink.addresses().place(call.argument(writer.to()), extent);
      sink.write(place, Values.NONE, Step.Manner.PLAIN);
    }
  }

  private static void scanned(Call call, int format, StepSink sink) {
    ScanFormat conversions = new ScanFormat(call.argument(format).constantString());
    Step.Manner manner = Step.Manner.PLAIN;
    for (int i = format + 1; i < call.argumentCount(); i++) {
      if (sink.mayBePm(call.argument(i))) {
        Extent extent = conversions.extent(i - format - 1);
        sink.write(sink.addresses().place(call.argument(i), extent), Values.NONE, manner);
        manner = Step.Manner.BESIDE;
      }
    }
  }

  private static void write(Call call, int to, int length, Step.Manner manner, StepSink sink) {
    if (!sink.mayBePm(call.argument(to))) {
      return;
    }
    Extent extent = sink.addresses().extent(call.argument(length), 1);
    sink.write(sink.addresses().place(call.argument(to), extent), Values.NONE, manner);
  }

  private void allocated(Call call, String function, StepSink sink) {
    boolean byResult = sources.allocator(function).orElseThrow().out().isEmpty();
    if (byResult && call.type().isPointer()) {
      sink.allocate(call);
    }
  }
}
