package io.fanfare.stream;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;

/**
 * A listener over a plain socket: keeps the bytes of the body, unpacked if they come as gzip, and parses them by the
 * rules of the WHATWG standard (section 9.2.6), independently of the code under test. Reads on a thread of its own
 * until it is paused or closed.
 */
public final class SseClient implements AutoCloseable {
    /** A message that an EventSource would dispatch. {@code id} is the last-event-ID at that moment. */
    public record Message(String id, String event, String data) {}

    private final Socket socket;
    private final Semaphore reading = new Semaphore(1);
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private int status;
    private boolean ended;
    private Gunzip gunzip; // null = the body is not compressed
    private long received;

    private SseClient(Socket socket) {
        this.socket = socket;
    }

    /** Sends the request and waits for the head of the answer. */
    static SseClient send(int port, String method, String path, String... headers) {
        try {
            Socket socket = new Socket();
            // Small, so that a paused reader is soon a full one.
            socket.setReceiveBufferSize(16 << 10);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 60_000);
            socket.setSoTimeout(120_000);
            StringBuilder request = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n");
            for (String header : headers) {
                request.append(header).append("\r\n");
            }
            socket.getOutputStream().write(request.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
            SseClient client = new SseClient(socket);
            InputStream in = new BufferedInputStream(socket.getInputStream(), 4096);
            client.readHead(in);
            Thread reader = new Thread(() -> client.readBody(in), "sse-client");
            reader.setDaemon(true);
            reader.start();
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int status() {
        return status;
    }

    String header(String name) {
        return headers.get(name);
    }

    /** Everything so far, unpacked. */
    synchronized String raw() {
        return body.toString(StandardCharsets.UTF_8);
    }

    /** Whether the server has ended the answer. */
    synchronized boolean ended() {
        return ended;
    }

    /** All that an EventSource would have dispatched so far. */
    List<Message> messages() {
        return Parser.parse(raw()).messages;
    }

    /** The cursor that an EventSource would send after a reconnect. */
    String lastEventId() {
        return Parser.parse(raw()).lastEventId;
    }

    List<Message> messages(String event) {
        return messages().stream()
                .filter(message -> message.event().equals(event))
                .toList();
    }

    void pause() {
        reading.acquireUninterruptibly();
    }

    void resume() {
        reading.release();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readHead(InputStream in) throws IOException {
        status = Integer.parseInt(line(in).substring(9, 12));
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        gunzip = "gzip".equals(headers.get("content-encoding")) ? new Gunzip() : null;
    }

    private void readBody(InputStream in) {
        try {
            if (headers.containsKey("content-length")) {
                append(in.readNBytes(Integer.parseInt(headers.get("content-length"))));
            } else {
                int size = Integer.parseInt(line(in), 16);
                while (size > 0) {
                    append(in.readNBytes(size));
                    line(in);
                    reading.acquireUninterruptibly();
                    reading.release();
                    size = Integer.parseInt(line(in), 16);
                }
            }
        } catch (IOException | NumberFormatException e) {
            // Closed by one of both sides.
        }
        synchronized (this) {
            ended = true;
        }
    }

    private synchronized void append(byte[] bytes) {
        received += bytes.length;
        if (gunzip == null) {
            body.writeBytes(bytes);
        } else {
            gunzip.take(bytes, 0, bytes.length, (text, from, to) -> body.write(text, from, to - from));
        }
    }

    /** Bytes of the body that have come, compressed or not. */
    synchronized long received() {
        return received;
    }

    /** Whether a compressed body has come to its end, with the right checksum. */
    synchronized boolean endsWell() {
        return gunzip != null && gunzip.endsWell();
    }

    @CanIgnoreReturnValue
    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("end of stream");
            }
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    /** The standard's algorithm on a whole text. */
    public static final class Parser {
        public final List<Message> messages = new ArrayList<>();
        String lastEventId = "";

        private String idBuffer = "";
        private String event = "";
        private StringBuilder data = new StringBuilder();

        public static Parser parse(String text) {
            Parser parser = new Parser();
            String unified = text.replace("\r\n", "\n").replace('\r', '\n');
            // An incomplete line at the end waits for its rest.
            String whole = unified.substring(0, unified.lastIndexOf('\n') + 1);
            whole.lines().forEach(parser::line);
            return parser;
        }

        private void line(String line) {
            if (line.isEmpty()) {
                dispatch();
                return;
            }
            int colon = line.indexOf(':');
            String field = colon < 0 ? line : line.substring(0, colon);
            String value = colon < 0 ? "" : line.substring(colon + 1);
            value = value.startsWith(" ") ? value.substring(1) : value;
            switch (field) {
                case "event" -> event = value;
                case "data" -> data.append(value).append('\n');
                case "id" -> idBuffer = value.indexOf('\0') < 0 ? value : idBuffer;
                default -> {}
            }
        }

        private void dispatch() {
            lastEventId = idBuffer;
            if (data.length() > 0) {
                data.setLength(data.length() - 1);
                messages.add(new Message(lastEventId, event.isEmpty() ? "message" : event, data.toString()));
            }
            event = "";
            data = new StringBuilder();
        }
    }
}
