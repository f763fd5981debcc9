/** The list of accesses and region starts, as text and as JSON. */
package dev.perdure.report.region;
