package dev.perdure.robust.patch;

import dev.perdure.model.code.Frame;
import dev.perdure.model.repair.Insertion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A repair as a patch of the sources. A flush stands behind its store, a fence before what it
 * precedes; where the text does not tell what is stored to, a comment marks the place instead.
 */
public final class SourcePatch {
  private static final String INCLUDE = "#include <perdure_flush.h>";

  private final Path folder;
  private final Set<String> outside = new TreeSet<>();
  private int marks;

  /**
   * @param folder where relative paths start
   */
  public SourcePatch(Path folder) {
    this.folder = folder;
  }

  /** The patch, to be applied with {@code patch -p0}; empty if there is nothing to insert. */
  public byte[] of(List<Insertion> insertions) throws IOException {
    Map<String, List<Insertion>> files = new TreeMap<>();
    for (Insertion insertion : insertions) {
      Frame frame = insertion.site().innermost();
      if (!frame.file().isEmpty() && frame.line() > 0) {
        String file = Path.of(frame.file()).normalize().toString();
        files.computeIfAbsent(file, f -> new ArrayList<>()).add(insertion);
      }
    }
    StringBuilder text = new StringBuilder();
    outside.clear();
    marks = 0;
    for (var file : files.entrySet()) {
      Path path = folder.resolve(file.getKey());
      if (!isInside(path)) {
        outside.add(file.getKey());
      } else if (Files.isReadable(path)) {
        text.append(diff(file.getKey(), path, file.getValue()));
      }
    }
    // Columns count bytes, and bytes of any encoding must come out as they went in.
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Files that need changes and do not lie in the folder: the last patch leaves them out. */
  public Set<String> outside() {
    return Collections.unmodifiableSet(outside);
  }

  /** Comments in the last patch that a person has to replace by a flush. */
  public int marks() {
    return marks;
  }

  private boolean isInside(Path path) {
    Path root = folder.toAbsolutePath().normalize();
    return path.toAbsolutePath().normalize().startsWith(root);
  }

  private String diff(String name, Path path, List<Insertion> insertions) throws IOException {
    SourceText source = new SourceText(Files.readString(path, StandardCharsets.ISO_8859_1));
    PatchedFile patched = new PatchedFile(source);
    insertions.forEach(patched::insert);
    marks += patched.marks();
    Map<Integer, List<String>> replacements = patched.byLine();
    if (replacements.isEmpty()) {
      return "";
    }
    List<String> lines = source.text().lines().toList();
    int place = 1;
    while (place < lines.size() && !lines.get(place - 1).startsWith("#include")) {
      place++;
    }
    place = place < lines.size() ? place : 1;
    replacements
        .computeIfAbsent(place, line -> new ArrayList<>(List.of(lines.get(line - 1))))
        .add(0, INCLUDE);
    return new UnifiedDiff(lines, replacements).of(name);
  }
}
