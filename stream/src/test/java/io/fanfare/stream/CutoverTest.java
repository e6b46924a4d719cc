package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import io.fanfare.stream.wire.Dialect;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Replay and live events join without a seam: a client that comes back with an old cursor receives the same as one that
 * was there all the time.
 */
class CutoverTest {
    /** Events that a client which came back hears beyond those that were there when it came. */
    private static final int LIVE = 30;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void aReconnectedClientReceivesTheSameAsOneThatStayed() {
        compare(200);
    }

    @Test
    @Tag("faults")
    void aReconnectedClientReceivesTheSameAsOneThatStayedTenThousandTimes() {
        compare(10_000);
    }

    /** The ring is so small that cursors lie in it, at its edge and far behind it. */
    private void compare(int repetitions) {
        System.out.println("seed=" + seed);
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        Vertx vertx = Vertx.vertx();
        HttpClient http = vertx.createHttpClient(
                new HttpClientOptions().setKeepAlive(false), new PoolOptions().setHttp1MaxSize(1000));
        try (StreamServer server = StreamServer.start(redis, "stream.ring-events=100")) {
            server.addNode();
            SseClient stays = server.listening();
            long tip = 0;
            List<Future<List<Long>>> received = new ArrayList<>();
            List<List<Long>> due = new ArrayList<>();
            int compared = 0;
            while (compared < repetitions) {
                tip = server.append(server.status(compared));
                if (received.size() < 50 && tip > 20) {
                    long after = tip - 1 - random.nextInt((int) Math.min(tip - 1, 400));
                    long until = tip + LIVE;
                    due.add(LongStream.rangeClosed(after + 1, until).boxed().toList());
                    received.add(receive(http, server.port(random.nextInt(2)), server.epoch() + "-" + after, until));
                }
                for (int i = received.size() - 1; i >= 0; i--) {
                    if (received.get(i).isComplete()) {
                        assertThat(await(received.remove(i))).isEqualTo(due.remove(i));
                        compared++;
                    }
                }
            }
            long last = tip;
            TestRedis.awaitUntil("all", () -> stays.lastEventId().endsWith("-" + last));
            assertThat(stays.messages("status").stream().map(FirehoseTest::seq))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, last).boxed().toList());
        } finally {
            await(vertx.close());
        }
    }

    /** All numbers after a cursor and up to another; fails when the connection ends before. */
    private static Future<List<Long>> receive(HttpClient http, int port, String cursor, long until) {
        return http.request(HttpMethod.GET, port, "127.0.0.1", "/api/v1/streaming/firehose")
                // On the event loop, before the first bytes can come.
                .compose(request ->
                        request.putHeader("Last-Event-ID", cursor).send().compose(answer -> receive(answer, until)));
    }

    private static Future<List<Long>> receive(HttpClientResponse answer, long until) {
        Promise<List<Long>> done = Promise.promise();
        List<Long> seqs = new ArrayList<>();
        Frames[] frames = new Frames[1];
        frames[0] = new Frames(Dialect.NATIVE, name -> {
            if (name == Frames.Name.GAP || name == Frames.Name.DISCONNECT) {
                done.tryFail("told of a " + name);
            } else if (name == Frames.Name.STATUS) {
                long seq = Truth.seq(frames[0].cursor());
                if (seq <= until) {
                    seqs.add(seq);
                }
                if (seq >= until) {
                    done.tryComplete(List.copyOf(seqs));
                }
            }
        });
        answer.handler(bytes -> frames[0].take(bytes.getBytes(), 0, bytes.length()));
        answer.exceptionHandler(done::tryFail);
        answer.endHandler(end -> done.tryFail("ended"));
        return done.future().eventually(() -> answer.request().connection().close());
    }
}
