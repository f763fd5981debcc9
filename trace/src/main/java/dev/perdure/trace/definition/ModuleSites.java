package dev.perdure.trace.definition;

import dev.perdure.model.code.SiteTable;
import java.util.Optional;

/**
 * An instrumented executable or library in one process: its sites have the numbers {@code base} to
 * {@code base + count - 1}.
 *
 * @param id the hash of its site table, 32 hexadecimal digits
 * @param sites empty where the table could not be had
 */
public record ModuleSites(
    int base, int count, int pid, String id, String path, Optional<SiteTable> sites) {}
