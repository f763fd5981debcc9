/** The memory under test: cache lines and persistence domains. */
package dev.perdure.model.memory;
