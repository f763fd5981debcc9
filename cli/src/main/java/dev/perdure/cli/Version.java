package dev.perdure.cli;

import picocli.CommandLine.IVersionProvider;

/** The version that --version and findings.json name. */
final class Version implements IVersionProvider {
  static final String NUMBER = "0.1.0";

  @Override
  public String[] getVersion() {
    return new String[] {"perdure " + NUMBER};
  }
}
