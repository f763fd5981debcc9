package dev.perdure.trace.definition;

import dev.perdure.model.code.Site;
import dev.perdure.model.code.SiteTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Finds the module, and in it the site, that a site's number belongs to. */
public final class ModuleIndex {
  private final NavigableMap<Integer, ModuleSites> byBase = new TreeMap<>();

  private final Map<Integer, Site> defined = new HashMap<>();

  /** Says what a site is whose module has no table. */
  public void define(int site, Site place) {
    defined.put(site, place);
  }

  public void add(ModuleSites module) {
    byBase.put(module.base(), module);
  }

  /** In the order of their sites' numbers. */
  public List<ModuleSites> modules() {
    return List.copyOf(byBase.values());
  }

  /** The module that has the site. */
  public Optional<ModuleSites> moduleOf(int site) {
    Map.Entry<Integer, ModuleSites> below = byBase.floorEntry(site);
    return below != null && site - below.getKey() < below.getValue().count()
        ? Optional.of(below.getValue())
        : Optional.empty();
  }

  /** The place of a site; {@link Site#UNKNOWN} where no module or no table tells. */
  public Site site(int site) {
    Site known = defined.get(site);
    return known != null
        ? known
        : moduleOf(site).map(module -> place(module, site)).orElse(Site.UNKNOWN);
  }

  private static Site place(ModuleSites module, int site) {
    List<Site> sites = module.sites().map(SiteTable::sites).orElse(List.of());
    int local = site - module.base();
    return local >= 0 && local < sites.size() ? sites.get(local) : Site.UNKNOWN;
  }
}
