package dev.perdure.trace.definition;

/**
 * A file of persistent memory and where the target sees it.
 *
 * <p>What records have for equality is put together at run time: this is faster for short runs.
 */
public record PmFile(long device, long inode, long address, long length, String path) {
  @Override
  public boolean equals(Object other) {
    return other instanceof PmFile file
        && device == file.device
        && inode == file.inode
        && address == file.address
        && length == file.length
        && path.equals(file.path);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(31 * (31 * device + inode) + address) ^ path.hashCode();
  }
}
