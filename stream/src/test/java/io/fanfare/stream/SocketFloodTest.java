package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import io.fanfare.stream.routes.FrameLimiter;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The work and memory that a hostile client of Mastodon's WebSocket can cause, perhaps without reading anything. */
class SocketFloodTest {
    private static final int TEXT = 1;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;

    /** More than the kernel keeps on the way, and far more than any limit. */
    private static final int FLOOD_BYTES = 96 << 20;

    private static final String SUBSCRIBE = "{\"type\":\"subscribe\",\"stream\":\"public\"}";

    private final TestRedis redis = TestRedis.standalone();
    private final List<Client> clients = new ArrayList<>();
    private StreamServer server;

    private void start(String... assignments) {
        redis.flush();
        server = StreamServer.start(redis, assignments);
    }

    @AfterEach
    void stop() throws IOException {
        for (Client client : clients) {
            client.socket.close();
        }
        server.close();
    }

    /** @param payload a character for each byte */
    private record Frame(int opcode, String payload) {
        int closeCode() {
            assertThat(opcode).as(payload).isEqualTo(CLOSE);
            return payload.charAt(0) << 8 | payload.charAt(1);
        }
    }

    /** A WebSocket without a library: those behave. */
    private static final class Client {
        final Socket socket = new Socket();
        final DataInputStream in;

        Client(int port, byte[] behindHandshake) throws IOException {
            socket.setReceiveBufferSize(64 << 10);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.setSoTimeout(30_000);
            in = new DataInputStream(socket.getInputStream());
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            String request = String.join(
                    "\r\n",
                    "GET /api/v1/streaming HTTP/1.1",
                    "Host: localhost",
                    "Connection: Upgrade",
                    "Upgrade: websocket",
                    "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                    "",
                    "");
            all.write(request.getBytes(StandardCharsets.US_ASCII));
            all.write(behindHandshake);
            socket.getOutputStream().write(all.toByteArray());
        }

        void awaitOpen() throws IOException {
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.readUnsignedByte());
            }
            assertThat(head.toString()).startsWith("HTTP/1.1 101 ");
        }

        void send(byte[] frames) throws IOException {
            socket.getOutputStream().write(frames);
        }

        void say(String text) throws IOException {
            send(frame(TEXT, text.getBytes(StandardCharsets.UTF_8)));
        }

        /** The next frame that is no ping. */
        Frame next() throws IOException {
            Frame frame = read();
            return frame.opcode() == PING ? next() : frame;
        }

        private Frame read() throws IOException {
            int opcode = in.readUnsignedByte() & 0x0F;
            int length = in.readUnsignedByte();
            length = length == 126 ? in.readUnsignedShort() : length == 127 ? (int) in.readLong() : length;
            byte[] payload = new byte[length];
            in.readFully(payload);
            return new Frame(opcode, new String(payload, StandardCharsets.ISO_8859_1));
        }

        /** The code of the close, whatever comes before. */
        int readToClose() throws IOException {
            Frame frame = next();
            while (frame.opcode() != CLOSE) {
                frame = next();
            }
            return frame.closeCode();
        }
    }

    private Client open() throws IOException {
        Client client = new Client(server.port(0), new byte[0]);
        clients.add(client);
        client.awaitOpen();
        return client;
    }

    private static byte[] frame(int opcode, byte[] payload) {
        return frame(0x80 | opcode, payload, payload.length);
    }

    /** Masked with zeros. */
    private static byte[] frame(int first, byte[] payload, int length) {
        ByteBuffer frame = ByteBuffer.allocate(8 + length);
        frame.put((byte) first);
        if (length < 126) {
            frame.put((byte) (0x80 | length));
        } else {
            frame.put((byte) (0x80 | 126)).putShort((short) length);
        }
        frame.putInt(0).put(payload, 0, length);
        byte[] bytes = new byte[frame.position()];
        frame.flip().get(bytes);
        return bytes;
    }

    private static byte[] many(byte[] frame, int times) {
        ByteBuffer all = ByteBuffer.allocate(times * frame.length);
        for (int i = 0; i < times; i++) {
            all.put(frame);
        }
        return all.array();
    }

    private enum Flood {
        PINGS(PING, "x".repeat(125)),
        EMPTY_PINGS(PING, ""),
        PONGS(PONG, "x".repeat(125)),
        EMPTY_FRAGMENTS(0, ""),
        NONSENSE(TEXT, "nonsense"),
        EMPTY_MESSAGES(TEXT, ""),
        DEEP_MESSAGES(TEXT, "{\"a\":".repeat(3000)),
        UNKNOWN_STREAMS(TEXT, "{\"type\":\"subscribe\",\"stream\":\"no such\"}");

        final int opcode;
        final String payload;

        Flood(int opcode, String payload) {
            this.opcode = opcode;
            this.payload = payload;
        }

        /** A fragment is one of a message that never ends. */
        byte[] frame() {
            byte[] bytes = payload.getBytes(StandardCharsets.US_ASCII);
            return SocketFloodTest.frame(opcode == 0 ? 0 : 0x80 | opcode, bytes, bytes.length);
        }
    }

    @ParameterizedTest
    @EnumSource(Flood.class)
    void aClientThatSendsAndReadsNothingIsCutOff(Flood flood) throws IOException {
        start();
        Client client = open();
        if (flood == Flood.EMPTY_FRAGMENTS) {
            client.send(frame(TEXT, "{".getBytes(StandardCharsets.US_ASCII), 1));
        }
        byte[] bytes = many(flood.frame(), (1 << 20) / flood.frame().length);
        long sent = 0;
        boolean open = true;
        while (open && sent < FLOOD_BYTES) {
            try {
                client.send(bytes);
                sent += bytes.length;
            } catch (SocketException cut) {
                open = false;
            }
        }
        assertThat(open).as("open after %d bytes", sent).isFalse();
        awaitUntil(
                "counted",
                () -> server.metrics
                                .get("fanfare.streams.violations")
                                .functionCounter()
                                .count()
                        == 1);
    }

    @ParameterizedTest
    @CsvSource({"9,1008", "10,1008", "1,1008", "0,1008", "2,1003"})
    void aClientThatReadsReceivesTheCode(int opcode, int code) throws IOException {
        start();
        Client client = open();
        if (opcode == 0) {
            client.send(frame(TEXT, "{".getBytes(StandardCharsets.US_ASCII), 1));
        }
        byte[] payload = (opcode == TEXT ? SUBSCRIBE : "").getBytes(StandardCharsets.US_ASCII);
        int first = opcode == 0 ? 0 : 0x80 | opcode;
        client.send(many(frame(first, payload, payload.length), 2 * FrameLimiter.MESSAGE_BURST));
        assertThat(client.readToClose()).isEqualTo(code);
    }

    @Test
    void theFirstMessageWithoutSenseIsAnsweredAndTheNextEndsTheSocket() throws IOException {
        start();
        for (String nonsense :
                List.of("nonsense", "[1]", "{}", "{\"type\":\"sing\"}", "{\"type\":1}", "[".repeat(16_000))) {
            Client client = open();
            client.say(nonsense);
            assertThat(client.next().payload()).startsWith("{\"error\":\"A message must be JSON");
            client.say(SUBSCRIBE);
            awaitUntil("open", () -> server.connections(0) == 1);
            client.say(nonsense);
            assertThat(client.next().closeCode()).isEqualTo(1008);
            awaitUntil("gone", () -> server.connections(0) == 0);
        }
    }

    @Test
    void refusalsOfMessagesThatMakeSenseLeaveTheSocketOpen() throws IOException {
        start();
        Client client = open();
        for (int i = 0; i < 30; i++) {
            client.say("{\"type\":\"subscribe\",\"stream\":\"no such " + i + "\"}");
            assertThat(client.next().payload()).startsWith("{\"error\":\"There is no such stream");
        }
        client.say(SUBSCRIBE);
        awaitUntil("open", () -> server.connections(0) == 1);
    }

    /** A client that comes back to a page with many columns sends this, twice. */
    @Test
    void aBurstOfSubscriptionsIsNoFlood() throws IOException {
        start();
        Client client = open();
        for (int i = 0; i < 20; i++) {
            client.say("{\"type\":\"subscribe\",\"stream\":\"hashtag\",\"tag\":\"t" + i + "\"}");
        }
        for (int i = 0; i < 20; i++) {
            client.say("{\"type\":\"unsubscribe\",\"stream\":\"hashtag\",\"tag\":\"t" + i + "\"}");
            client.say("{\"type\":\"subscribe\",\"stream\":\"hashtag\",\"tag\":\"u" + i + "\"}");
        }
        awaitUntil("open", () -> server.connections(0) == 20);
        client.send(many(frame(PING, new byte[] {7}), 50));
        for (int i = 0; i < 50; i++) {
            assertThat(client.next().opcode()).isEqualTo(PONG);
        }
    }

    @Test
    void nothingIsReadWhileWhatWasWrittenIsNotTakenAndItIsReadAfterwards() throws IOException {
        start();
        Client client = open();
        client.say(SUBSCRIBE);
        awaitUntil("open", () -> server.connections(0) == 1);
        int events = 200;
        for (int i = 0; i < events; i++) {
            server.append(server.post(8, "x".repeat(30_000)));
        }
        awaitUntil("full", () -> server.rows(0).get(0).waiting() > 0);

        // Far more than is read when the socket is.
        client.send(many(frame(PING, new byte[] {7}), 2 * FrameLimiter.CONTROL_BURST));
        client.say("{\"type\":\"subscribe\",\"stream\":\"hashtag\",\"tag\":\"cats\"}");
        server.append(server.post(8, "behind all of them"));
        assertThat(server.connections(0)).isEqualTo(1);

        int errors = 0;
        Frame frame = client.next();
        for (; frame.opcode() != CLOSE; frame = client.next()) {
            errors += frame.opcode() == TEXT ? 1 : 0;
        }
        assertThat(frame.closeCode()).isEqualTo(1008);
        assertThat(errors).isPositive();
    }

    /** No stream judges how fast its client reads. */
    @Test
    void aSocketWithoutStreamsThatTakesNothingIsGivenUp() throws IOException {
        start("stream.heartbeat=200ms", "stream.dead-after=1s", "http.idle-timeout=60s");
        Client client = open();
        client.say(SUBSCRIBE);
        awaitUntil("open", () -> server.connections(0) == 1);
        for (int i = 0; i < 200; i++) {
            server.append(server.post(8, "x".repeat(30_000)));
        }
        awaitUntil("cut off", () -> server.connections(0) == 0);
    }

    /** Bytes behind a close may reset the connection (RFC 9293, 3.10.7), even before the client has read the answer. */
    @Test
    void aCloseIsAnsweredOnceAndNothingBehindItIsRead() throws IOException {
        start();
        Client client = open();
        byte[] close = frame(CLOSE, new byte[] {3, (byte) 0xE8});
        List<Frame> answers = new ArrayList<>();
        try {
            client.send(many(close, 1000));
            client.send(many(frame(PING, new byte[125]), 10));
            while (true) {
                answers.add(client.next());
            }
        } catch (EOFException | SocketException end) {
            assertThat(answers).hasSizeLessThanOrEqualTo(1).allMatch(answer -> answer.opcode() == CLOSE);
        }
        awaitUntil("gone", () -> server.connections(0) == 0);
    }

    @Test
    void aCloseIsAnsweredWithItsCodeAndEndsTheConnection() throws IOException {
        start();
        Client client = open();
        client.send(frame(CLOSE, new byte[] {3, (byte) 0xE8}));
        assertThat(client.next().closeCode()).isEqualTo(1000);
        assertThat(client.in.read()).isNegative();
    }

    /** Against the rules, but nothing breaks. */
    @ParameterizedTest
    @ValueSource(ints = {1, 1000, 1_000_000})
    void framesBeforeTheHandshakeResponseHarmNoOther(int times) throws IOException {
        start();
        Client client = new Client(server.port(0), many(frame(PING, new byte[] {7}), 1));
        clients.add(client);
        try {
            client.send(many(frame(PING, new byte[] {7}), times));
            client.awaitOpen();
        } catch (EOFException | SocketException | AssertionError ended) {
            // Either is well.
        }
        assertThat(server.listening().raw()).contains("hello");
    }
}
