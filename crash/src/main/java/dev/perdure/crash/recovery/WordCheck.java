package dev.perdure.crash.recovery;

import dev.perdure.crash.point.SyncWord;
import java.io.Serializable;

/**
 * A lock word that the image does not hold in its initial state, which recovery should give it.
 *
 * @param store the number of its last update
 */
public record WordCheck(SyncWord word, int store) implements Serializable {}
