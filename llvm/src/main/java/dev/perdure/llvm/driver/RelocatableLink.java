package dev.perdure.llvm.driver;

import java.io.IOException;
import java.util.List;

/**
 * {@code -r}: several objects into one. Bitcode stays bitcode, to be instrumented in the final
 * link. Together with native objects that is not possible: the result is native and is not
 * observed.
 */
record RelocatableLink(DriverEnvironment environment, Programs programs) {

  int run(LinkInputs inputs, List<String> merge, List<String> plainLink) throws IOException {
    boolean onlyBitcode =
        inputs.forSecondLink().stream().noneMatch(Argument.Input.class::isInstance);
    if (onlyBitcode) {
      return programs.run(merge);
    }
    environment
        .messages()
        .println(
            "perdure: warning: -r of bitcode with native objects gives a native object;"
                + " its accesses will not be seen");
    return programs.run(plainLink);
  }
}
