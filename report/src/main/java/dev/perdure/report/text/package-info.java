/**
 * The terminal report: findings grouped by their store, one block a finding, the two threads side
 * by side in the order of time. A pure rendering of a {@link dev.perdure.report.run.RunReport};
 * equal reports and styles give equal text.
 */
package dev.perdure.report.text;
