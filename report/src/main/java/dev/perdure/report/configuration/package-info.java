/**
 * Reads {@code perdure.toml}. What the file may contain is listed once, in the reader; everything
 * else in it is an error that names the file, the line and the nearest known key.
 */
package dev.perdure.report.configuration;
