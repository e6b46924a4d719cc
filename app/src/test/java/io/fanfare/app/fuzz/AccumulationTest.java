package io.fanfare.app.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.app.InProcessServer;
import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The memory that many requests hold together: on one connection, by one user, by strangers. No single request shows
 * it.
 */
class AccumulationTest {
    private static final long MIB = 1 << 20;

    /** The maximum of unsent bytes on one connection beside one answer. */
    private static final long UNSENT_BYTES = MIB;

    /** The allocator takes memory in pieces, and the process goes on beside the test. */
    private static final long NOISE_BYTES = 32 * MIB;

    /** The maximum for the filters of one account. */
    private static final long FILTERS_BYTES = 32 * MIB;

    /** The maximum for incomplete bodies, of all users together. */
    private static final long BODIES_BYTES = 64 * MIB;

    /** The receive buffer of a client that fills the server's buffers rather than the kernel's. */
    private static final int RECEIVE_BYTES = 4096;

    private static final long STALL_MILLIS = 1000;
    private static final long QUIET_MILLIS_MAX = 20_000;
    private static final long ANSWER_MILLIS = 30_000;

    private static InProcessServer server;
    private static Town town;
    private static Meter meter;
    private static LogWatch log;
    private final List<Wire> wires = new ArrayList<>();

    @BeforeAll
    static void start() {
        TestRedis.standalone().flush();
        server = new InProcessServer(TestRedis.standalone(), /* rateLimits= */ false);
        town = new Town(server.port(), /* posts= */ 1);
        meter = new Meter(server.vertx());
        log = LogWatch.begin();
    }

    @AfterEach
    void leave() throws Exception {
        wires.forEach(Wire::reset);
        meter.awaitQuiet(QUIET_MILLIS_MAX);
        assertThat(log.take()).as("errors in the log").isNull();
    }

    @AfterAll
    static void stop() {
        log.close();
        meter.close();
        server.close();
    }

    @Test
    void largeAnswersThatNobodyReadsArePreparedOneByOne() throws Exception {
        byte[] request = new RawRequest("GET", "/docs/swagger-ui-bundle.js").bytes();
        long answer = 2 * MIB;

        long retained = retained(4, wire -> wire.push(Frames.repeated(request, 40), STALL_MILLIS));

        assertThat(retained).isLessThan(4 * (UNSENT_BYTES + answer) + NOISE_BYTES);
    }

    @Test
    void manySmallAnswersThatNobodyReadsAreNotPrepared() throws Exception {
        byte[] request = new RawRequest("GET", "/api/v2/instance").bytes();

        long retained = retained(4, wire -> wire.push(Frames.repeated(request, 12_000), STALL_MILLIS));

        assertThat(retained).isLessThan(4 * UNSENT_BYTES + NOISE_BYTES);
    }

    @Test
    void bodiesOfStrangersThatStallHoldNextToNothing() throws Exception {
        int connections = 64;
        long oneBody = 128 << 10;

        long retained = retained(connections, wire -> stall(wire, null));

        assertThat(retained).isLessThan(connections * oneBody + NOISE_BYTES);
    }

    @Test
    void bodiesOfUsersThatStallShareOneBudget() throws Exception {
        long retained = retained(128, wire -> stall(wire, town.owner().token()));

        assertThat(retained).isLessThan(BODIES_BYTES + NOISE_BYTES);
    }

    @Test
    void aSocketThatSendsNonsenseAndReadsNothingHoldsNoErrors() throws Exception {
        byte[] nonsense = Frames.repeated(Frames.text("x"), 200_000);

        long retained = retained(2, wire -> {
            upgrade(wire);
            wire.push(nonsense, STALL_MILLIS);
        });

        assertThat(retained).isLessThan(2 * UNSENT_BYTES + NOISE_BYTES);
    }

    @Test
    void aSocketThatPingsAndReadsNothingHoldsNoPongs() throws Exception {
        byte[] pings = Frames.repeated(Frames.frame(true, Frames.PING, new byte[125]), 200_000);

        long retained = retained(2, wire -> {
            upgrade(wire);
            wire.push(pings, STALL_MILLIS);
        });

        assertThat(retained).isLessThan(2 * UNSENT_BYTES + NOISE_BYTES);
    }

    @Test
    void aStatusHoldsNoLoopHoweverManyPhrasesWithoutSpacesAreLookedFor() throws Exception {
        List<String> tokens = town.tokens(4);
        int open = 0;
        for (int i = 0; i < 16; i++) {
            open += filter(phrases(i), "", tokens.get(i % tokens.size())) == 200 ? 1 : 0;
        }
        String text = "\u4e00".repeat(500);

        Meter.Cost least = null;
        for (int i = 0; i < 3; i++) {
            Meter.Cost cost = meter.cost(() -> {
                town.post("/api/v1/statuses", town.owner().token(), "status=" + text);
                // The event comes to the streams by way of Redis, after the answer.
                town.get("/api/v1/accounts/verify_credentials", town.owner().token());
                wires.get(0).drain(300);
            });
            least = least == null ? cost : least.min(cost);
        }

        System.out.println(
                open + " filters of 400 phrases and a status of 500 characters: " + least.heldMillis() + " ms");
        assertThat(open).isPositive();
        assertThat(least.heldMillis()).isLessThan(Fuzz.HELD_MILLIS_MAX);
    }

    @Test
    void theFiltersOfOneAccountHoldNoMoreThanTheirBudget() throws Exception {
        List<String> tokens = town.tokens(12);
        long before = Meter.retainedBytes();
        int open = 0;
        for (int i = 0; i < 48; i++) {
            open += filter(terms(2 * i), terms(2 * i + 1), tokens.get(i % tokens.size())) == 200 ? 1 : 0;
        }

        long retained = Meter.retainedBytes() - before;

        System.out.println(open + " of 48 filters of one account hold " + retained / MIB + " MiB");
        assertThat(open).isPositive();
        assertThat(retained).isLessThan(FILTERS_BYTES);
    }

    private interface Client {
        void attack(Wire wire) throws Exception;
    }

    /** The bytes that the server retains while this many connections are attacked and left open. */
    private long retained(int connections, Client client) throws Exception {
        long before = Meter.retainedBytes();
        long sent = System.nanoTime();
        for (int i = 0; i < connections; i++) {
            Wire wire = Wire.open(server.port(), "127.0.3." + (1 + i % 200), RECEIVE_BYTES);
            wires.add(wire);
            client.attack(wire);
        }
        meter.awaitQuiet(QUIET_MILLIS_MAX);
        long retained = Meter.retainedBytes() - before;
        System.out.println(connections + " connections hold " + retained / MIB + " MiB after "
                + (System.nanoTime() - sent) / 1_000_000 + " ms");
        return retained;
    }

    private static void stall(Wire wire, String token) {
        byte[] head = new RawRequest("POST", "/api/v1/streaming/filter")
                .token(token)
                .header("Content-Type", "application/json")
                .header("Content-Length", Long.toString(2 * MIB - 1))
                .head();
        wire.push(head, STALL_MILLIS);
        wire.push("x".repeat((int) (MIB + MIB / 2)).getBytes(StandardCharsets.US_ASCII), STALL_MILLIS / 10);
    }

    private void upgrade(Wire wire) {
        wire.push(Frames.handshake("/api/v1/streaming", town.owner().token()), STALL_MILLIS);
        assertThat(wire.reply(/* headOnly= */ true, /* bodiless= */ false, ANSWER_MILLIS)
                        .status())
                .isEqualTo(101);
    }

    /** Opens a stream; answers its status, since it may be refused. */
    @CanIgnoreReturnValue
    private int filter(String track, String exclude, String token) throws IOException {
        Wire wire = Wire.open(server.port(), "127.0.4.1");
        wires.add(wire);
        byte[] request = new RawRequest("POST", "/api/v1/streaming/filter")
                .token(token)
                .body("application/json", "{\"track\":\"" + track + "\",\"exclude\":\"" + exclude + "\"}")
                .bytes();
        wire.send(request, Integer.MAX_VALUE, ANSWER_MILLIS);
        Wire.Reply reply = wire.reply(/* headOnly= */ true, /* bodiless= */ false, ANSWER_MILLIS);
        assertThat(reply.status()).as(reply.body()).isIn(200, 406, 413, 429);
        return reply.status();
    }

    /** Phrases without spaces that a text of one character seems to have at every place, until their end. */
    static String phrases(int stream) {
        StringBuilder track = new StringBuilder();
        for (int i = 0; i < 400; i++) {
            track.append("\u4e00".repeat(38))
                    .append((char) (0x5000 + stream))
                    .append((char) (0x6000 + i))
                    .append(',');
        }
        return track.toString();
    }

    /** Phrases of as many terms as fit, no two the same. */
    private static String terms(int list) {
        StringBuilder track = new StringBuilder();
        for (int i = 0; i < 400; i++) {
            int phrase = list * 400 + i;
            for (int j = 0; j < 28; j++) {
                // Letters of the Canadian syllabary, which has 600: each is a word.
                int letter = j < 4 ? (phrase >> (4 * j)) & 15 : 64 + (phrase + j * 17) % 500;
                track.append((char) (0x1401 + letter + (j < 4 ? 16 * j : 0))).append(' ');
            }
            track.setCharAt(track.length() - 1, ',');
        }
        return track.toString();
    }
}
