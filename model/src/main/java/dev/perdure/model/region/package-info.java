/** What the front ends say of accesses and of the regions around them. */
package dev.perdure.model.region;
