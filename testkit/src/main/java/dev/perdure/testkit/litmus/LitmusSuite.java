package dev.perdure.testkit.litmus;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** A folder of litmus programs. */
record LitmusSuite(Path folder) {
  private static final Set<String> FOLDERS =
      Set.of("races", "flush", "crash", "fuzz", "fix", "regions");

  LitmusSuite {
    folder = folder.toAbsolutePath().normalize();
  }

  /** The programs whose name matches the pattern; an empty pattern matches all. */
  List<Path> programs(String glob) throws IOException {
    try (var files = Files.walk(folder)) {
      List<Path> programs = new ArrayList<>();
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        if (isProgram(file) && matches(glob, name(file))) {
          programs.add(file);
        }
      }
      return programs;
    }
  }

  /** The folder of litmus.h: the suite itself, or the one above a part of it. */
  Path include() {
    Path above = folder.getParent();
    boolean part = above != null && Files.exists(above.resolve("litmus.h"));
    return part && !Files.exists(folder.resolve("litmus.h")) ? above : folder;
  }

  /** The name in results: suite, folder, file. */
  String name(Path program) {
    return folder.getFileName() + "/" + folder.relativize(program);
  }

  private static boolean isProgram(Path file) throws IOException {
    String name = file.getFileName().toString();
    if (!name.endsWith(".c") && !name.endsWith(".cpp") && !name.endsWith(".cc")) {
      return false;
    }
    if (FOLDERS.contains(file.getParent().getFileName().toString())) {
      return true;
    }
    try (var in = Files.newInputStream(file)) {
      return new String(in.readNBytes(4096), StandardCharsets.UTF_8).contains("LITMUS");
    }
  }

  static boolean matches(String glob, String name) {
    return glob.isEmpty()
        || pattern(glob).matcher(name).matches()
        || pattern(glob).matcher(name.substring(name.lastIndexOf('/') + 1)).matches()
        || pattern("*" + glob + "*").matcher(name).matches();
  }

  private static Pattern pattern(String glob) {
    var regex = new StringBuilder();
    for (int i = 0; i < glob.length(); i++) {
      char c = glob.charAt(i);
      int close = c == '[' ? glob.indexOf(']', i + 2) : -1;
      if (c == '*') {
        regex.append(".*");
      } else if (c == '?') {
        regex.append('.');
      } else if (close > 0) {
        String inside = glob.substring(i + 1, close).replace("\\", "\\\\").replace("[", "\\[");
        regex.append('[').append(inside.replaceFirst("^!", "^")).append(']');
        i = close;
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }
}
