/**
 * What Perdure costs: ratios to the native program, measured in one run on one machine. Nothing
 * here is asserted by a test.
 */
package dev.perdure.bench;
