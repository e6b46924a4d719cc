package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.twitter.hbc.ClientBuilder;
import com.twitter.hbc.core.Client;
import com.twitter.hbc.core.endpoint.StatusesFilterEndpoint;
import com.twitter.hbc.core.endpoint.StatusesFirehoseEndpoint;
import com.twitter.hbc.core.endpoint.StatusesSampleEndpoint;
import com.twitter.hbc.core.endpoint.StreamingEndpoint;
import com.twitter.hbc.core.processor.StringDelimitedProcessor;
import com.twitter.hbc.httpclient.auth.BasicAuth;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.stream.match.Sample;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Twitter's own client for its streams, Hosebird 2.2.0 as it was published: it takes each message by its length and
 * breaks off at the first byte that is amiss.
 */
class HosebirdTest {
    private static final int IN_FLIGHT = 50;

    /** Far beyond what it takes, since test machines may be busy. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** The lead of the publisher, so that nobody falls out of the log. */
    private static final int AHEAD_MAX = 50_000;

    @Test
    void thousandsOfMessagesArriveWhole() {
        listen(6000);
    }

    @Test
    @Tag("faults")
    void aMillionMessagesArriveWhole() {
        listen(1_000_000);
    }

    private static void listen(int statuses) {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        // A token is needed, and Hosebird shows it only when it is asked for one.
        try (StreamServer server = StreamServer.startClosed(redis)) {
            long author = server.newUser();
            BasicAuth login = new BasicAuth(server.username(author), server.token(author, "read"));
            Ear firehose = new Ear(server, login, new StatusesFirehoseEndpoint());
            Ear sample = new Ear(server, login, new StatusesSampleEndpoint());
            Ear track = new Ear(server, login, new StatusesFilterEndpoint().trackTerms(List.of("rain", "北京")));
            Ear follow = new Ear(server, login, new StatusesFilterEndpoint().followings(List.of(author)));
            List<Ear> ears = List.of(firehose, sample, track, follow);
            try {
                awaitPatiently("all listen", () -> {
                    append(server, 100, author, "hello rain");
                    return ears.stream().allMatch(ear -> ear.messages > 0);
                });
                long begun = System.nanoTime();
                long inSample = 0;
                for (int published = 0; published < statuses; published += 3 * IN_FLIGHT) {
                    inSample += append(server, IN_FLIGHT, 8, Ear.COUNTED + "rain");
                    inSample += append(server, IN_FLIGHT, 8, Ear.COUNTED + "nothing of interest é👍");
                    inSample += append(server, IN_FLIGHT, author, Ear.COUNTED + "北京晴");
                    long floor = (long) published - AHEAD_MAX;
                    awaitPatiently("not too far behind", () -> firehose.counted > floor);
                }
                int turns = (statuses + 3 * IN_FLIGHT - 1) / (3 * IN_FLIGHT);
                firehose.check(3L * IN_FLIGHT * turns);
                sample.check(inSample);
                track.check(2L * IN_FLIGHT * turns);
                follow.check((long) IN_FLIGHT * turns);
                double seconds = (System.nanoTime() - begun) / 1e9;
                System.out.printf(
                        "published=%d seconds=%.1f messages: firehose=%d sample=%d track=%d follow=%d, %.0f per second in all%n",
                        3 * IN_FLIGHT * turns,
                        seconds,
                        firehose.counted,
                        sample.counted,
                        track.counted,
                        follow.counted,
                        ears.stream().mapToLong(ear -> ear.counted).sum() / seconds);
            } finally {
                ears.forEach(Ear::close);
            }
        }
    }

    private static void awaitPatiently(String what, BooleanSupplier condition) {
        Awaitility.await(what)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(condition::getAsBoolean);
    }

    /** Publishes statuses; answers how many of them belong to the sample of one percent. */
    @CanIgnoreReturnValue
    private static long append(StreamServer server, int howMany, long author, String text) {
        Sample sample = Sample.of(1, server.sampleSalt(), 0);
        long kept = 0;
        List<Future<Long>> appended = new ArrayList<>();
        for (int i = 0; i < howMany; i++) {
            Status status = new Status(server.newId(), Post.of(author, text), Counters.NONE);
            kept += sample.keeps(status.id()) ? 1 : 0;
            appended.add(server.log.append(new Event(
                    Event.Kind.STATUS,
                    status.id(),
                    author,
                    0,
                    status.post().visibility(),
                    MatchFields.of(status, List.of()).encode(),
                    "{\"id\":\"" + status.id() + "\",\"content\":\"<p>" + text + "</p>\"}")));
        }
        await(Future.all(appended).<Void>mapEmpty());
        return kept;
    }

    /** One client, and a thread that reads what it has made out. */
    private static final class Ear {
        static final String COUNTED = "counted ";

        private static final JsonFactory JSON = new JsonFactory();

        private final BlockingQueue<String> received = new LinkedBlockingQueue<>(100_000);
        private final Client client;
        private final Thread reader = new Thread(this::read, "hosebird-reader");
        private volatile long messages;
        private volatile long counted;
        private volatile String trouble = "";

        Ear(StreamServer server, BasicAuth login, StreamingEndpoint endpoint) {
            client = new ClientBuilder()
                    .hosts("http://127.0.0.1:" + server.port(0))
                    .endpoint(endpoint)
                    .authentication(login)
                    .processor(new StringDelimitedProcessor(received))
                    .build();
            client.connect();
            reader.setDaemon(true);
            reader.start();
        }

        private void read() {
            long all = 0;
            long wanted = 0;
            try {
                while (true) {
                    wanted += text(received.take()).startsWith(COUNTED) ? 1 : 0;
                    all++;
                    messages = all;
                    counted = wanted;
                }
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            } catch (IOException | RuntimeException e) {
                trouble = "not a message: " + e.getMessage();
            }
        }

        /** Reads the whole message and makes nothing of it but the text; empty when there is none. */
        private static String text(String message) throws IOException {
            String text = "";
            try (JsonParser json = JSON.createParser(message)) {
                for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                    boolean found = token == JsonToken.VALUE_STRING && "text".equals(json.currentName());
                    text = found ? json.getText() : text;
                }
            }
            return text;
        }

        void check(long due) {
            awaitPatiently("all of " + due, () -> counted >= due || !trouble.isEmpty());
            assertThat(trouble).isEmpty();
            assertThat(counted).isEqualTo(due);
            assertThat(client.getStatsTracker().getNumMessagesDropped()).isZero();
            assertThat(client.getStatsTracker().getNumDisconnects()).isZero();
            assertThat(client.getStatsTracker().getNumConnects()).isEqualTo(1);
            assertThat(client.getStatsTracker().getNum400s()).isZero();
        }

        void close() {
            // It waits for its reader, who waits for the server.
            client.stop(1);
            reader.interrupt();
        }
    }
}
