/** From the findings of the detectors to those of a report: stable ids, order, suppressions. */
package dev.perdure.report.finding;
