/**
 * Calls as both front ends see them: what library functions are known to do, and what the
 * configuration says of functions.
 */
package dev.perdure.flow.call;
