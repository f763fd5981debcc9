package dev.perdure.model.config;

/**
 * A function that takes or frees a lock.
 *
 * @param function plain or mangled name
 * @param lock which argument is the lock, counted from 0
 */
public record LockFunction(String function, int lock, LockMode mode) {}
