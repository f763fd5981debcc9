package dev.perdure.report.text;

import dev.perdure.model.finding.Evidence;
import dev.perdure.model.finding.Example;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.Role;
import java.util.List;

/** Why a finding matters and what to do about it, in a sentence or two each. */
final class Advice {
  private Advice() {}

  static String evidence(Evidence evidence) {
    return switch (evidence) {
      case LOCKSET -> "no lock is held both at the load and from the store to its persist";
      case REGION_OVERLAP -> "the writer's and the reader's regions were open at the same time";
      case HAPPENS_BEFORE -> "nothing in this run ordered the end of the window before the load";
      case OBSERVED_READ -> "the load did return bytes that were not persistent yet";
      case DURABLE_EFFECT -> "what was read went on into persistent memory, a file or a socket";
      case NOT_RECOVERED -> "recovery from a crash at that moment leaves the effect in place";
    };
  }

  static String why(Finding finding) {
    return switch (finding.kind()) {
      case PERSISTENCY_RACE ->
          "A crash inside the window takes the stored value back, but a reader may have acted on it"
              + " by then: what it wrote or answered rests on data that no longer exists.";
      case MISSING_FLUSH ->
          "The value may sit in a volatile cache for ever: after a crash the memory may still hold"
              + " the old one, although the program went on.";
      case MISSING_FENCE ->
          "A flush or non-temporal store is only under way until a fence: after a crash the memory"
              + " may still hold the old value.";
      case REDUNDANT_FLUSH ->
          "It costs the time of a flush (and evicts the line with clflush and clflushopt) and"
              + " changes nothing.";
      case REDUNDANT_FENCE -> "It stalls the thread and orders nothing that is not ordered yet.";
      case REDUNDANT_LOG -> "It costs log space and time and protects nothing new.";
      case INTRA_THREAD_INCONSISTENCY ->
          "The thread made something durable out of its own value that was not durable itself.";
      case SYNC_INCONSISTENCY ->
          "After a crash the word says that someone holds it, and nobody is left to free it.";
      case CROSS_FAILURE_RACE -> "Recovery reads a value that a crash may or may not have kept.";
      case CROSS_FAILURE_SEMANTIC ->
          "Recovery reads a value that its commit variable does not vouch for.";
      case RECOVERY_FAILURE -> "After a crash at this point the program does not come back.";
      case TARGET_FAILURE -> "The program itself fails, without any crash of the machine.";
      case ROBUSTNESS_VIOLATION ->
          "Crash states become possible that no prefix of the program's stores explains.";
    };
  }

  static String fix(Finding finding) {
    String store = place(finding, Role.STORE);
    String persist = place(finding, Role.PERSIST);
    return switch (finding.kind()) {
      case PERSISTENCY_RACE -> raceFix(finding, store, persist);
      case MISSING_FLUSH ->
          "Flush every cache line of the store at "
              + store
              + " and fence before anything relies on it.";
      case MISSING_FENCE ->
          persist.isEmpty() || persist.equals(store)
              ? "Put an sfence (or a library drain) after " + store + "."
              : "Put an sfence (or a library drain) after the flush at " + persist + ".";
      case REDUNDANT_FLUSH ->
          "Remove the flush at " + persist + ", or make it depend on whether the line was written.";
      case REDUNDANT_FENCE ->
          "Remove the fence at " + persist + ", or move it behind the flushes it is meant for.";
      case ROBUSTNESS_VIOLATION ->
          "'perdure fix' inserts what is missing; by hand, flush what "
              + (store.isEmpty() ? place(finding, Role.LOAD) : store)
              + " touches and fence before "
              + place(finding, Role.EFFECT)
              + ".";
      default -> "";
    };
  }

  private static String place(Finding finding, Role role) {
    return FrameText.shown(finding, role).map(FrameText::place).orElse("");
  }

  private static String raceFix(Finding finding, String store, String persist) {
    List<String> dropped = finding.example().map(Advice::droppedLocks).orElse(List.of());
    boolean never = finding.example().map(e -> e.endThread() == 0 || e.overwritten()).orElse(false);
    if (never) {
      return "Flush and fence the store at "
          + store
          + " before other threads can read it"
          + (dropped.isEmpty() ? "." : ", that is, before " + names(dropped) + " is released.");
    }
    String what = persist.isEmpty() ? "the persist" : "the persist at " + persist;
    if (!dropped.isEmpty()) {
      return "Move " + what + " up, before " + names(dropped) + " is released.";
    }
    return "Let "
        + what
        + " come before the step that lets other threads read the value, or hold one lock around"
        + " the store and its persist and around the load.";
  }

  /** Locks that protect store and load, but not the way from the store to its persist. */
  static List<String> droppedLocks(Example example) {
    boolean ended = example.endThread() != 0 && !example.overwritten();
    return Example.keepingApart(example.storeLocks(), example.loadLocks()).stream()
        .filter(lock -> !ended || !example.endLocks().contains(lock))
        .toList();
  }

  private static String names(List<String> locks) {
    return String.join(" and ", locks);
  }
}
