package dev.perdure.crash;

import dev.perdure.crash.image.CrashImage;
import dev.perdure.crash.memory.MemoryPage;
import dev.perdure.crash.point.Declarations;
import dev.perdure.crash.point.FailurePoint;
import dev.perdure.crash.point.SyncWord;
import dev.perdure.crash.recovery.WordCheck;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The lock words of a program, and those that a crash image holds in a state of use. */
final class LockWords {
  private final Declarations declarations;

  LockWords(Declarations declarations) {
    this.declarations = declarations;
  }

  /** The words that recovery has to reset. */
  List<WordCheck> notInitial(FailurePoint point, CrashImage image) {
    if (declarations.syncWords().isEmpty()) {
      return List.of();
    }
    Long2ObjectOpenHashMap<byte[]> pages = new Long2ObjectOpenHashMap<>();
    image.forEachPage((address, content) -> pages.put((long) address, content));
    List<WordCheck> words = new ArrayList<>();
    for (SyncWord word : declarations.syncWords()) {
      long address = word.range().address();
      Optional<MemoryPage> page = point.memory().page(address);
      int store = page.map(p -> p.writer((int) address & MemoryPage.SIZE - 1)).orElse(0);
      byte[] content = pages.get(address & -MemoryPage.SIZE);
      if (store != 0 && value(content, word) != word.initial()) {
        words.add(new WordCheck(word.range(), word.initial(), store));
      }
    }
    return words;
  }

  private static long value(byte[] page, SyncWord word) {
    int at = (int) word.range().address() & MemoryPage.SIZE - 1;
    long value = 0;
    for (int i = 0; i < Math.min(8, word.range().length()) && at + i < page.length; i++) {
      value |= (page[at + i] & 0xffL) << 8 * i;
    }
    return value;
  }
}
