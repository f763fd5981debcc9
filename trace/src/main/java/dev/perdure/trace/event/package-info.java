/** The events of a trace: a flyweight, its kinds, who produces and who receives it. */
package dev.perdure.trace.event;
