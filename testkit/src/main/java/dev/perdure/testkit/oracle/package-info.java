/**
 * The completeness oracle of the binary front end: the accesses to persistent memory that qemu-user
 * saw in a run of one thread, beside those that Perdure recorded of the same program. Both are sets
 * of (instruction, kind, bytes of the pool): how often, in which order and in pieces of which size
 * does not matter. The code of libc is left out, whose functions Perdure interposes; what happens
 * inside flushes, copies and locks of PM libraries may be missing, which are recorded as a whole.
 */
package dev.perdure.testkit.oracle;
