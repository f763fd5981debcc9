/**
 * A recording while the target writes it: the shared file, its rings, and their merge into one
 * ordered stream. docs/formats/trace.md has the protocol.
 */
package dev.perdure.trace.live;
