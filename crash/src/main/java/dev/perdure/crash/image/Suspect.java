package dev.perdure.crash.image;

import java.io.Serializable;

/**
 * Why a byte must not be read by recovery.
 *
 * @param store the number of the store that wrote it last
 */
public record Suspect(Reason reason, int store) implements Serializable {
  /** What is wrong with the byte. */
  public enum Reason {
    /** Its last store was not persistent. */
    NOT_PERSISTED,
    /** Its last store came after the last write of its commit variable. */
    UNCOMMITTED,
    /** Its last store came before the last write of its commit variable but one. */
    STALE
  }
}
