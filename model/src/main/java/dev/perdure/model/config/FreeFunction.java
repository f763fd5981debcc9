package dev.perdure.model.config;

/**
 * A function that frees persistent memory.
 *
 * @param function plain or mangled name
 * @param address which argument is the address, counted from 0
 */
public record FreeFunction(String function, int address) {}
