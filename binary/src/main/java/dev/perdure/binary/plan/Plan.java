package dev.perdure.binary.plan;

import java.util.List;
import java.util.Map;

/**
 * What the runtime needs to observe a module.
 *
 * @param id names the module's sites in a recording, 16 bytes
 * @param textLow first address of its code
 * @param textHigh first address behind it
 * @param code the copy
 * @param moduleFixups places in the copy that hold a distance to the module
 * @param siteFixups places in the copy that hold a site
 * @param sites the address of each site
 * @param coverage counts, by what they count
 */
public record Plan(
    byte[] id,
    long textLow,
    long textHigh,
    byte[] code,
    int[] moduleFixups,
    int[] siteFixups,
    List<Patch> patches,
    int[] sites,
    Map<String, Integer> coverage) {}
