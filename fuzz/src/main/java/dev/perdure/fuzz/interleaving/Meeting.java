package dev.perdure.fuzz.interleaving;

/**
 * A load that returned what the store of another thread had left unpersisted.
 *
 * @param load its site
 * @param store its site
 */
public record Meeting(int load, int store) {}
