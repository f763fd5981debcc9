/** Places in the program under test: lines, inline chains, call stacks. */
package dev.perdure.model.code;
