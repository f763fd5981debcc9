package dev.perdure.trace.definition;

/** A file of persistent memory and where the target sees it. */
public record PmFile(long device, long inode, long address, long length, String path) {}
