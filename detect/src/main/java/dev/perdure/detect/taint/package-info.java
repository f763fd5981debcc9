/**
 * Durable effects of unpersisted reads: PMRace's inter-thread and intra-thread inconsistencies.
 *
 * <p>Rules. A label names a load; it is of interest if the load returned bytes of open windows, of
 * another thread (inter) or its own (intra). A write to persistent memory whose content or address
 * carries the label, or output to a file or socket that does, is an effect, as long as the window
 * is open: once anybody has persisted the bytes, what follows is none. Writing to the unpersisted
 * bytes themselves is none either (definition 2 of the paper), nor is it where a thread writes, in
 * a transaction, what depends on bytes of the same transaction: a crash takes both back.
 *
 * <p>State. A label's dependencies are kept while they are open; a label without any is not kept at
 * all. Labels, unions and effects arrive as events, so that a saved trace gives the same findings.
 *
 * <p>Limits. Of dependencies with the same store and load sites a label keeps the two newest, and
 * 32 altogether. A window that another store has overwritten unpersisted counts as over. What only
 * decides a branch does not flow.
 */
package dev.perdure.detect.taint;
