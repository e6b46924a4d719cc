package io.fanfare.client.stream;

import static io.fanfare.client.ScriptedServer.answer;
import static io.fanfare.client.ScriptedServer.events;
import static io.fanfare.client.ScriptedServer.openEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.client.Fanfare;
import io.fanfare.client.ScriptedServer;
import io.fanfare.client.error.ApiException;
import io.fanfare.client.error.ConnectionException;
import io.fanfare.client.error.FanfareException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stream on a server that sends the bytes of the test. */
@Timeout(60)
@Tag("slow")
class EventStreamTest {
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);
    private static final String RETRY = "retry: 1\n\n";

    @Test
    void aLostConnectionIsResumedAfterTheLastEvent() {
        try (ScriptedServer server = new ScriptedServer(
                        events(RETRY, hello(1), status(2, 100)), openEvents(RETRY, hello(2), status(3, 101)));
                EventStream stream = open(server, Cursor.NONE)) {
            assertThat(statuses(stream, 2)).containsExactly("100", "101");
            assertThat(server.requests().get(0).header("last-event-id")).isEmpty();
            assertThat(server.requests().get(1).header("last-event-id")).isEqualTo("0000000e-2");
            assertThat(server.requests().get(0).header("authorization")).isEqualTo("Bearer secret");
        }
    }

    @Test
    void anEventThatComesAgainAfterAReconnectIsLeftOut() {
        try (ScriptedServer server = new ScriptedServer(
                        events(RETRY, hello(1), status(2, 100), status(3, 101)),
                        openEvents(hello(1), status(2, 100), status(3, 101), status(4, 102)));
                EventStream stream = open(server, Cursor.NONE)) {
            assertThat(statuses(stream, 3)).containsExactly("100", "101", "102");
            assertThat(stream.repeats()).isEqualTo(2);
        }
    }

    @Test
    void eachCompressedEventIsHandedOverBeforeTheServerSendsAnother() {
        Semaphore handedOver = new Semaphore(1);
        ScriptedServer.Script script = (request, out) -> {
            Gzip gzip = new Gzip(out);
            gzip.write(hello(1));
            for (int seq = 2; seq <= 5; seq++) {
                handedOver.acquire();
                gzip.write(status(seq, seq));
            }
            Thread.currentThread().join();
        };
        try (ScriptedServer server = new ScriptedServer(script);
                EventStream stream = open(server, Cursor.NONE)) {
            for (int seq = 2; seq <= 5; seq++) {
                assertThat(statuses(stream, 1)).containsExactly("00" + seq);
                handedOver.release();
            }
            assertThat(server.requests().get(0).header("accept-encoding")).isEqualTo("gzip");
        }
    }

    @Test
    void brokenGzipAndAnEndInItsMiddleResumeAfterTheLastEvent() {
        CountDownLatch handedOver = new CountDownLatch(1);
        ScriptedServer.Script broken = (request, out) -> {
            new Gzip(out).write(RETRY + hello(1) + status(2, 2));
            handedOver.await();
            out.write(new byte[] {-1, -1, -1, -1, -1, -1});
        };
        ScriptedServer.Script cut = (request, out) -> {
            Gzip gzip = new Gzip(out);
            gzip.write(RETRY + hello(2) + status(3, 3));
            gzip.writeAllBut(9, status(4, 4));
        };
        ScriptedServer.Script good = (request, out) -> {
            new Gzip(out).write(hello(3) + status(4, 4));
            Thread.currentThread().join();
        };
        List<String> reasons = new CopyOnWriteArrayList<>();
        try (ScriptedServer server = new ScriptedServer(broken, cut, good);
                EventStream stream =
                        client(server).firehose().onReconnect(reasons::add).open()) {
            assertThat(statuses(stream, 1)).containsExactly("002");
            handedOver.countDown();
            assertThat(statuses(stream, 2)).containsExactly("003", "004");
            assertThat(server.requests().stream().map(request -> request.header("last-event-id")))
                    .containsExactly("", "0000000e-2", "0000000e-3");
            assertThat(reasons).hasSize(2);
            assertThat(reasons.get(0)).startsWith("the server sent broken gzip");
            assertThat(reasons.get(1)).startsWith("the server ended the connection");
        }
    }

    @Test
    void gzipThatIsBrokenThreeTimesEndsTheStream() {
        ScriptedServer.Script none = (request, out) -> {
            ScriptedServer.head(out, "gzip");
            out.write("no gzip at all".getBytes(StandardCharsets.UTF_8));
        };
        try (ScriptedServer server = new ScriptedServer(none);
                EventStream stream = open(server, Cursor.NONE)) {
            assertThatThrownBy(stream::next).hasMessageStartingWith("the server sent broken gzip");
            assertThat(server.requests()).hasSize(3);
        }
    }

    @Test
    void aCompressedRefusalHasItsSentence() {
        ScriptedServer.Script refusal = (request, out) -> {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            try (OutputStream gzip = new GZIPOutputStream(body)) {
                gzip.write("{\"error\":\"no such stream\"}".getBytes(StandardCharsets.UTF_8));
            }
            out.write(("HTTP/1.1 404 X\r\nContent-Encoding: gzip\r\nContent-Length: " + body.size() + "\r\n\r\n")
                    .getBytes(StandardCharsets.UTF_8));
            out.write(body.toByteArray());
        };
        try (ScriptedServer server = new ScriptedServer(refusal);
                EventStream stream = open(server, Cursor.NONE)) {
            assertThatThrownBy(stream::next).hasMessageContaining("no such stream");
        }
    }

    /** A stream as a server compresses it: each text can be read as soon as its bytes have come. */
    private static final class Gzip {
        private final OutputStream out;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final GZIPOutputStream deflating;

        private Gzip(OutputStream out) throws IOException {
            this.out = out;
            deflating = new GZIPOutputStream(bytes, /* syncFlush= */ true);
            ScriptedServer.head(out, "gzip");
        }

        private void write(String text) throws IOException {
            writeAllBut(0, text);
        }

        private void writeAllBut(int missing, String text) throws IOException {
            deflating.write(text.getBytes(StandardCharsets.UTF_8));
            deflating.flush();
            out.write(bytes.toByteArray(), 0, bytes.size() - missing);
            out.flush();
            bytes.reset();
        }
    }

    @Test
    void theCursorOfABatchIsThatOfItsLastEventAndAHeartbeatMovesIt() {
        try (ScriptedServer server = new ScriptedServer(openEvents(hello(1), status(2, 100), "id: 0000000e-50\n\n"));
                EventStream stream = open(server, Cursor.NONE)) {
            Cursor cursor = Cursor.NONE;
            int events = 0;
            while (!cursor.value().equals("0000000e-50")) {
                Batch batch = stream.next(WAIT_MAX).orElseThrow();
                events += batch.events().size();
                cursor = batch.cursor();
            }
            assertThat(events).isEqualTo(2);
        }
    }

    @Test
    void aStoredCursorStartsRightAfterIt() {
        try (ScriptedServer server = new ScriptedServer(openEvents(hello(7), status(8, 100)));
                EventStream stream = open(server, new Cursor("0000000e-7"))) {
            assertThat(statuses(stream, 1)).containsExactly("100");
            assertThat(server.requests().get(0).header("last-event-id")).isEqualTo("0000000e-7");
        }
    }

    @Test
    void aGapIsReportedAndTheEventsAfterItAreHandedOverAlsoWithLowerNumbers() {
        String gap = "event: gap\ndata: {\"from\":8,\"to\":null,\"reason\":\"future\",\"missed\":null}\n\n";
        List<StreamEvent.Gap> gaps = new CopyOnWriteArrayList<>();
        try (ScriptedServer server = new ScriptedServer(
                        events(RETRY, hello(7), status(8, 100)), openEvents(helloWithoutId(), gap, status(3, 101)));
                EventStream stream = client(server).firehose().onGap(gaps::add).open()) {
            assertThat(statuses(stream, 2)).containsExactly("100", "101");
            assertThat(gaps).hasSize(1);
            assertThat(gaps.get(0).reason()).isEqualTo("future");
            assertThat(gaps.get(0).to()).isNull();
            assertThat(gaps.get(0).afterStatusId()).isEqualTo("100");
        }
    }

    @Test
    void aFailureOfTheGapCallbackEndsTheStreamSoThatNoLaterCursorCoversTheLostBatch() {
        String gap = "event: gap\ndata: {\"from\":8,\"to\":null,\"reason\":\"expired\",\"missed\":null}\n\n";
        try (ScriptedServer server = new ScriptedServer(openEvents(gap, hello(8), status(9, 100)));
                EventStream stream = client(server)
                        .firehose()
                        .onGap(missed -> {
                            throw new IllegalStateException("no room");
                        })
                        .open()) {
            assertThatThrownBy(() -> statuses(stream, 1)).hasMessage("no room");
            assertThat(stream.next()).isEmpty();
            assertThat(stream.isEnded()).isTrue();
        }
    }

    @Test
    void aGoodEventBetweenMalformedOnesKeepsTheStream() {
        String malformed = "event: status\ndata: 7\n\n";
        try (ScriptedServer server = new ScriptedServer(
                        events(RETRY, hello(1), malformed),
                        events(RETRY, hello(1), status(2, 100), malformed),
                        events(RETRY, hello(2), malformed),
                        openEvents(hello(2), status(3, 101)));
                EventStream stream = open(server, Cursor.NONE)) {
            assertThat(statuses(stream, 2)).containsExactly("100", "101");
        }
    }

    @Test
    void theReasonOfTheServerIsReportedOnceForEachConnection() {
        String goodbye = "event: disconnect\ndata: {\"code\":2,\"message\":\"a restart\"}\n\n";
        List<String> reports = new CopyOnWriteArrayList<>();
        try (ScriptedServer server =
                        new ScriptedServer(events(RETRY, hello(1), goodbye), openEvents(hello(1), status(2, 100)));
                EventStream stream =
                        client(server).firehose().onReconnect(reports::add).open()) {
            assertThat(statuses(stream, 1)).containsExactly("100");
            assertThat(reports).containsExactly("the server says: a restart; coming back in 50 ms, after 0000000e-1");
        }
    }

    @Test
    void aSilentConnectionIsReplaced() {
        try (ScriptedServer server =
                        new ScriptedServer(openEvents(RETRY, hello(1)), openEvents(hello(1), status(2, 100)));
                EventStream stream = client(server)
                        .firehose()
                        .silenceMax(Duration.ofMillis(300))
                        .open()) {
            assertThat(statuses(stream, 1)).containsExactly("100");
            assertThat(server.requests()).hasSizeGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void aConnectionThatDripsBytesWithoutALineIsReplaced() {
        try (ScriptedServer server = new ScriptedServer(
                        (request, out) -> {
                            ScriptedServer.head(out);
                            out.write("data: ".getBytes(StandardCharsets.UTF_8));
                            while (true) {
                                out.write('x');
                                out.flush();
                                Thread.sleep(20);
                            }
                        },
                        openEvents(hello(1), status(2, 100)));
                EventStream stream = client(server)
                        .firehose()
                        .silenceMax(Duration.ofMillis(300))
                        .open()) {
            assertThat(statuses(stream, 1)).containsExactly("100");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 406, 410, 413, 416, 422})
    void aFinalAnswerEndsTheStreamWithTheSentenceOfTheServer(int status) {
        try (ScriptedServer server = new ScriptedServer(answer(status, "", "{\"error\":\"no such thing\"}"));
                EventStream stream = open(server, Cursor.NONE)) {
            assertThatThrownBy(stream::next).isInstanceOfSatisfying(ApiException.class, e -> {
                assertThat(e.status()).isEqualTo(status);
                assertThat(e.sentence()).isEqualTo("no such thing");
            });
            assertThat(server.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 420, 425, 429, 500, 502, 503, 504})
    void aPassingAnswerIsFollowedByAnotherAttempt(int status) {
        try (ScriptedServer server = new ScriptedServer(
                        answer(status, "Retry-After: 0\r\n", "{}"), openEvents(hello(1), status(2, 100)));
                EventStream stream = open(server, Cursor.NONE)) {
            assertThat(statuses(stream, 1)).containsExactly("100");
        }
    }

    @Test
    void aReplacedStreamEndsWithAFailure() {
        try (ScriptedServer server = new ScriptedServer(
                        events(hello(1), "event: disconnect\ndata: {\"code\":7,\"message\":\"a newer stream\"}\n\n"));
                EventStream stream = open(server, Cursor.NONE)) {
            assertThatThrownBy(() -> statuses(stream, 1))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessage("the server says: a newer stream");
        }
    }

    @Test
    void aRequestForTheLastEventsEndsAndItsCursorEndsTheNextOneAtOnce() {
        try (ScriptedServer server = new ScriptedServer(
                events(
                        hello(1),
                        status(2, 100),
                        "id: 0000000e-2-end\n\n",
                        "event: disconnect\ndata: {\"code\":9,\"reason\":\"all\"}\n\n"),
                answer(204, "", ""))) {
            Cursor cursor = Cursor.NONE;
            try (EventStream stream = client(server).firehose().onlyLast(1).open()) {
                for (Batch batch : stream) {
                    cursor = batch.cursor();
                }
                assertThat(stream.isEnded()).isTrue();
            }
            assertThat(cursor.value()).isEqualTo("0000000e-2-end");
            assertThat(server.requests().get(0).line()).contains("count=-1");
            try (EventStream stream = open(server, cursor)) {
                assertThat(stream.next()).isEmpty();
            }
        }
    }

    @Test
    void aSlowConsumerSlowsDownTheServerAndNotTheMemory() {
        long frames = 200_000;
        AtomicLong sent = new AtomicLong();
        try (ScriptedServer server = new ScriptedServer((request, out) -> {
                    ScriptedServer.head(out);
                    out.write(hello(0).getBytes(StandardCharsets.UTF_8));
                    for (long i = 1; i <= frames; i++) {
                        out.write(status(i, i).getBytes(StandardCharsets.UTF_8));
                        sent.set(i);
                    }
                    Thread.currentThread().join();
                });
                EventStream stream =
                        client(server).firehose().buffer(100, 1_000_000).open()) {
            Batch first = stream.next().orElseThrow();
            assertThat(first.events().size()).isLessThanOrEqualTo(100);
            // The sockets of both sides hold a few megabytes; the server stands still then.
            long[] before = {-1};
            Awaitility.await().atMost(WAIT_MAX).during(Duration.ofMillis(500)).until(() -> {
                boolean stands = before[0] == sent.get();
                before[0] = sent.get();
                return stands;
            });
            assertThat(sent.get()).isLessThan(frames);
            assertThat(statuses(stream, 5_000 - (int) count(first)).stream().map(Long::parseLong))
                    .startsWith(count(first) + 1)
                    .isSorted();
        }
    }

    @Test
    void aChangedFilterGoesToTheOpenConnectionAndToLaterOnes() {
        try (ScriptedServer server = new ScriptedServer(
                        openEvents(hello(1)),
                        ScriptedServer.json("{\"conn\":\"c1\"}"),
                        openEvents(hello(1), status(2, 100)));
                EventStream stream = client(server).stream(Filter.track("one")).open()) {
            assertThat(stream.next()).isPresent();
            stream.change(Filter.track("two"));
            assertThat(server.requests().get(0).body()).isEqualTo("track=one");
            assertThat(server.requests().get(1).line()).startsWith("PUT /api/v1/streaming/connections/c1/filter ");
            assertThat(server.requests().get(1).body()).isEqualTo("track=two");
        }
    }

    @Test
    void aFilterOfAConnectionThatTheServerDoesNotKnowIsChangedByAReconnect() {
        try (ScriptedServer server = new ScriptedServer(
                        openEvents(RETRY, hello(1)), answer(404, "", "{}"), openEvents(hello(1), status(2, 100)));
                EventStream stream = client(server).stream(Filter.track("one")).open()) {
            assertThat(stream.next()).isPresent();
            stream.change(Filter.track("two"));
            assertThat(statuses(stream, 1)).containsExactly("100");
            assertThat(server.requests().get(2).body()).isEqualTo("track=two");
        }
    }

    @Test
    void aRefusedFilterLeavesTheOldOne() {
        try (ScriptedServer server = new ScriptedServer(
                        openEvents(hello(1)), answer(413, "", "{\"error\":\"too many\",\"param\":\"track\"}"));
                EventStream stream = client(server).stream(Filter.track("one")).open()) {
            assertThat(stream.next()).isPresent();
            assertThatThrownBy(() -> stream.change(Filter.track("two")))
                    .isInstanceOfSatisfying(
                            ApiException.class, e -> assertThat(e.param()).contains("track"));
        }
    }

    @Test
    void aReconnectBeforeTheAnswerToAChangeHasTheFormerFilter() {
        for (boolean accepted : List.of(true, false)) {
            CountDownLatch changing = new CountDownLatch(1);
            CountDownLatch again = new CountDownLatch(1);
            ScriptedServer.Script answer =
                    accepted ? ScriptedServer.json("{}") : answer(413, "", "{\"error\":\"too many\"}");
            try (ScriptedServer server = new ScriptedServer(
                            (request, out) -> {
                                events(RETRY, hello(1)).answer(request, out);
                                changing.await();
                            },
                            (request, out) -> {
                                changing.countDown();
                                again.await();
                                answer.answer(request, out);
                            },
                            (request, out) -> {
                                again.countDown();
                                openEvents(RETRY, hello(1).replace("c1", "c2"), status(2, 100))
                                        .answer(request, out);
                            },
                            openEvents(hello(2), status(3, 101)));
                    EventStream stream =
                            client(server).stream(Filter.track("one")).open()) {
                assertThat(stream.next()).isPresent();
                if (accepted) {
                    stream.change(Filter.track("two"));
                    assertThat(statuses(stream, 2)).containsExactly("100", "101");
                    assertThat(server.requests().get(3).body()).isEqualTo("track=two");
                } else {
                    assertThatThrownBy(() -> stream.change(Filter.track("two"))).isInstanceOf(ApiException.class);
                    assertThat(statuses(stream, 1)).containsExactly("100");
                }
                assertThat(server.requests().get(2).body()).isEqualTo("track=one");
            }
        }
    }

    @Test
    void closeWaitsForTheThreadAndWakesTheConsumer() throws Exception {
        try (ScriptedServer server = new ScriptedServer(openEvents())) {
            EventStream stream = open(server, Cursor.NONE);
            List<Object> ends = new CopyOnWriteArrayList<>();
            Thread consumer = new Thread(() -> ends.add(stream.next()));
            consumer.start();
            stream.close();
            consumer.join(WAIT_MAX.toMillis());
            assertThat(ends).hasSize(1);
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().equals("fanfare-stream"));
        }
    }

    @Test
    void aStreamThatMustStartFailsWhenNoServerAnswers() {
        Fanfare nobody = Fanfare.at("http://127.0.0.1:1").build();
        try (EventStream stream = nobody.firehose().failFast().open()) {
            assertThatThrownBy(stream::next)
                    .isInstanceOf(FanfareException.class)
                    .hasMessageStartingWith("no server answers at http://127.0.0.1:1");
        }
    }

    static Fanfare client(ScriptedServer server) {
        return Fanfare.at(server.url()).token("secret").build();
    }

    private static EventStream open(ScriptedServer server, Cursor from) {
        return client(server).firehose().from(from).open();
    }

    private static List<String> statuses(EventStream stream, int howMany) {
        List<String> ids = new ArrayList<>();
        while (ids.size() < howMany) {
            for (StreamEvent event : stream.next(WAIT_MAX).orElseThrow().events()) {
                if (event instanceof StreamEvent.Posted posted) {
                    ids.add(posted.status().id());
                }
            }
        }
        return ids;
    }

    private static long count(Batch batch) {
        return batch.events().stream()
                .filter(event -> event instanceof StreamEvent.Posted)
                .count();
    }

    static String hello(long at) {
        return "id: 0000000e-" + at + "\n" + helloWithoutId();
    }

    private static String helloWithoutId() {
        return "event: hello\ndata: {\"stream\":\"firehose\",\"conn\":\"c1\",\"epoch\":\"0000000e\",\"tip\":9,\"floor\":1,\"resumed\":true,\"from\":2}\n\n";
    }

    static String status(long seq, long id) {
        return "id: 0000000e-" + seq + "\nevent: status\ndata: {\"id\":\"" + String.format("%03d", id)
                + "\",\"content\":\"<p>hi</p>\"}\n\n";
    }
}
