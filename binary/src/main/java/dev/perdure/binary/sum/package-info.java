/**
 * What registers hold, computed backwards: an instruction that assigns a sum of registers and a
 * constant is undone by putting that sum in the place of the register.
 */
package dev.perdure.binary.sum;
