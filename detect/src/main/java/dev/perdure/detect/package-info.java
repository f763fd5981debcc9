/**
 * The detectors of persistency races and of missing and redundant flushes and fences. {@link
 * dev.perdure.detect.Detection} reads a trace once and feeds them all; each has a package with its
 * rules, over one shadow of persistent memory and one model of synchronisation.
 *
 * <p>{@link dev.perdure.detect.Engines} wires them, {@link dev.perdure.detect.Events} and its heirs
 * say what each event means, {@link dev.perdure.detect.RaceCheck} asks the rules of races, and
 * {@link dev.perdure.detect.Conclusions} are what is found in the end.
 */
package dev.perdure.detect;
