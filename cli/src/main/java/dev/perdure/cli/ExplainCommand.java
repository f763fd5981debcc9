package dev.perdure.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  @Parameters(paramLabel = "KIND", description = "such as persistency-race")
  private String kind;

  @Override
  public Integer call() throws IOException {
    Path pages = Home.ofLauncher().findingPages();
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
            "there is no kind of finding '" + kind + "' in this version; there are: " + known);
      }
    }
    System.out.print(Files.readString(page));
    System.out.flush();
    return 0;
  }
}
