package dev.perdure.target;

import dev.perdure.binary.plan.PlanAnswer;
import dev.perdure.binary.plan.ProgramPlans;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Answers the questions of the runtime about modules that were not planned before the start: those
 * that are loaded with dlopen, and those of further programs. The target waits meanwhile. Each
 * question is a line of its own connection, as docs/formats/plan.md says.
 */
final class PlanRequests implements AutoCloseable {
  /** The kernel's limit for the path of a socket, less the zero byte. */
  private static final int LONGEST_PATH = 107;

  private final ProgramPlans plans;
  private final Path folder;
  private final boolean ownFolder;
  private final ServerSocketChannel server;

  private PlanRequests(ProgramPlans plans, Path folder, boolean ownFolder) throws IOException {
    this.plans = plans;
    this.folder = folder;
    this.ownFolder = ownFolder;
    this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket()));
    Thread thread = new Thread(this::serve, "plan requests");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Listens in a folder; in one of its own where that path is too long for a socket.
   *
   * @param recording the folder of the recording
   */
  static PlanRequests listen(ProgramPlans plans, Path recording) throws IOException {
    Path wanted = recording.toAbsolutePath();
    boolean fits =
        wanted.resolve("plans").toString().getBytes(StandardCharsets.UTF_8).length <= LONGEST_PATH;
    return new PlanRequests(plans, fits ? wanted : Files.createTempDirectory("perdure-"), !fits);
  }

  Path socket() {
    return folder.resolve("plans");
  }

  private void serve() {
    try {
      while (true) {
        SocketChannel channel = server.accept();
        Thread thread = new Thread(() -> answer(channel), "plan request");
        thread.setDaemon(true);
        thread.start();
      }
    } catch (ClosedChannelException e) {
      // The run is over.
    } catch (IOException e) {
      plans.unobserved("modules loaded later: they run unobserved (" + e.getMessage() + ")");
    }
  }

  private void answer(SocketChannel channel) {
    try (channel) {
      BufferedReader in = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
      String line = in.readLine();
      int tab = line == null ? -1 : line.indexOf('\t');
      if (tab > 0) {
        String text = reply(line.substring(0, tab), line.substring(tab + 1)).text() + "\n";
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
      }
    } catch (IOException e) {
      // The process that asked is gone.
    }
  }

  private PlanAnswer reply(String word, String rest) {
    if (word.equals("plan")) {
      return plans.answer(Path.of(rest));
    }
    plans.unobserved(rest);
    return PlanAnswer.NONE;
  }

  @Override
  public void close() throws IOException {
    server.close();
    Files.deleteIfExists(socket());
    if (ownFolder) {
      Files.deleteIfExists(folder);
    }
  }
}
