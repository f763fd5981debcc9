package dev.perdure.cli;

import java.lang.reflect.Proxy;
import java.util.List;

/**
 * Hears signals that come while the JVM ends already: by itself it only takes note of the first.
 * The platform's class for that is reached by its name, since javac warns of every direct use.
 */
final class LaterSignals {
  private static final List<String> NAMES = List.of("INT", "TERM", "HUP");

  private LaterSignals() {}

  /** From now on each of these signals does this, and nothing else. */
  static void handle(Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object answer =
          Proxy.newProxyInstance(
              LaterSignals.class.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                action.run();
                return null;
              });
      for (String name : NAMES) {
        Object number = signal.getConstructor(String.class).newInstance(name);
        signal.getMethod("handle", signal, handler).invoke(null, number, answer);
      }
    } catch (ReflectiveOperationException e) {
      // A platform without that class: the first signal was heard, and the patience with the target
      // comes to its end by itself.
    }
  }
}
