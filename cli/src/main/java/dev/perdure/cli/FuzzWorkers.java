package dev.perdure.cli;

import dev.perdure.fuzz.campaign.CampaignRunner;
import dev.perdure.fuzz.campaign.Fuzzer;
import dev.perdure.fuzz.campaign.Search;
import dev.perdure.target.TargetStartException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs a search with several campaigns at a time. */
record FuzzWorkers(List<CampaignRunner> runners) implements AutoCloseable {
  FuzzWorkers {
    runners = List.copyOf(runners);
  }

  /** Searches until it is over. What stops one worker stops the search. */
  void run(Search search) throws IOException, TargetStartException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(runners.size());
    try {
      List<Future<?>> workers = new ArrayList<>();
      for (CampaignRunner runner : runners) {
        Fuzzer fuzzer = new Fuzzer(search, runner);
        workers.add(
            threads.submit(
                () -> {
                  fuzzer.run();
                  return null;
                }));
      }
      for (Future<?> worker : workers) {
        worker.get();
      }
    } catch (ExecutionException e) {
      interrupt();
      rethrow(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  /** Ends the campaigns that run. */
  void interrupt() {
    runners.forEach(CampaignRunner::interrupt);
  }

  @Override
  public void close() throws IOException {
    for (CampaignRunner runner : runners) {
      runner.close();
    }
  }

  private static void rethrow(Throwable cause)
      throws IOException, TargetStartException, InterruptedException {
    if (cause instanceof IOException e) {
      throw e;
    }
    if (cause instanceof TargetStartException e) {
      throw e;
    }
    if (cause instanceof InterruptedException e) {
      throw e;
    }
    if (cause instanceof RuntimeException e) {
      throw e;
    }
    throw new IllegalStateException(cause);
  }
}
