/**
 * x86-64 instructions: their length, their memory operand, and what they do with registers and
 * flags. The knowledge is in the table {@code opcodes.txt}; an instruction that it does not have is
 * not decoded, and the function around it is left as it is.
 */
package dev.perdure.binary.decode;
