package dev.perdure.fuzz.interleaving;

/**
 * A load and a store of another thread that come together at a word: the load returned what the
 * store had left unpersisted, or the store made out of date what the load had returned.
 *
 * @param load its site
 * @param store its site
 */
public record Meeting(int load, int store) {}
