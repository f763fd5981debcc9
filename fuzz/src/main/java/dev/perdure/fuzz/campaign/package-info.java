/** Campaigns: what to run, running it, and the search that decides what to run next. */
package dev.perdure.fuzz.campaign;
