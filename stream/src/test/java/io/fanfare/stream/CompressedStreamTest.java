package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.event.Event;
import io.fanfare.common.model.Visibility;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.stream.SseClient.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that come as gzip hold what they hold without it. */
class CompressedStreamTest extends OnEveryRedis {
    private static final String BASE = "/api/v1/streaming/";
    private static final String GZIP = "Accept-Encoding: gzip, deflate, br";
    private static final Pattern TAG = Pattern.compile("w\\d+x");

    private final Random random = new Random(3);

    /** How many statuses {@link #post} has made; each has a tag of its own. */
    private int posted;

    @BeforeParameterizedClassInvocation
    static void start(TestRedis.Kind kind) {
        // A small ring, so that resuming reaches the log as well.
        server = StreamServer.start(
                kind.redis(),
                "stream.ring-events=100",
                "stream.log-events=20000",
                "stream.heartbeat=500ms",
                "stream.per-user-max=1000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                BASE + "firehose",
                BASE + "firehose?fields=content",
                BASE + "firehose?delimited=length",
                BASE + "sample?rate=100",
                BASE + "public",
                BASE + "public/local",
                "/1.1/statuses/firehose.json",
                "/1.1/statuses/firehose.json?tweet_mode=extended"
            })
    void clientsThatComeAtAnyTimeGetWhatAClientWithoutGzipGets(String path) {
        SseClient plain = server.get(0, path);
        awaitUntil("begun", () -> !plain.raw().isEmpty());
        List<SseClient> compressed = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            compressed.add(server.get(0, path, GZIP));
            // Some events of one turn, which go out in one block.
            for (int burst = random.nextInt(1, 12); burst > 0; burst--) {
                post();
            }
        }
        post();
        String end = tag();
        awaitUntil("all", () -> plain.raw().contains(end));

        for (SseClient client : compressed) {
            awaitUntil("all", () -> client.raw().contains(end));
            assertThat(client.header("Content-Encoding")).isEqualTo("gzip");
            List<String> events = tags(client.raw());
            assertThat(events).isNotEmpty();
            List<String> all = tags(plain.raw());
            assertThat(events).isEqualTo(all.subList(all.size() - events.size(), all.size()));
        }
        assertThat(compressed.get(0).received()).isLessThan(plain.received());
    }

    @Test
    void aReplayGoesFromTheLogThroughTheRingToLiveWithoutASeam() {
        List<Long> seqs = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            seqs.add(post());
        }
        SseClient client = server.listening(GZIP, "Last-Event-ID: " + server.epoch() + "-" + (seqs.get(0) - 1));
        for (int i = 0; i < 50; i++) {
            seqs.add(post());
        }

        awaitUntil("all", () -> client.messages("status").size() >= seqs.size());

        assertThat(client.messages("status").stream().map(FirehoseTest::seq)).containsExactlyElementsOf(seqs);
        assertThat(client.messages("gap")).isEmpty();
    }

    @Test
    void aSlowReaderGetsEverythingLaterAndComesBackWithItsCursor() {
        SseClient slow = server.listening(GZIP);
        slow.pause();
        SseClient quick = server.listening(GZIP);
        SseClient plain = server.listening();
        long last = 0;
        for (int i = 0; i < 1500; i++) {
            byte[] noise = new byte[4000];
            random.nextBytes(noise);
            // No compression makes it so small that it fits into the buffers of a socket.
            String text = Base64.getEncoder().encodeToString(noise);
            last = server.append(server.status(8, Visibility.PUBLIC, "{\"f\":\"" + text + "\"}"));
        }
        String end = "-" + last;
        awaitUntil("the quick one has all", () -> quick.lastEventId().endsWith(end));
        awaitUntil("the plain one has all", () -> plain.lastEventId().endsWith(end));
        assertThat(slow.messages("status").size())
                .isLessThan(plain.messages("status").size());

        slow.resume();
        awaitUntil("the slow one has some", () -> slow.messages("status").size() > 700);
        slow.close();
        String cursor = slow.lastEventId();
        SseClient again = server.listening(GZIP, "Last-Event-ID: " + cursor);
        awaitUntil("it has the rest", () -> again.lastEventId().endsWith(end));

        List<Message> received = new ArrayList<>(slow.messages("status"));
        received.addAll(again.messages("status"));
        assertThat(received).isEqualTo(plain.messages("status"));
        assertThat(quick.messages("status")).isEqualTo(plain.messages("status"));
        assertThat(again.messages("gap")).isEmpty();
        assertThat(quick.received()).isLessThan(plain.received());
    }

    @Test
    void aDeletedStatusIsInNoBlock() {
        SseClient client = server.listening(GZIP);
        Event shown = server.status(8, Visibility.PUBLIC, "{\"secret\":1}");
        long first = server.append(shown);
        awaitUntil("sent", () -> client.lastEventId().endsWith("-" + first));
        server.append(StreamServer.delete(shown));
        long last = post();
        server.awaitKnown(last);

        SseClient later = server.listening(GZIP, "Last-Event-ID: " + server.epoch() + "-" + (first - 1));
        awaitUntil("resumed", () -> later.lastEventId().endsWith("-" + last));

        assertThat(client.raw()).contains("secret");
        assertThat(later.raw()).doesNotContain("secret");
        assertThat(later.messages("delete")).hasSize(1);
    }

    @Test
    void aViewerIsSentNothingOfAHiddenAccount() {
        long viewer = server.newUser();
        long hidden = server.newUser();
        await(server.blocks.mute(viewer, hidden, true));
        SseClient client = server.listening(GZIP, bearer(viewer));
        SseClient all = server.listening(GZIP);
        server.append(server.status(hidden, Visibility.PUBLIC, "{\"secret\":1}"));
        long last = post();

        awaitUntil("sent", () -> client.lastEventId().endsWith("-" + last));
        awaitUntil("sent", () -> all.lastEventId().endsWith("-" + last));

        assertThat(client.raw()).doesNotContain("secret");
        assertThat(all.raw()).contains("secret");
    }

    @Test
    void aStreamThatTheServerEndsHasAValidEnd() throws Exception {
        for (int i = 0; i < 30; i++) {
            server.awaitKnown(post());
        }
        SseClient client = server.get(0, BASE + "firehose?count=-20", GZIP);
        awaitUntil("ended", client::ended);
        assertThat(client.endsWell()).isTrue();
        assertThat(client.messages("status")).hasSize(20);

        // The JDK's own reader throws at an end without checksum.
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.port(0) + BASE + "firehose?count=-20"))
                .header("Accept-Encoding", "gzip")
                .build();
        HttpResponse<InputStream> answer =
                HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream in = new GZIPInputStream(answer.body())) {
            assertThat(tags(new String(in.readAllBytes(), StandardCharsets.UTF_8)))
                    .isEqualTo(tags(client.raw()));
        }
    }

    @Test
    @Timeout(60)
    void readersOfTheJdkAreGivenEachEventAtOnce() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.port(0) + BASE + "firehose"))
                .header("Accept-Encoding", "gzip")
                .header("Accept", "application/x-ndjson")
                .build();
        HttpResponse<InputStream> answer =
                HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream in = new GZIPInputStream(answer.body(), 1 << 16)) {
            assertThat(line(in)).contains("\"event\":\"hello\"");
            for (int i = 0; i < 5; i++) {
                post();
                String line = line(in);
                // Keep-alives are empty lines.
                while (line.isBlank()) {
                    line = line(in);
                }
                assertThat(line).contains(tag());
            }
        }
    }

    /** A reader of characters would wait for more: {@link GZIPInputStream#available} promises more until the end. */
    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', textBlock = """
                    gzip                                | true
                    x-gzip                              | true
                    GZIP                                | true
                    *                                   | true
                    br;q=1.0, gzip;q=0.8, *;q=0.1       | true
                    gzip;q=0                            | false
                    gzip;q=0.000                        | false
                    gzip;q=0, *                         | false
                    *;q=0                               | false
                    identity                            | false
                    br, deflate                         | false
                    gzipped                             | false
                    ;;;,,,q=0,gz ip                     | false
                    """)
    void onlyWhoAcceptsGzipGetsIt(String accepted, boolean compressed) {
        SseClient client = server.listening("Accept-Encoding: " + accepted);
        assertThat(client.header("Content-Encoding")).isEqualTo(compressed ? "gzip" : null);
        assertThat(client.header("Vary")).contains("accept-encoding");
    }

    @Test
    void streamsOfOneUserAndFiltersAreNotCompressed() {
        String bearer = bearer(server.newUser());
        for (String path : List.of("home", "user", "filter?track=rain", "hashtag?tag=rain")) {
            SseClient client = server.get(0, BASE + path, GZIP, bearer);
            assertThat(client.status()).isEqualTo(200);
            assertThat(client.header("Content-Encoding")).as(path).isNull();
        }
    }

    @Test
    void aHeadSaysWhatTheStreamIs() {
        SseClient head = server.send(0, "HEAD", BASE + "firehose", GZIP);
        assertThat(head.header("Content-Encoding")).isEqualTo("gzip");
        assertThat(head.raw()).isEmpty();
    }

    @Test
    void aServerMayCompressNothing() {
        try (StreamServer plain = StreamServer.start(kind.redis(), "stream.compress=false")) {
            SseClient client = plain.listening(GZIP);
            assertThat(client.header("Content-Encoding")).isNull();
            assertThat(client.header("Vary")).isNull();
        }
    }

    /** Appends a public status, and answers its seq. */
    @CanIgnoreReturnValue
    private long post() {
        posted++;
        Event event = server.post(8, tag());
        return server.append(
                event.withBody("{\"id\":\"" + event.subject() + "\",\"content\":\"<p>" + tag() + "</p>\"}"));
    }

    /** The tag of the newest status. */
    private String tag() {
        return "w" + posted + "x";
    }

    /** The tags of all statuses in what a stream has sent. */
    private static List<String> tags(String raw) {
        return TAG.matcher(raw).results().map(MatchResult::group).toList();
    }
}
