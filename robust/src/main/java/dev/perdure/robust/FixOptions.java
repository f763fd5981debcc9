package dev.perdure.robust;

/**
 * What a repair is to do.
 *
 * @param strip whether the program's own flushes and fences are taken out first
 * @param insert whether anything is inserted; otherwise only violations are looked for
 */
public record FixOptions(
    FixMode mode, boolean strip, boolean insert, FlushInstruction instruction) {}
