/**
 * A run as a value ({@link dev.perdure.report.run.RunReport}) and as a directory ({@link
 * dev.perdure.report.run.RunDirectory}). findings.json in the directory is the source of every
 * other report; nothing is run again to report.
 */
package dev.perdure.report.run;
