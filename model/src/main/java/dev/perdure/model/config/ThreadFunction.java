package dev.perdure.model.config;

/**
 * A function that creates or joins a thread in a way that Perdure cannot see.
 *
 * @param function plain or mangled name
 * @param thread which argument names the thread, counted from 0: what create is given there (or
 *     stores there) and what join is given must be the same word
 */
public record ThreadFunction(String function, int thread) {}
