package dev.perdure.target;

import dev.perdure.trace.definition.PmFile;
import dev.perdure.trace.live.PrivateView;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a target of a crash test sees that a plain run does not have.
 *
 * @param views paths that lead to private files
 * @param places where PM files are to be mapped
 * @param libraryChanges whether the stores of PM libraries are recorded
 * @param outputFile takes standard output and error, and standard input is empty; without it all
 *     three are as the command says
 * @param small whether this is a short run: its recording is small and lies in the run directory,
 *     and processes that it leaves behind are killed
 * @param siteTables where to look up sites; shared by runs of the same program
 */
public record Surroundings(
    List<PrivateView> views,
    List<PmFile> places,
    boolean libraryChanges,
    Optional<Path> outputFile,
    boolean small,
    SiteTables siteTables) {

  public Surroundings {
    views = List.copyOf(views);
    places = List.copyOf(places);
  }

  /** Nothing special. */
  public static Surroundings plain() {
    return new Surroundings(List.of(), List.of(), false, Optional.empty(), false, new SiteTables());
  }
}
