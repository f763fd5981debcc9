package dev.perdure.model.config;

import java.util.OptionalInt;

/**
 * A function of the program that creates a thread or waits for one.
 *
 * @param function plain or mangled name
 * @param thread which argument names the thread, counted from 0: what create is given there (or
 *     stores there) and what join is given must be the same word; empty where create returns it
 */
public record ThreadFunction(String function, OptionalInt thread) {}
