/**
 * Control-flow graphs of single functions, as numbers: blocks from 0, which is where the function
 * begins, and edges between them. Both front ends make them; nothing here knows of instructions.
 */
package dev.perdure.flow.graph;
