package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.model.Visibility;
import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/** Direct messages reach the streams of their participants and no other stream, whatever its filter. */
class DirectStreamTest extends OnEveryRedis {
    private static final String STREAMS = "/api/v1/streaming/";
    private static final List<String> ALL = List.of(
            "user",
            "direct",
            "home",
            "home?with=user",
            "user/notification",
            "public",
            "public/local",
            "firehose",
            "hashtag?tag=secret",
            "filter?track=psst",
            "sample");

    @BeforeParameterizedClassInvocation
    static void start(TestRedis.Kind kind) {
        server = StreamServer.startClosed(
                kind.redis(), "stream.heartbeat=1s", "stream.connections-max=200", "stream.per-token-max=100");
    }

    private static long newUser() {
        return server.newUser();
    }

    private static SseClient listen(long viewer, String stream) {
        SseClient client = server.get(0, STREAMS + stream, bearer(viewer));
        awaitUntil("open " + stream, () -> !client.raw().isEmpty());
        return client;
    }

    private static Event conversation(long actor, long target, long status, String json) {
        return new Event(
                Event.Kind.CONVERSATION,
                server.newId(),
                actor,
                target,
                Visibility.PRIVATE,
                Event.match(List.of(status)),
                json);
    }

    private static Event delete(long status, long author, long recipient) {
        String match = MatchFields.addressed(List.of(recipient)).encode();
        return new Event(Event.Kind.DELETE, status, author, 0, Visibility.DIRECT, match, "{\"id\":\"" + status + "\"}");
    }

    @Test
    void conversationsGoToTheirStreamAloneAndDeletesToTheParticipants() {
        long ann = newUser();
        long bob = newUser();
        long eve = newUser();
        await(server.graph.followAll(List.of(new long[] {eve, ann}, new long[] {eve, bob})));
        SseClient direct = listen(bob, "direct");
        SseClient user = listen(bob, "user");
        SseClient author = listen(ann, "user");
        List<SseClient> strangers =
                new ArrayList<>(ALL.stream().map(stream -> listen(eve, stream)).toList());
        SseClient publicOfBob = listen(bob, "firehose");

        long status = server.newId();
        server.append(conversation(ann, bob, status, "{\"psst\":1}"));
        server.append(delete(status, ann, bob));
        server.append(conversation(ann, bob, server.newId(), "{\"psst\":2}"));
        // Behind all of it, something for everybody.
        server.append(server.status(ann, Visibility.PUBLIC, "{\"all\":1}"));
        server.append(server.notification(ann, eve, 0, "{\"all\":2}"));
        server.append(conversation(ann, eve, server.newId(), "{\"all\":3}"));

        awaitUntil("told", () -> direct.raw().contains("{\"psst\":2}"));
        awaitUntil("author told", () -> author.raw().contains("{\"all\":1}"));
        awaitUntil("reader told", () -> user.raw().contains("" + status));
        awaitUntil("firehose told", () -> publicOfBob.raw().contains("{\"all\":1}"));
        for (int i : new int[] {0, 1, 2, 4, 5, 7}) {
            awaitUntil(
                    "stranger told " + ALL.get(i), () -> strangers.get(i).raw().contains("{\"all\":"));
        }
        assertThat(direct.raw())
                .contains("event: conversation\ndata: {\"psst\":2}\n\n", "event: delete\ndata: " + status + "\n");
        assertThat(user.raw()).contains("event: delete\ndata: " + status + "\n").doesNotContain("psst");
        assertThat(author.raw())
                .contains("event: delete\ndata: " + status + "\n")
                .doesNotContain("psst");
        assertThat(publicOfBob.raw()).doesNotContain("psst").doesNotContain("" + status);
        assertThat(Stream.concat(strangers.stream(), Stream.empty()))
                .allSatisfy(client ->
                        assertThat(client.raw()).doesNotContain("psst").doesNotContain("" + status));
    }

    @Test
    void aReplaySendsDirectMessagesToNobodyElseEither() {
        long ann = newUser();
        long bob = newUser();
        long eve = newUser();
        await(server.graph.followAll(List.of(new long[] {eve, ann})));
        long before = server.append(server.status(ann, Visibility.PUBLIC, "{\"all\":1}"));
        long status = server.newId();
        server.append(conversation(ann, bob, status, "{\"psst\":1}"));
        server.append(delete(status, ann, bob));
        server.append(conversation(ann, bob, server.newId(), "{\"psst\":2}"));
        server.append(server.status(ann, Visibility.PUBLIC, "{\"all\":2}"));

        for (String stream : List.of("home", "firehose", "public")) {
            SseClient late =
                    server.get(0, STREAMS + stream, bearer(eve), "Last-Event-ID: " + server.epoch() + "-" + before);
            if (!stream.equals("public")) {
                awaitUntil("read again " + stream, () -> late.raw().contains("{\"all\":2}"));
            }
            assertThat(late.raw()).doesNotContain("psst").doesNotContain("" + status);
        }
    }
}
