/**
 * Traces as text, one line an event, both ways: for eyes, bug reports and tests.
 * docs/formats/trace.md has the grammar.
 */
package dev.perdure.trace.text;
