package dev.perdure.llvm.driver;

import dev.perdure.llvm.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes archives of some members of others. */
final class NativeArchives {
  private final Toolchain toolchain;
  private final Programs programs;
  private final Scratch scratch;
  private int count;

  NativeArchives(Toolchain toolchain, Programs programs, Scratch scratch) {
    this.toolchain = toolchain;
    this.programs = programs;
    this.scratch = scratch;
  }

  Path create(List<Archive.Member> members) throws IOException {
    Path archive = scratch.file("native%d.a".formatted(count));
    List<String> command =
        new ArrayList<>(List.of(toolchain.archiver().toString(), "rcs", archive.toString()));
    for (Archive.Member member : members) {
      Path object = scratch.file("native%d-%d.o".formatted(count, command.size()));
      Files.write(object, member.bytes());
      command.add(object.toString());
    }
    count++;
    int exit = programs.run(command);
    if (exit != 0) {
      throw new IOException("llvm-ar ended with exit code " + exit);
    }
    return archive;
  }
}
