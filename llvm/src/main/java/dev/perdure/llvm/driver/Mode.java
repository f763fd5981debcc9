package dev.perdure.llvm.driver;

import java.util.List;

/** Which compiler the driver stands in for. */
public enum Mode {
  C("cc", List.of()),
  CXX("c++", List.of("--driver-mode=g++"));

  private final String command;
  private final List<String> clangArguments;

  Mode(String command, List<String> clangArguments) {
    this.command = command;
    this.clangArguments = clangArguments;
  }

  /** The name of Perdure's command. */
  public String command() {
    return command;
  }

  List<String> clangArguments() {
    return clangArguments;
  }
}
