/**
 * The shadow of persistent memory, byte-precise (SEMANTICS, section 1), that all detectors share.
 *
 * <p>For each word of eight bytes there are the open windows of stores, windows that are over, and
 * loads, each with a mask of the bytes it speaks of. Open windows are exact: one for each store
 * whose bytes are neither persisted nor overwritten. Of windows that are over and of loads the
 * latest of each kind is kept; the packages of the detectors say why that is enough.
 *
 * <p>Invariants. The masks of a word's open windows are disjoint. A window that ends while its
 * bytes are private is not kept, which is initialisation removal. A load record that carries the
 * version of its word has been checked against all windows of its bytes.
 *
 * <p>Addresses are those where a byte of a file was mapped first ({@link
 * dev.perdure.detect.shadow.FileViews}), so that a file that is mapped twice has one shadow.
 *
 * <p>Memory is by touched line (128 bytes for a line that is accessed word by word, 16 for one that
 * was only ever written or read as a whole) and by record; nothing grows with the length of the
 * trace. Large allocations cost nothing until they are used.
 */
package dev.perdure.detect.shadow;
