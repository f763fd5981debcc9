package dev.perdure.model.config;

import java.util.Locale;

/** Whether others may hold the lock at the same time. */
public enum LockMode {
  EXCLUSIVE,
  SHARED;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
