package dev.perdure.crash.recovery;

import dev.perdure.crash.memory.PoolRange;
import java.io.Serializable;

/**
 * A lock word that the image does not hold in its initial state.
 *
 * @param initial what recovery should make it
 * @param store the number of its last update
 */
public record WordCheck(PoolRange range, long initial, int store) implements Serializable {}
