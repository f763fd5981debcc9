/** The command line: one class a command, and the glue from a target's events to its report. */
package dev.perdure.cli;
