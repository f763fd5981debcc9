/** What the numbers in a trace stand for, beyond sites and stacks: modules, PM files, processes. */
package dev.perdure.trace.definition;
