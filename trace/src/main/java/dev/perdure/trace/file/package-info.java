/**
 * The saved trace: compressed chunks of merged events, each preceded by the definitions that it
 * needs. A file that ends early is a shorter trace. docs/formats/trace.md has the format.
 */
package dev.perdure.trace.file;
