/**
 * The detectors of persistency races and of missing and redundant flushes and fences. {@link
 * dev.perdure.detect.Detection} reads a trace once and feeds them all; each has a package with its
 * rules, over one shadow of persistent memory and one model of synchronisation.
 */
package dev.perdure.detect;
