package dev.perdure.llvm.driver;

import java.util.List;

/** One argument of a compiler's command line, with its value where that is a word of its own. */
sealed interface Argument {
  /** As it is written on a command line. */
  List<String> words();

  /**
   * A file.
   *
   * @param language what {@code -x} said before it, or {@code none}
   */
  record Input(String path, String language) implements Argument {
    @Override
    public List<String> words() {
      return language.equals("none") ? List.of(path) : List.of("-x", language, path, "-x", "none");
    }
  }

  /** {@code -lNAME}. */
  record Library(String name) implements Argument {
    @Override
    public List<String> words() {
      return List.of("-l" + name);
    }
  }

  /** A word for the linker: one part of {@code -Wl,A,B}, or {@code -Xlinker A}. */
  record LinkerWord(String word) implements Argument {
    @Override
    public List<String> words() {
      return List.of("-Xlinker", word);
    }
  }

  /** {@code -o FILE}. */
  record Output(String path) implements Argument {
    @Override
    public List<String> words() {
      return List.of("-o", path);
    }
  }

  /** Anything else, such as {@code -O2} or {@code -I DIR}. */
  record Option(List<String> words) implements Argument {
    String name() {
      return words.get(0);
    }
  }
}
