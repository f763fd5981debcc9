package dev.perdure.model.config;

/**
 * A function that tries to take a lock and tells whether it has.
 *
 * @param function plain or mangled name
 * @param lock which argument is the lock, counted from 0
 */
public record TryFunction(String function, int lock, LockMode mode, TrySuccess success) {}
