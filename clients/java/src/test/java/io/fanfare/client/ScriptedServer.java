package io.fanfare.client;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** Sends the bytes of a test: one script for each connection; the last one serves all further connections. */
public final class ScriptedServer implements AutoCloseable {
    /** Answers one request on a connection, which is closed when it returns. */
    @FunctionalInterface
    public interface Script {
        void answer(Request request, OutputStream out) throws IOException, InterruptedException;
    }

    /** A request as it came; names of headers in lower case. */
    public record Request(String line, Map<String, String> headers, String body) {
        public String header(String name) {
            return headers.getOrDefault(name, "");
        }
    }

    private final ServerSocket socket;
    private final Queue<Script> scripts;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();

    public ScriptedServer(Script... scripts) {
        this.scripts = new ConcurrentLinkedQueue<>(List.of(scripts));
        try {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start("acceptor", this::accept);
    }

    public String url() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    public List<Request> requests() {
        return List.copyOf(requests);
    }

    /** A whole answer. */
    public static Script answer(int status, String headers, String body) {
        return (request, out) -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            out.write(("HTTP/1.1 " + status + " X\r\nConnection: close\r\n" + headers + "Content-Length: "
                            + bytes.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.UTF_8));
            out.write(bytes);
        };
    }

    /** JSON with status 200. */
    public static Script json(String body) {
        return answer(200, "Content-Type: application/json\r\n", body);
    }

    /** A stream of these frames that ends then. */
    public static Script events(String... frames) {
        return (request, out) -> {
            head(out);
            for (String frame : frames) {
                out.write(frame.getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        };
    }

    /** The same, and the connection stays open until the server is closed. */
    public static Script openEvents(String... frames) {
        return (request, out) -> {
            events(frames).answer(request, out);
            Thread.currentThread().join();
        };
    }

    public static void head(OutputStream out) throws IOException {
        head(out, "identity");
    }

    /** The head of a stream whose text has that coding. */
    public static void head(OutputStream out, String coding) throws IOException {
        out.write(("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: " + coding
                        + "\r\nConnection: close\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket accepted = socket.accept();
                open.add(accepted);
                start("connection", () -> serve(accepted));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            Request request = read(new BufferedInputStream(connection.getInputStream()));
            Script script = scripts.size() > 1 ? scripts.poll() : scripts.peek();
            requests.add(request);
            script.answer(request, connection.getOutputStream());
        } catch (IOException closed) {
            // The client has closed it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Request read(InputStream in) throws IOException {
        String line = line(in);
        Map<String, String> headers = new TreeMap<>();
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            int colon = header.indexOf(':');
            headers.put(
                    header.substring(0, colon).toLowerCase(Locale.ROOT),
                    header.substring(colon + 1).strip());
        }
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        return new Request(line, headers, new String(body, StandardCharsets.UTF_8));
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the request was cut off");
            }
            line.append((char) c);
        }
        return line.toString().strip();
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            socket.close();
            for (Socket connection : open) {
                connection.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
