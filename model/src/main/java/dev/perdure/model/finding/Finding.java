package dev.perdure.model.finding;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One finding: a kind, its places by role, the evidence, and one worked example. Identity is the
 * kind with the places of its roles; two detectors that see the same pair add evidence to one
 * finding.
 *
 * @param places the roles that apply
 * @param otherStacks for each role, further distinct call stacks that were seen (a few)
 * @param count how many times it was seen
 * @param message one sentence a person can act on
 * @param example threads, addresses, locks and times of one occurrence
 * @param notes further sentences, such as that this very run ordered the pair
 * @param crash the injected failure, for what was found behind one
 * @param effect what the bytes flowed into, where that was followed
 */
public record Finding(
    FindingKind kind,
    Map<Role, Place> places,
    Map<Role, List<Place>> otherStacks,
    Set<Evidence> evidence,
    long count,
    String message,
    Optional<Example> example,
    List<String> notes,
    Optional<CrashPoint> crash,
    Optional<DurableEffect> effect) {

  /** A finding whose data was not followed. */
  public Finding(
      FindingKind kind,
      Map<Role, Place> places,
      Map<Role, List<Place>> otherStacks,
      Set<Evidence> evidence,
      long count,
      String message,
      Optional<Example> example,
      List<String> notes,
      Optional<CrashPoint> crash) {
    this(
        kind,
        places,
        otherStacks,
        evidence,
        count,
        message,
        example,
        notes,
        crash,
        Optional.empty());
  }

  /** A finding of a run without injected failures, whose data was not followed. */
  public Finding(
      FindingKind kind,
      Map<Role, Place> places,
      Map<Role, List<Place>> otherStacks,
      Set<Evidence> evidence,
      long count,
      String message,
      Optional<Example> example,
      List<String> notes) {
    this(kind, places, otherStacks, evidence, count, message, example, notes, Optional.empty());
  }

  public Finding {
    places = Map.copyOf(places);
    otherStacks = Map.copyOf(otherStacks);
    evidence = evidence.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(evidence));
    notes = List.copyOf(notes);
  }

  /** The same finding with its places in another form. */
  public Finding with(Map<Role, Place> newPlaces, Map<Role, List<Place>> newOtherStacks) {
    return new Finding(
        kind, newPlaces, newOtherStacks, evidence, count, message, example, notes, crash, effect);
  }

  public Optional<Place> place(Role role) {
    return Optional.ofNullable(places.get(role));
  }

  /** Persistency races have the level of their best evidence; every other kind is proven. */
  public Level level() {
    return kind == FindingKind.PERSISTENCY_RACE ? Evidence.levelOf(evidence) : Level.PROVEN;
  }
}
