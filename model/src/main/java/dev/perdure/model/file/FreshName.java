package dev.perdure.model.file;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Names for files and folders that are not there yet: of this process, this moment and a count.
 * They can be guessed, so what is made under one must be made anew. Random ones would first have to
 * find a source of randomness, which delays the start of each command.
 */
public final class FreshName {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private FreshName() {}

  public static String next() {
    return Long.toString(ProcessHandle.current().pid(), Character.MAX_RADIX)
        + "-"
        + Long.toString(System.nanoTime() & Long.MAX_VALUE, Character.MAX_RADIX)
        + "-"
        + COUNT.getAndIncrement();
  }
}
