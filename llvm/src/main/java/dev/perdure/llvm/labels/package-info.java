/**
 * Code that carries a label beside each value: the set of loads of persistent memory that the value
 * depends on (PMRace, section 4.3; the scheme is that of DataFlowSanitizer).
 *
 * <p>Rules. A load of PM has a new label, joined with what its bytes and its address carry. The
 * result of an instruction carries the labels of its operands, a phi or select that of the value it
 * takes; what only decides a branch or a select does not flow. Labels pass memory byte by byte,
 * calls through slots of the thread, and the library functions that {@link
 * dev.perdure.llvm.labels.LibraryFlows} lists. Stores to PM and output to files announce the labels
 * of content and address.
 *
 * <p>Limits: vectors in registers have one label as a whole, and so have fields of a struct that
 * share a register and structs that meet in a phi; labels in libraries that were not built with
 * {@code perdure cc} are lost.
 */
package dev.perdure.llvm.labels;
