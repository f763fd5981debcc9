package dev.perdure.trace.live;

/**
 * A path under which the target sees a file or folder of its own.
 *
 * @param path what the target asks for, absolute
 * @param own what it gets
 */
public record PrivateView(String path, String own) {}
