package dev.perdure.llvm.region;

import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Value;
import dev.perdure.model.region.AccessKind;
import java.util.List;
import java.util.OptionalLong;

/**
 * An access whose address may be persistent memory.
 *
 * @param extent the address, and the length where it is no constant of the type
 * @param size the length otherwise
 */
record PmAccess(AccessKind kind, Instruction instruction, List<Value> extent, OptionalLong size) {}
