package dev.perdure.llvm.instrument;

import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.Function;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The calls of a module and which of them may lead to an event: calls of functions that contain
 * one, directly or through further calls, calls through pointers, and calls of library functions
 * that are not known to be harmless.
 */
final class CallSites {
  private final Map<Function, List<Call>> calls = new HashMap<>();
  private final Map<Function, List<Function>> callers = new HashMap<>();
  private final Set<Function> eventful = new HashSet<>();
  private final Set<Call> followed = new HashSet<>();

  /** Notes a call in a function. */
  void add(Function caller, Call call) {
    calls.computeIfAbsent(caller, c -> new ArrayList<>()).add(call);
    Optional<Function> callee = call.calledFunction();
    if (callee.isPresent() && callee.get().hasBody()) {
      callers.computeIfAbsent(callee.get(), c -> new ArrayList<>()).add(caller);
    } else if (callee.isEmpty() || !LibraryFunctions.isHarmless(callee.get().name())) {
      eventful.add(caller);
    }
  }

  /** Notes a call behind which the thread soon comes to another event. */
  void addFollowed(Call call) {
    followed.add(call);
  }

  boolean isFollowed(Call call) {
    return followed.contains(call);
  }

  /** Notes that a function has an event of its own. */
  void addEvent(Function function) {
    eventful.add(function);
  }

  /** To be called once, when all calls and events are known. */
  void close() {
    Deque<Function> work = new ArrayDeque<>(eventful);
    while (!work.isEmpty()) {
      for (Function caller : callers.getOrDefault(work.pop(), List.of())) {
        if (eventful.add(caller)) {
          work.push(caller);
        }
      }
    }
  }

  /** Whether the function has an event, or leads to one. */
  boolean isEventful(Function function) {
    return eventful.contains(function);
  }

  /** The calls of a function that may lead to an event. */
  List<Call> eventfulCalls(Function caller) {
    return calls.getOrDefault(caller, List.of()).stream().filter(this::mayLeadToEvent).toList();
  }

  private boolean mayLeadToEvent(Call call) {
    Optional<Function> callee = call.calledFunction();
    if (callee.isEmpty()) {
      return true;
    }
    return callee.get().hasBody()
        ? isEventful(callee.get())
        : !LibraryFunctions.isHarmless(callee.get().name());
  }
}
