package dev.perdure.crash;

import dev.perdure.crash.image.CrashImage;
import dev.perdure.crash.memory.MemoryPage;
import dev.perdure.crash.point.FailurePoint;
import dev.perdure.crash.point.SyncWord;
import dev.perdure.crash.point.WordHistory;
import dev.perdure.crash.recovery.WordCheck;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;

/** The lock words that a crash image holds in a state of use. */
final class LockWords {
  private LockWords() {}

  /** The words that recovery has to reset, each with the store whose value the image has. */
  static List<WordCheck> notInitial(FailurePoint point, CrashImage image) {
    if (point.words().isEmpty()) {
      return List.of();
    }
    Long2ObjectOpenHashMap<byte[]> pages = new Long2ObjectOpenHashMap<>();
    image.forEachPage((address, content) -> pages.put((long) address, content));
    List<WordCheck> words = new ArrayList<>();
    for (WordHistory history : point.words()) {
      SyncWord word = history.word();
      byte[] content = pages.get(word.range().address() & -MemoryPage.SIZE);
      if (content != null) {
        long value = value(content, word);
        int store = history.storeOf(value);
        if (store != 0 && !word.isInitial(value)) {
          words.add(new WordCheck(word, store));
        }
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
