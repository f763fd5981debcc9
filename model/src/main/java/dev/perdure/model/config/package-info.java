/**
 * What a project tells Perdure about itself ({@code perdure.toml}): its persistent memory, its own
 * synchronisation, allocators and flush functions, and the findings it does not want. Immutable;
 * docs/configuration.md describes the file.
 */
package dev.perdure.model.config;
