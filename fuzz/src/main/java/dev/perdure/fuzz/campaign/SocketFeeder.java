package dev.perdure.fuzz.campaign;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Sends the operations of an input to a server over some connections at a time, each operation when
 * the one before it on its connection is answered, or after a while. At the end the server is given
 * time to close the connection.
 */
public final class SocketFeeder {
  private static final int BETWEEN_ATTEMPTS = 10;
  private static final int LONGEST_SILENCE = 200;
  private static final int LONGEST_LAST_SILENCE = 1000;

  private final InetSocketAddress server;
  private final int connections;
  private final Function<byte[], List<byte[]>> operations;

  /**
   * @param operations splits an input; operation i goes to connection i modulo their number
   */
  public SocketFeeder(
      InetSocketAddress server, int connections, Function<byte[], List<byte[]>> operations) {
    this.server = server;
    this.connections = connections;
    this.operations = operations;
  }

  /**
   * Sends an input; returns when all connections are closed.
   *
   * @param ended whether the server has ended
   */
  void feed(byte[] input, BooleanSupplier ended) throws InterruptedException {
    List<byte[]> all = operations.apply(input);
    List<Thread> threads = new ArrayList<>();
    CountDownLatch connected = new CountDownLatch(connections);
    for (int i = 0; i < connections; i++) {
      List<byte[]> own = new ArrayList<>();
      for (int k = i; k < all.size(); k += connections) {
        own.add(all.get(k));
      }
      threads.add(new Thread(() -> serve(own, connected, ended), "feeder " + (i + 1)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void serve(List<byte[]> own, CountDownLatch connected, BooleanSupplier ended) {
    try (Socket socket = connect(ended)) {
      // All at once, so that operations meet.
      connected.countDown();
      connected.await();
      converse(socket, own);
    } catch (IOException e) {
      // The server is gone; how it ended is told by its outcome.
      connected.countDown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Socket connect(BooleanSupplier ended) throws IOException, InterruptedException {
    while (true) {
      Socket socket = new Socket();
      try {
        socket.connect(server);
        return socket;
      } catch (IOException e) {
        socket.close();
        if (ended.getAsBoolean()) {
          throw e;
        }
        Thread.sleep(BETWEEN_ATTEMPTS);
      }
    }
  }

  private static void converse(Socket socket, List<byte[]> operations) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(LONGEST_SILENCE);
    OutputStream out = socket.getOutputStream();
    InputStream in = socket.getInputStream();
    byte[] answer = new byte[1 << 16];
    boolean answered = true;
    for (byte[] operation : operations) {
      out.write(operation);
      out.flush();
      try {
        if (in.read(answer) < 0) {
          return;
        }
        answered = true;
      } catch (SocketTimeoutException e) {
        answered = false;
      }
    }
    socket.shutdownOutput();
    // A server that owes an answer may hang, which the time limit of the campaign shows.
    socket.setSoTimeout(answered ? LONGEST_LAST_SILENCE : 0);
    try {
      int read = 0;
      while (read >= 0) {
        read = in.read(answer);
      }
    } catch (SocketTimeoutException e) {
      // It keeps connections open whose other end is closed.
    }
  }
}
