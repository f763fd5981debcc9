/**
 * Golden files: outputs that are kept beside the tests and compared as text, with what changes from
 * run to run scrubbed out.
 */
package dev.perdure.testkit.golden;
