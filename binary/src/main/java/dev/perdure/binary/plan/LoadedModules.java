package dev.perdure.binary.plan;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.elf.ElfSegment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The executable and the libraries that its loader will map, as the loader itself says. */
public final class LoadedModules {
  private static final Pattern LIBRARY =
      Pattern.compile("\\s*(?:(\\S+) => )?(/.*) \\(0x[0-9a-f]+\\)");

  /** The C library, whose functions are interposed, and what belongs to it. */
  private static final Pattern NOT_PATCHED =
      Pattern.compile(
          "(libc|libpthread|libdl|librt|libresolv|libnsl|libutil|libanl|libBrokenLocale|libc_malloc_debug|libthread_db|ld-linux-x86-64|libperdure)[.-].*|libnss_.*");

  /**
   * A module as the loader finds it.
   *
   * @param name what others call it that need it
   * @param path the real one
   */
  record Module(String name, Path path) {}

  private LoadedModules() {}

  /** Whether a library's own code stays as it is. */
  public static boolean patched(Path path) {
    return !NOT_PATCHED.matcher(path.getFileName().toString()).matches();
  }

  /** All of them, the program first. */
  static List<Module> of(ElfFile program, Map<String, String> environment)
      throws IOException, InterruptedException {
    Set<Module> all = new LinkedHashSet<>();
    all.add(new Module("", program.path().toRealPath()));
    ProcessBuilder builder =
        new ProcessBuilder(loader(program), "--list", program.path().toRealPath().toString());
    builder.environment().putAll(environment);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    for (String line : output.split("\n")) {
      Matcher m = LIBRARY.matcher(line);
      if (m.matches() && Files.isRegularFile(Path.of(m.group(2)))) {
        Path path = Path.of(m.group(2));
        String name = m.group(1) == null ? path.getFileName().toString() : m.group(1);
        all.add(new Module(name, path.toRealPath()));
      }
    }
    return List.copyOf(all);
  }

  private static String loader(ElfFile program) throws IOException {
    for (ElfSegment s : program.segments()) {
      if (s.type() == ElfSegment.INTERPRETER) {
        return ElfFile.string(program.readAt(s.offset(), s.fileSize()), 0);
      }
    }
    return "/lib64/ld-linux-x86-64.so.2";
  }
}
