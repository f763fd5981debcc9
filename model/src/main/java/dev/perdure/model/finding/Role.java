package dev.perdure.model.finding;

import java.util.Locale;

/** The parts that a place can play in a finding; the labels are the keys of findings.json. */
public enum Role {
  STORE,
  LOAD,
  PERSIST,
  EFFECT;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
