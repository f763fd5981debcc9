/**
 * The one vocabulary of findings: kinds, roles, evidence and levels (SEMANTICS, sections 3 and 6).
 */
package dev.perdure.model.finding;
