/** The exploration area that steers a campaign; docs/formats/exploration.md explains it. */
package dev.perdure.fuzz.area;
