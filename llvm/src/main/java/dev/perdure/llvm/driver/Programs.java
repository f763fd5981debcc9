package dev.perdure.llvm.driver;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;

/** Runs compilers and linkers in the driver's environment. */
record Programs(DriverEnvironment environment) {

  /** Runs a command to its end and returns its exit code. */
  int run(List<String> command) throws IOException {
    return await(start(command));
  }

  /** Starts a command; its output goes where the driver's goes. */
  Process start(List<String> command) throws IOException {
    boolean ownMessages = environment.messages() != System.err;
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(environment.workingDirectory().toFile()).inheritIO();
    builder.environment().clear();
    builder.environment().putAll(environment.variables());
    if (ownMessages) {
      builder.redirectError(ProcessBuilder.Redirect.PIPE);
    }
    return builder.start();
  }

  /** Waits for a command that was started here. */
  int await(Process process) throws IOException {
    try {
      if (environment.messages() != System.err) {
        process.getErrorStream().transferTo(environment.messages());
      }
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }
}
