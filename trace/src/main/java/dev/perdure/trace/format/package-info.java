/** The numbers of native/include/perdure_trace.h, and what follows from them. */
package dev.perdure.trace.format;
