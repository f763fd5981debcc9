package dev.perdure.model.config;

/** How a try function says that it took the lock. */
public sealed interface TrySuccess {

  /** It returns this value. */
  record Returns(long value) implements TrySuccess {}

  /** It stores a value other than zero where this argument points to. */
  record OutArgument(int argument) implements TrySuccess {}
}
