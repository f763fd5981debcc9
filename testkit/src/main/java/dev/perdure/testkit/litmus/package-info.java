/**
 * Litmus programs: small C and C++ programs that carry their expected findings in a comment. This
 * package reads the format (litmus/README.md), runs the programs through the real command line and
 * judges what comes out.
 */
package dev.perdure.testkit.litmus;
