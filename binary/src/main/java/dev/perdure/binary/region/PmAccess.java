package dev.perdure.binary.region;

import dev.perdure.binary.sum.RegisterSum;
import dev.perdure.model.region.AccessKind;
import java.util.List;

/**
 * An access whose address may be persistent memory.
 *
 * @param extent the address, and the count where it is repeated
 */
record PmAccess(AccessKind kind, List<RegisterSum> extent) {}
