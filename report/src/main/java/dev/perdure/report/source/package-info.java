/** Source text beside findings: read from files once, then kept with the report. */
package dev.perdure.report.source;
