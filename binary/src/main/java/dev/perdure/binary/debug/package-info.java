/**
 * From an address in an executable or library to the line of source: reads DWARF 2 to 5, split
 * ({@code .dwo}, {@code .dwp}), compressed, detached (build-id, {@code .gnu_debuglink}) and shared
 * ({@code .gnu_debugaltlink}). Nothing is read before an address asks for it: the root of every
 * compilation unit first, then the functions and lines of the units that are asked for. Without
 * debug information the symbol table answers.
 */
package dev.perdure.binary.debug;
