package dev.perdure.cli;

import dev.perdure.model.finding.FindingKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows the page of a kind of finding. */
@Command(
    name = "explain",
    description = "What a kind of finding means, with wrong and right code.",
    mixinStandardHelpOptions = true)
final class ExplainCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "KIND",
      arity = "0..1",
      description = "such as persistency-race, or the id of a finding, such as PR-746CB3")
  private String named = "";

  @Override
  public Integer call() throws IOException {
    Path pages = Home.ofLauncher().findingPages();
    String kind = ofId(named).map(FindingKind::label).orElse(named);
    Path page = pages.resolve(kind + ".md");
    if (!kind.matches("[a-z-]+") || !Files.exists(page)) {
      try (var files = Files.list(pages)) {
        String known =
            files
                .map(f -> f.getFileName().toString())
                .filter(f -> f.endsWith(".md") && !f.equals("README.md"))
                .map(f -> f.substring(0, f.length() - 3))
                .sorted()
                .collect(Collectors.joining(", "));
        throw CommandFailure.usage(
            (named.isEmpty()
                    ? "no kind of finding is named"
                    : "there is no kind of finding '" + named + "' in this version")
                + "; there are: "
                + known);
      }
    }
    System.out.print(Files.readString(page));
    System.out.flush();
    return 0;
  }

  private static Optional<FindingKind> ofId(String id) {
    return Arrays.stream(FindingKind.values())
        .filter(kind -> id.startsWith(kind.prefix() + "-"))
        .findFirst();
  }
}
