package dev.perdure.target;

import dev.perdure.trace.definition.TargetProcess;
import dev.perdure.trace.live.LiveSource;
import dev.perdure.trace.live.Recording;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Watches a run from its start to the end of its last process: enforces time limits, passes
 * interrupts on, tells the source when nothing more can come.
 */
final class Supervisor {
  private static final Duration TICK = Duration.ofMillis(10);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

  /** Signals that ask a program to end: SIGHUP, SIGINT, SIGKILL, SIGTERM. */
  private static final Set<Integer> REQUESTS = Set.of(1, 2, 9, 15);

  /** Those that a terminal, or a shell that ends, sends to all of its processes. */
  private static final Set<Integer> SENT_TO_ALL = Set.of(1, 2, 15);

  /**
   * How long to wait for others.
   *
   * @param afterInterrupt for the target to end by a Ctrl-C that its terminal sent it, before it is
   *     asked to
   * @param forSignal for a signal that has ended the target, and that a terminal sends to all, to
   *     come here too
   * @param afterRequest for the target to end when asked to, before it is killed
   * @param forDaemons for processes that outlive the main one
   */
  record Patience(
      Duration afterInterrupt, Duration forSignal, Duration afterRequest, Duration forDaemons) {
    static final Patience DEFAULT =
        new Patience(
            Duration.ofMillis(300),
            Duration.ofSeconds(2),
            Duration.ofSeconds(10),
            Duration.ofSeconds(5));
    static final Patience SHORT =
        new Patience(
            Duration.ofMillis(300),
            Duration.ofSeconds(2),
            Duration.ofSeconds(5),
            Duration.ofSeconds(1));
  }

  private final Process process;
  private final TargetCommand command;
  private final FollowedProcesses followed;
  private final ProcessTree tree;
  private final Recording recording;
  private final LiveSource source;
  private final Patience patience;
  private final CompletableFuture<Void> over = new CompletableFuture<>();
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
  private final List<String> leftBehind = new ArrayList<>();
  private final LongSupplier clock;
  private final long startNanos;
  private volatile OptionalLong end = OptionalLong.empty();
  private volatile int interrupts;
  private volatile boolean done;

  private Outcome.Cause cause = Outcome.Cause.TARGET;
  private long askAt = Long.MAX_VALUE;
  private long killAt = Long.MAX_VALUE;
  private long nextStandstillLook = BETWEEN_LOOKS.toNanos();
  private boolean killed;

  Supervisor(
      Process process,
      TargetCommand command,
      FollowedProcesses followed,
      Recording recording,
      LiveSource source,
      Patience patience,
      LongSupplier clock) {
    this.process = process;
    this.command = command;
    this.followed = followed;
    this.tree = new ProcessTree(process.toHandle(), followed);
    this.recording = recording;
    this.source = source;
    this.patience = patience;
    this.clock = clock;
    this.startNanos = clock.getAsLong();
  }

  /** Begins to watch, on a thread of the executor. */
  void start(Executor threads) {
    threads.execute(this::run);
  }

  /** Makes the daemon threads that supervisors run on. */
  static Thread newThread(Runnable work) {
    Thread thread = new Thread(work, "supervisor");
    thread.setDaemon(true);
    return thread;
  }

  private void run() {
    try {
      watch();
      outcome.complete(judge());
    } catch (InterruptedException | RuntimeException e) {
      process.destroyForcibly();
      outcome.completeExceptionally(e);
    } finally {
      recording.stop();
      source.finish();
      over.complete(null);
    }
  }

  private void watch() throws InterruptedException {
    long nextLook = command.surroundings().small() ? Long.MAX_VALUE : BETWEEN_LOOKS.toNanos();
    long daemonsUntil = Long.MAX_VALUE;
    while (true) {
      boolean ended = process.waitFor(TICK.toMillis(), TimeUnit.MILLISECONDS);
      long now = sinceStart();
      followed.observe();
      if (ended) {
        if (end.isEmpty()) {
          end = OptionalLong.of(clock.getAsLong());
          daemonsUntil = now + patience.forDaemons().toNanos();
        }
        List<TargetProcess> left = followed.live();
        boolean serving = cause == Outcome.Cause.TARGET && command.duration().isPresent();
        boolean over = left.isEmpty() && (killed || !followed.expectsMore());
        boolean alone = now >= daemonsUntil && !serving && askAt == Long.MAX_VALUE;
        if ((over || alone) && !signalMayComeHereToo()) {
          if (command.surroundings().small() && !left.isEmpty()) {
            tree.kill();
          } else {
            left.forEach(this::leaveBehind);
          }
          return;
        }
        Thread.sleep(TICK.toMillis());
      } else if (now >= nextLook) {
        tree.lookForUnfollowed();
        nextLook = now + BETWEEN_LOOKS.toNanos();
      }
      enforceLimits(now);
    }
  }

  /**
   * Who presses Ctrl-C interrupts Perdure and the target; which of them learns it first is open.
   */
  private boolean signalMayComeHereToo() {
    return cause == Outcome.Cause.TARGET
        && clock.getAsLong() - end.getAsLong() < patience.forSignal().toNanos()
        && followed.signalOf((int) process.pid(), process.exitValue()).stream()
            .anyMatch(SENT_TO_ALL::contains);
  }

  private void leaveBehind(TargetProcess p) {
    leftBehind.add(
        p.executable() + " (process " + p.pid() + "): still runs, and is not followed any longer");
  }

  private void enforceLimits(long now) {
    if (cause == Outcome.Cause.TARGET) {
      if (interrupts > 0) {
        cause = Outcome.Cause.INTERRUPT;
        askAt = now + patience.afterInterrupt().toNanos();
      } else if (command.timeout().isPresent() && now >= command.timeout().get().toNanos()
          || standsStill(now)) {
        cause = Outcome.Cause.TIMEOUT;
        killAt = now;
      } else if (done
          || command.duration().isPresent() && now >= command.duration().get().toNanos()) {
        cause = Outcome.Cause.DURATION;
        askAt = now;
      }
    }
    if (interrupts > 1) {
      killAt = Math.min(killAt, now);
    }
    if (now >= killAt) {
      killed = true;
      tree.kill();
    } else if (now >= askAt && killAt == Long.MAX_VALUE) {
      tree.terminate();
      killAt = now + patience.afterRequest().toNanos();
    }
  }

  private boolean standsStill(long now) {
    if (command.standstill().isEmpty() || now < nextStandstillLook) {
      return false;
    }
    nextStandstillLook = now + BETWEEN_LOOKS.toNanos();
    return followed.isSingle() && command.standstill().get().test((int) process.pid());
  }

  private Outcome judge() {
    int status = process.exitValue();
    OptionalInt signal = followed.signalOf((int) process.pid(), status);
    boolean ofItsOwn = signal.isPresent() && !killed && !REQUESTS.contains(signal.getAsInt());
    return new Outcome(
        ofItsOwn ? Outcome.Cause.TARGET : cause,
        signal.isPresent() ? OptionalInt.empty() : OptionalInt.of(status),
        signal,
        killed);
  }

  void interrupt() {
    synchronized (outcome) {
      interrupts++;
    }
  }

  /** The target has done what it was started for. */
  void finish() {
    done = true;
  }

  CompletableFuture<Outcome> outcome() {
    return outcome;
  }

  List<String> unfollowed() {
    List<String> all = new ArrayList<>();
    if (!followed.contains((int) process.pid())) {
      all.add(
          command.arguments().get(0)
              + ": the runtime was not loaded (is it linked statically, or setuid?)");
    }
    all.addAll(tree.unfollowed());
    all.addAll(leftBehind);
    return all;
  }

  Duration elapsed() {
    return Duration.ofNanos(end.orElseGet(clock) - startNanos);
  }

  private long sinceStart() {
    return clock.getAsLong() - startNanos;
  }

  /**
   * Kills what a caller that gives up has left running; true if nothing of the target lives now.
   */
  boolean end() {
    if (!outcome.isDone()) {
      interrupt();
      interrupt();
    }
    over.join();
    return followed.live().isEmpty();
  }
}
