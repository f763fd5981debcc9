package dev.perdure.llvm.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tells the inputs of a link apart: bitcode takes part in the first link only, everything else in
 * both. Of an archive with both kinds of members, the second link gets a copy with the native ones.
 */
final class LinkInputs {
  private final DriverEnvironment environment;
  private final NativeArchives nativeArchives;
  private final List<Path> searchPath = new ArrayList<>();
  private final List<Argument> forSecondLink = new ArrayList<>();
  private boolean preferArchives;
  private boolean bitcode;

  LinkInputs(DriverEnvironment environment, NativeArchives nativeArchives) {
    this.environment = environment;
    this.nativeArchives = nativeArchives;
  }

  /** Goes through the arguments, which contain no sources any more. */
  void read(List<Argument> arguments) throws IOException {
    for (Argument argument : arguments) {
      if (argument instanceof Argument.Option option) {
        addSearchPath(option.words());
      }
    }
    String fromEnvironment = environment.variables().getOrDefault("LIBRARY_PATH", "");
    for (String folder : fromEnvironment.split(":")) {
      if (!folder.isEmpty()) {
        searchPath.add(environment.workingDirectory().resolve(folder));
      }
    }
    for (Argument argument : arguments) {
      read(argument);
    }
  }

  /** Whether there is anything to instrument. */
  boolean hasBitcode() {
    return bitcode;
  }

  /** The arguments without bitcode. */
  List<Argument> forSecondLink() {
    return List.copyOf(forSecondLink);
  }

  private void addSearchPath(List<String> words) {
    if (words.get(0).startsWith("-L")) {
      String folder = words.size() > 1 ? words.get(1) : words.get(0).substring(2);
      searchPath.add(environment.workingDirectory().resolve(folder));
    }
  }

  private void read(Argument argument) throws IOException {
    if (argument instanceof Argument.Input input) {
      add(argument, Optional.of(environment.workingDirectory().resolve(input.path())));
    } else if (argument instanceof Argument.Library library) {
      add(argument, find(library.name()));
    } else if (argument instanceof Argument.LinkerWord word) {
      readLinkerWord(word);
    } else {
      forSecondLink.add(argument);
    }
  }

  private void readLinkerWord(Argument.LinkerWord word) throws IOException {
    switch (word.word()) {
      case "-Bstatic", "-dn", "-non_shared", "-static" -> preferArchives = true;
      case "-Bdynamic", "-dy", "-call_shared" -> preferArchives = false;
      default -> {}
    }
    if (word.word().startsWith("-l")) {
      add(word, find(word.word().substring(2)));
    } else if (word.word().startsWith("-")) {
      forSecondLink.add(word);
    } else {
      add(word, Optional.of(environment.workingDirectory().resolve(word.word())));
    }
  }

  private void add(Argument argument, Optional<Path> file) throws IOException {
    InputKind kind =
        file.isPresent() && Files.isRegularFile(file.get())
            ? InputKind.ofFile(file.get())
            : InputKind.NATIVE;
    if (kind == InputKind.BITCODE) {
      bitcode = true;
    } else if (kind == InputKind.ARCHIVE) {
      addArchive(argument, file.get());
    } else {
      forSecondLink.add(argument);
    }
  }

  private void addArchive(Argument argument, Path file) throws IOException {
    Archive archive = Archive.read(file);
    if (!archive.hasBitcode()) {
      forSecondLink.add(argument);
      return;
    }
    bitcode = true;
    List<Archive.Member> rest = archive.nativeMembers();
    if (!rest.isEmpty()) {
      forSecondLink.add(new Argument.LinkerWord(nativeArchives.create(rest).toString()));
    }
  }

  /** As a linker looks for {@code -lNAME} in the folders of {@code -L}. */
  private Optional<Path> find(String name) {
    List<String> names =
        name.startsWith(":")
            ? List.of(name.substring(1))
            : preferArchives
                ? List.of("lib" + name + ".a")
                : List.of("lib" + name + ".so", "lib" + name + ".a");
    for (Path folder : searchPath) {
      for (String candidate : names) {
        Path file = folder.resolve(candidate);
        if (Files.isRegularFile(file)) {
          return Optional.of(file);
        }
      }
    }
    return Optional.empty();
  }
}
