package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.Views;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.stream.SseClient.Message;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/**
 * The native stream as a client sees it. One server for all tests of a topology; each test looks only at what comes
 * after its own hello.
 */
class FirehoseTest extends OnEveryRedis {
    @BeforeParameterizedClassInvocation
    static void start(TestRedis.Kind kind) {
        // A small ring, so that resuming reaches the log as well.
        server = StreamServer.start(
                kind.redis(), "stream.ring-events=100", "stream.log-events=3000", "stream.heartbeat=500ms");
    }

    @Test
    void beginsWithHeadersThatProxiesHeedAndAHello() {
        long tip = server.append(server.status(1));

        SseClient client = server.listening();

        assertThat(client.status()).isEqualTo(200);
        assertThat(client.header("Content-Type")).isEqualTo("text/event-stream; charset=utf-8");
        assertThat(client.header("Cache-Control")).isEqualTo("no-store, no-transform");
        assertThat(client.header("X-Accel-Buffering")).isEqualTo("no");
        assertThat(client.header("Content-Encoding")).isNull();
        assertThat(client.header("Vary")).contains("accept-encoding");
        Message hello = client.messages().get(0);
        assertThat(client.raw()).startsWith(":\nid: " + hello.id() + "\nevent: hello\ndata: {");
        JsonObject body = new JsonObject(hello.data());
        assertThat(hello.id()).isEqualTo(server.epoch() + "-" + body.getLong("tip"));
        assertThat(body.getString("stream")).isEqualTo("firehose");
        assertThat(body.getString("conn")).matches("[0-9a-f]{16}");
        assertThat(body.getString("epoch")).isEqualTo(server.epoch());
        assertThat(body.getLong("tip")).isGreaterThanOrEqualTo(tip - 1);
        assertThat(body.getLong("floor")).isGreaterThanOrEqualTo(1);
        assertThat(body.getBoolean("resumed")).isFalse();
        assertThat(body.getLong("from")).isEqualTo(body.getLong("tip") + 1);
    }

    @Test
    void sendsPublicStatusesInOrder() {
        SseClient client = server.listening();
        Event shown = server.status(7);
        Event hidden = server.status(8, Visibility.PRIVATE, "{\"secret\":1}");
        Event unlisted = server.status(8, Visibility.UNLISTED, "{\"secret\":2}");
        Event follow = server.follow(8, 12);
        List<Event> events = List.of(
                shown,
                hidden,
                unlisted,
                follow,
                StreamServer.delete(hidden),
                StreamServer.delete(shown),
                server.unfollow(follow),
                server.status(9));
        long first = server.append(events.get(0));
        // A status and its delete in one turn would be told as the delete alone.
        awaitUntil("the first told", () -> client.raw().contains(shown.body()));
        events.subList(1, events.size()).forEach(server::append);

        awaitUntil("all told", () -> client.raw().contains("{\"n\":9}"));

        String epoch = server.epoch();
        List<Message> received = client.messages().stream()
                .filter(message -> !message.event().equals("hello") && seq(message) >= first)
                .toList();
        assertThat(received)
                .containsExactly(
                        new Message(epoch + "-" + first, "status", "{\"n\":7}"),
                        new Message(epoch + "-" + (first + 3), "follow", follow.body()),
                        new Message(
                                epoch + "-" + (first + 5),
                                "delete",
                                "{\"id\":\"" + shown.subject() + "\",\"deleted\":true}"),
                        new Message(epoch + "-" + (first + 6), "unfollow", follow.body()),
                        new Message(epoch + "-" + (first + 7), "status", "{\"n\":9}"));
        assertThat(client.raw()).doesNotContain("secret");
    }

    @Test
    void aStreamThatIsCutBeforeItsFirstEventComesBackToItsPlace() {
        SseClient first = server.listening();
        awaitUntil("hello", () -> !first.messages().isEmpty());
        String cursor = first.messages().get(0).id();
        first.close();
        List<Long> seqs = append(3);

        SseClient second = server.listening("Last-Event-ID: " + cursor);

        awaitUntil("all", () -> second.messages("status").size() >= 3);
        assertThat(new JsonObject(second.messages().get(0).data()).getBoolean("resumed"))
                .isTrue();
        assertThat(second.messages("status").stream().map(FirehoseTest::seq).limit(3))
                .containsExactlyElementsOf(seqs);
    }

    @Test
    void aHelloBeforeAGapLeavesTheCursorWhereItWas() {
        SseClient client = server.listening("Last-Event-ID: 00000000-1");

        awaitUntil("gap", () -> !client.messages("gap").isEmpty());
        assertThat(client.messages().get(0).event()).isEqualTo("hello");
        assertThat(client.messages("gap").get(0).id()).isEmpty();
    }

    @Test
    void resumesRightAfterTheCursorFromHeaderOrAddress() {
        List<Long> seqs = append(5);
        String cursor = server.epoch() + "-" + seqs.get(1);

        List<SseClient> clients = List.of(
                server.listening("Last-Event-ID: " + cursor),
                server.get(0, "/api/v1/streaming/firehose?last_event_id=" + cursor),
                server.get(0, "/api/v1/streaming/firehose?cursor=" + seqs.get(1)),
                server.get(0, "/api/v1/streaming/firehose?cursor=1", "Last-Event-ID: " + cursor));

        for (SseClient client : clients) {
            awaitUntil("resumed", () -> client.messages("status").size() >= 3);
            assertThat(client.messages("status").stream().map(FirehoseTest::seq).limit(3))
                    .containsExactlyElementsOf(seqs.subList(2, 5));
            JsonObject hello = new JsonObject(client.messages("hello").get(0).data());
            assertThat(hello.getBoolean("resumed")).isTrue();
            assertThat(hello.getLong("from")).isEqualTo(seqs.get(1) + 1);
            assertThat(client.messages("gap")).isEmpty();
        }
    }

    @Test
    void aReplayGoesFromTheLogThroughTheRingToLiveWithoutASeam() {
        List<Long> seqs = new ArrayList<>(append(700));
        SseClient client = server.listening("Last-Event-ID: " + server.epoch() + "-" + (seqs.get(0) - 1));
        seqs.addAll(append(50));

        awaitUntil("all", () -> client.messages("status").size() >= seqs.size());

        assertThat(client.messages("status").stream().map(FirehoseTest::seq)).containsExactlyElementsOf(seqs);
        assertThat(client.messages("gap")).isEmpty();
    }

    @Test
    void aReplayAcrossAStatusAndItsDeleteSendsOnlyTheDelete() {
        for (int distance : List.of(0, 300)) {
            Event status = server.status(1);
            long first = server.append(status);
            append(distance);
            server.append(StreamServer.delete(status));
            long last = server.append(server.status(2));
            server.awaitKnown(last);

            SseClient client = server.listening("Last-Event-ID: " + server.epoch() + "-" + (first - 1));
            awaitUntil("resumed", () -> client.lastEventId().endsWith("-" + last));

            assertThat(client.messages("status").stream().map(FirehoseTest::seq))
                    .doesNotContain(first);
            assertThat(client.messages("delete")).hasSize(1);
            assertThat(client.messages("gap")).isEmpty();
        }
    }

    @Test
    void aCursorThatCannotBeServedIsReportedInBand() {
        long tip = append(1).get(0);
        String epoch = server.epoch();
        record Case(String cursor, String reason) {}
        for (Case given : List.of(
                new Case("00000000-1", "epoch"),
                new Case("nonsense", "invalid"),
                new Case(epoch + "-" + (tip + 1_000_000), "future"))) {
            SseClient client = server.listening("Last-Event-ID: " + given.cursor());
            awaitUntil("gap", () -> !client.messages("gap").isEmpty());
            long next = append(1).get(0);
            awaitUntil("goes on", () -> client.lastEventId().endsWith("-" + next));

            assertThat(client.status()).isEqualTo(200);
            JsonObject gap = new JsonObject(client.messages("gap").get(0).data());
            assertThat(gap.getString("reason")).isEqualTo(given.reason());
            assertThat(gap.getLong("missed")).isNull();
            assertThat(client.messages("gap").get(0).id()).isEmpty();
        }
    }

    @Test
    void eventsThatHaveLeftTheLogAreAGapAndTheStreamGoesOnFromTheFloor() {
        append(3500);
        SseClient client = server.listening("Last-Event-ID: " + server.epoch() + "-0");
        awaitUntil("gap", () -> !client.messages("gap").isEmpty());

        JsonObject gap = new JsonObject(client.messages("gap").get(0).data());
        assertThat(gap.getString("reason")).isEqualTo("expired");
        assertThat(gap.getLong("from")).isEqualTo(1);
        assertThat(gap.getLong("missed")).isEqualTo(gap.getLong("to"));
        assertThat(client.messages("gap")).hasSize(1);
        assertThat(new JsonObject(client.messages("hello").get(0).data()).getLong("floor"))
                .isEqualTo(gap.getLong("to") + 1);
        awaitUntil("status", () -> !client.messages("status").isEmpty());
        assertThat(seq(client.messages("status").get(0))).isEqualTo(gap.getLong("to") + 1);
    }

    @Test
    void anIdleStreamGetsAHeartbeatThatMovesItsCursor() {
        SseClient client = server.listening();
        long hidden = server.append(server.status(8, Visibility.PRIVATE, "{}"));

        awaitUntil("heartbeat", () -> client.raw().contains("\n\nid: " + server.epoch() + "-" + hidden + "\n\n"));

        assertThat(client.lastEventId()).isEqualTo(server.epoch() + "-" + hidden);
        assertThat(client.messages("status")).isEmpty();
    }

    @Test
    void aSlowReaderGetsEverythingLater() {
        SseClient slow = server.listening();
        slow.pause();
        SseClient quick = server.listening();
        String filler = "x".repeat(4000);
        List<Long> seqs = new ArrayList<>();
        for (int i = 0; i < 1200; i++) {
            seqs.add(server.append(server.status(8, Visibility.PUBLIC, "{\"f\":\"" + filler + "\"}")));
        }
        awaitUntil("the quick one has all", () -> quick.lastEventId().endsWith("-" + seqs.get(seqs.size() - 1)));
        assertThat(slow.messages("status").size()).isLessThan(seqs.size());

        slow.resume();
        awaitUntil("the slow one has all", () -> slow.lastEventId().endsWith("-" + seqs.get(seqs.size() - 1)));

        assertThat(slow.messages("status").stream().map(FirehoseTest::seq)).containsExactlyElementsOf(seqs);
        assertThat(slow.messages("gap")).isEmpty();
        assertThat(quick.messages("status").stream().map(FirehoseTest::seq)).containsExactlyElementsOf(seqs);
    }

    @Test
    void anyTextComesOutAsExactlyOneEvent() {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        Views views = new Views("http://localhost");
        SseClient client = server.listening();
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String text = text(random);
            Content content = new Content(text, text, false, null, List.of(), List.of(), null);
            Status status = new Status(server.newId(), Post.of(8, Visibility.PUBLIC, content), Counters.NONE);
            Account author = new Account(8, "ann", text, text, 0, 0, 0, 0);
            Event event = new EventBodies(views).posted(status, RenderContext.of(author));
            bodies.add(EventBodies.rendered(event).body());
            server.append(event);
        }

        awaitUntil("all told", () -> client.messages("status").size() >= bodies.size());

        assertThat(client.messages("status").stream().map(Message::data)).containsExactlyElementsOf(bodies);
        assertThat(client.messages()).hasSize(1 + bodies.size());
    }

    @Test
    void aStatusThatCannotBeReadIsPassedOver() {
        SseClient client = server.listening();
        server.append(server.status(8, Visibility.PUBLIC, "[{\"c\":\"secret"));
        server.append(server.status(9));

        awaitUntil("the next told", () -> client.raw().contains("{\"n\":9}"));

        assertThat(client.messages("status")).hasSize(1);
        assertThat(client.messages("gap")).isEmpty();
        assertThat(client.raw()).doesNotContain("secret");
    }

    @Test
    void healthIsTextForLoadBalancers() {
        SseClient answer = server.get(0, "/api/v1/streaming/health");
        awaitUntil("answered", () -> answer.raw().equals("OK"));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).startsWith("text/plain");
    }

    @Test
    void headOfHealthIsHealthWithoutItsText() {
        SseClient answer = server.send(0, "HEAD", "/api/v1/streaming/health");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.raw()).isEmpty();
    }

    @Test
    void theErrorForAWrongMethodNamesTheRightOnes() {
        SseClient answer = server.send(0, "POST", "/api/v1/streaming/firehose", "Content-Length: 0");
        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.header("Allow")).isEqualTo("GET, HEAD");
        assertThat(server.send(0, "PUT", "/api/v1/streaming/health", "Content-Length: 0")
                        .header("Allow"))
                .isEqualTo("GET, HEAD");
    }

    @Test
    void anAddressThatCannotBeDecodedIsRefused() {
        for (String path : List.of("/api/v1/streaming/%zz", "/api/v1/streaming/firehose?cursor=%zz")) {
            SseClient answer = server.get(0, path);
            awaitUntil("answered", () -> answer.raw().endsWith("}"));
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.raw()).contains("{\"error\":\"The address is malformed: ");
        }
    }

    /** A random text of line ends, control characters, pieces of the protocol itself, and all planes of Unicode. */
    private static String text(Random random) {
        List<String> nasty = List.of(
                "\n",
                "\r",
                "\r\n",
                "\n\n",
                "\u0000",
                "\u000b",
                "\f",
                "\u0085",
                "\u2028",
                "\u2029",
                "\ufeff",
                "data: x\n\n",
                "id: 1\n\n",
                "|",
                "\"",
                "\\",
                "💬");
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 30; i++) {
            if (random.nextBoolean()) {
                text.append(nasty.get(random.nextInt(nasty.size())));
            } else {
                int c = random.nextInt(0x110000);
                text.appendCodePoint(c >= 0xd800 && c <= 0xdfff ? '?' : c);
            }
        }
        return text.toString();
    }

    @CanIgnoreReturnValue
    private List<Long> append(int many) {
        return IntStream.range(0, many)
                .mapToObj(i -> server.append(server.status(i)))
                .toList();
    }

    static long seq(Message message) {
        return Long.parseLong(message.id().substring(message.id().indexOf('-') + 1));
    }
}
