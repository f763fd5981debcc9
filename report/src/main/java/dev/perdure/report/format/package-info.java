/** The list of report formats. */
package dev.perdure.report.format;
