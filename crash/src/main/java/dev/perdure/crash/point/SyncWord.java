package dev.perdure.crash.point;

import dev.perdure.crash.memory.PoolRange;

/** A lock word or the like in a pool, and the value it has after a restart. */
public record SyncWord(PoolRange range, long initial) {}
