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
 * <p>Limits: vectors and structs in registers have one label as a whole; labels of variable
 * arguments, of structs passed by value and of the argument of a new thread are lost; so are labels
 * in libraries that were not built with {@code perdure cc}.
 */
package dev.perdure.llvm.labels;
