/**
 * Executables and libraries as files: header, sections, segments, symbols. Nothing here trusts a
 * number of the file: what lies outside of it reads as empty.
 */
package dev.perdure.binary.elf;
