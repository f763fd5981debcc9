package dev.perdure.detect.shadow;

import java.util.function.Consumer;

/** The shadow pages by address: an open-addressed table with a memory of the last page. */
final class PageTable {
  private ShadowPage[] slots = new ShadowPage[256];
  private int count;
  private ShadowPage last = ShadowPage.NONE;

  /** The page of an address, or {@link ShadowPage#NONE}. */
  ShadowPage find(long address) {
    long number = address >>> ShadowPage.SHIFT;
    if (last.number == number) {
      return last;
    }
    for (int i = slot(number); slots[i] != null; i = i + 1 & slots.length - 1) {
      if (slots[i].number == number) {
        last = slots[i];
        return last;
      }
    }
    return ShadowPage.NONE;
  }

  ShadowPage at(long address) {
    ShadowPage page = find(address);
    if (page != ShadowPage.NONE) {
      return page;
    }
    if (2 * ++count > slots.length) {
      ShadowPage[] old = slots;
      slots = new ShadowPage[2 * old.length];
      for (ShadowPage p : old) {
        if (p != null) {
          insert(p);
        }
      }
    }
    last = new ShadowPage(address >>> ShadowPage.SHIFT);
    insert(last);
    return last;
  }

  void forEach(Consumer<ShadowPage> action) {
    for (ShadowPage page : slots) {
      if (page != null) {
        action.accept(page);
      }
    }
  }

  int count() {
    return count;
  }

  private void insert(ShadowPage page) {
    int i = slot(page.number);
    while (slots[i] != null) {
      i = i + 1 & slots.length - 1;
    }
    slots[i] = page;
  }

  private int slot(long number) {
    return (int) (number * 0x9E3779B97F4A7C15L >>> 32) & slots.length - 1;
  }
}
