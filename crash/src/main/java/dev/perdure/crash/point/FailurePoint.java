package dev.perdure.crash.point;

import dev.perdure.crash.memory.MemorySnapshot;
import dev.perdure.crash.memory.OpenStores;
import dev.perdure.model.finding.Place;
import java.util.Collection;
import java.util.List;

/**
 * A moment of the run at which the machine may fail, with all that the failure leaves.
 *
 * @param index among the points of the run before merging, from 1
 * @param position in the trace
 * @param place where the program was
 * @param memory everything written so far
 * @param open the lines with stores that are on their way
 * @param protections ranges that a transaction's log restores
 * @param commits the commit variables that say something
 * @param words the lock words, with the stores that gave them their values
 * @param sizes the sizes of the pools by index, negative for those that do not exist yet
 */
public record FailurePoint(
    int index,
    long position,
    Place place,
    MemorySnapshot memory,
    Collection<OpenStores> open,
    LoggedRanges protections,
    List<CommitWrites> commits,
    List<WordHistory> words,
    long[] sizes) {}
