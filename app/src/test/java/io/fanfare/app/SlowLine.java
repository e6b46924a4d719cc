package io.fanfare.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A TCP line to a server on this machine, which can be made long, and of which connections can be lost without either
 * end hearing of it. It looks at no byte, so it carries the load of a whole deployment.
 */
final class SlowLine implements AutoCloseable {
    private static final int CHUNK = 64 << 10;

    private static final ByteBuffer END = ByteBuffer.allocate(0);

    private final ServerSocket door;
    private final int target;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private volatile long delayNanos;

    /** To a port of the loopback address; the server need not be there yet. */
    SlowLine(int target) {
        this.target = target;
        try {
            door = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    int port() {
        return door.getLocalPort();
    }

    /** Delays all bytes from the server by this time, in order and at the same rate: a long line, not a narrow one. */
    void delay(Duration delay) {
        delayNanos = delay.toNanos();
    }

    /** Nothing passes on the present connections any more, and they stay open; later ones are whole. */
    void halve() {
        connections.forEach(connection -> connection.swallowing = true);
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                try {
                    connections.add(new Connection(client, new Socket(InetAddress.getLoopbackAddress(), target)));
                } catch (IOException away) {
                    client.close();
                }
            } catch (IOException closing) {
                // The loop looks whether the door is closed.
            }
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "slow-line");
        thread.setDaemon(true);
        thread.start();
    }

    /** Closes all connections. */
    @Override
    public void close() {
        try {
            door.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        connections.forEach(Connection::close);
    }

    private final class Connection {
        private final Socket client;
        private final Socket server;
        private final BlockingQueue<Chunk> toClient = new LinkedBlockingQueue<>();
        private volatile boolean swallowing;

        /** @param bytes none = no more come */
        private record Chunk(ByteBuffer bytes, long dueNanos) {}

        Connection(Socket client, Socket server) throws IOException {
            this.client = client;
            this.server = server;
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            daemon(() -> run(this::fromClient));
            daemon(() -> run(this::fromServer));
            daemon(() -> run(this::intoClient));
        }

        private interface Step {
            void run() throws IOException, InterruptedException;
        }

        private void run(Step step) {
            try {
                step.run();
            } catch (IOException gone) {
                // So is the other side, unless nobody may hear of it.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (!swallowing) {
                close();
            }
        }

        private void fromClient() throws IOException {
            byte[] chunk = new byte[CHUNK];
            InputStream in = client.getInputStream();
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                if (!swallowing) {
                    server.getOutputStream().write(chunk, 0, read);
                }
            }
            close(); // The one that has lost it knows at last.
        }

        private void fromServer() throws IOException, InterruptedException {
            byte[] chunk = new byte[CHUNK];
            InputStream in = server.getInputStream();
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                toClient.put(new Chunk(ByteBuffer.wrap(Arrays.copyOf(chunk, read)), System.nanoTime() + delayNanos));
            }
            toClient.put(new Chunk(END, System.nanoTime() + delayNanos));
        }

        private void intoClient() throws IOException, InterruptedException {
            for (Chunk chunk = toClient.take(); chunk.bytes().hasRemaining(); chunk = toClient.take()) {
                TimeUnit.NANOSECONDS.sleep(chunk.dueNanos() - System.nanoTime());
                if (!swallowing) {
                    client.getOutputStream().write(chunk.bytes().array());
                }
            }
        }

        void close() {
            connections.remove(this);
            try (client;
                    server) {
                toClient.add(new Chunk(END, 0));
            } catch (IOException e) {
                // Closed is closed.
            }
        }
    }
}
