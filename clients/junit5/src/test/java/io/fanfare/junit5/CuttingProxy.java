package io.fanfare.junit5;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Passes connections on to a server, until it cuts them with RST or passes nothing for a while. */
final class CuttingProxy implements AutoCloseable {
    private final ServerSocket socket;
    private final int target;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition flows = lock.newCondition();
    private boolean stalled;

    CuttingProxy(int target) {
        this.target = target;
        try {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    void cut() {
        for (Socket each : open) {
            try {
                each.setSoLinger(true, 0);
                each.close();
            } catch (IOException gone) {
                // Closed already.
            }
        }
        open.clear();
    }

    void stall(boolean nothingPasses) {
        lock.lock();
        try {
            stalled = nothingPasses;
            flows.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                open.add(client);
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                open.add(server);
                start(() -> pass(client, server));
                start(() -> pass(server, client));
            } catch (IOException nobody) {
                cutLast();
            }
        }
    }

    /** The server is away, as a refused connection. */
    private void cutLast() {
        if (!open.isEmpty()) {
            close(open.remove(open.size() - 1));
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] bytes = new byte[8192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                awaitFlow();
                out.write(bytes, 0, read);
            }
        } catch (IOException cut) {
            // Both sides are closed.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitFlow() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (stalled) {
                flows.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Socket each) {
        try {
            each.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        stall(false);
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }
}
