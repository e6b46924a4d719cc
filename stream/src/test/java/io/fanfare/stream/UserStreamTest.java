package io.fanfare.stream;

import static io.fanfare.common.testing.TestRedis.await;
import static io.fanfare.common.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.event.Event;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.testing.TestRedis;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Mastodon's user stream, and who may listen at all. */
@ParameterizedClass
@EnumSource
class UserStreamTest {
    private static final String USER = "/api/v1/streaming/user";
    private static final String FIREHOSE = "/api/v1/streaming/firehose";

    @Parameter
    TestRedis.Kind kind;

    private static StreamServer server;

    @BeforeParameterizedClassInvocation
    static void start(TestRedis.Kind kind) {
        kind.redis().flush();
        server = StreamServer.startClosed(
                kind.redis(), "stream.heartbeat=1s", "stream.connections-max=20", "stream.per-token-max=100");
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        server.close();
    }

    @Test
    void tellsWhatTheViewerAndTheFollowedDo() {
        long viewer = newUser();
        long friend = newUser();
        long stranger = newUser();
        await(server.graph.followAll(List.of(new long[] {viewer, friend})));
        SseClient client = listening(viewer);

        server.append(server.status(stranger, Visibility.PUBLIC, "{\"no\":1}"));
        server.append(server.status(friend, Visibility.PRIVATE, "{\"yes\":1}"));
        Event own = server.status(viewer, Visibility.UNLISTED, "{\"yes\":2}");
        server.append(own);
        // Else the two may meet in one turn, and then only the delete is told.
        awaitUntil("own status told", () -> client.raw().contains("{\"yes\":2}"));
        server.append(StreamServer.delete(own));
        server.append(server.follow(stranger, viewer));
        server.append(server.status(friend, Visibility.PUBLIC, "{\"yes\":3}"));
        awaitUntil("told", () -> client.raw().contains("{\"yes\":3}"));

        assertThat(withoutThumps(client))
                .isEqualTo(
                        ":)\nevent: update\ndata: {\"yes\":1}\n\nevent: update\ndata: {\"yes\":2}\n\nevent: delete\ndata: "
                                + own.subject() + "\n\nevent: update\ndata: {\"yes\":3}\n\n");
        assertThat(client.header("Content-Type")).isEqualTo("text/event-stream; charset=utf-8");
    }

    @Test
    void followsAndUnfollowsChangeItAtOnce() {
        long viewer = newUser();
        long friend = newUser();
        SseClient client = listening(viewer);

        Event follow = follow(viewer, friend);
        server.append(server.status(friend, Visibility.PRIVATE, "{\"yes\":1}"));
        await(server.graph.unfollow(viewer, friend));
        server.append(server.unfollow(follow));
        server.append(server.status(friend, Visibility.PUBLIC, "{\"no\":1}"));
        server.append(server.status(viewer, Visibility.PUBLIC, "{\"yes\":2}"));
        awaitUntil("told", () -> client.raw().contains("{\"yes\":2}"));

        assertThat(client.raw()).contains("{\"yes\":1}").doesNotContain("{\"no\"");
    }

    @Test
    void anUnfollowToldTooLateDoesNotEndALaterFollow() {
        long viewer = newUser();
        long friend = newUser();
        SseClient client = listening(viewer);
        Event first = follow(viewer, friend);
        await(server.graph.unfollow(viewer, friend));
        follow(viewer, friend);

        server.append(server.unfollow(first));
        // What comes right behind the late event may be missed until the graph has been asked; it must not stay so.
        awaitUntil("heard again", () -> {
            server.append(server.status(friend, Visibility.PUBLIC, "{\"yes\":1}"));
            return client.raw().contains("{\"yes\":1}");
        });
    }

    @Test
    void anIdleStreamGetsThumps() {
        SseClient client = listening(newUser());

        awaitUntil("two heartbeats", () -> client.raw().equals(":)\n:thump\n:thump\n"));
    }

    @Test
    void aTokenIsTakenFromHeaderOrAddress() {
        String token = server.token(newUser(), "read");

        for (SseClient client : List.of(
                server.get(0, USER + "?access_token=" + token),
                server.get(0, FIREHOSE + "?access_token=" + token),
                server.get(0, FIREHOSE, "Authorization: Bearer " + token))) {
            assertThat(client.status()).isEqualTo(200);
            client.close();
        }
    }

    @Test
    void whoMayNotListenIsRefusedForGood() {
        String app = server.token(0, "read");
        String writer = server.token(newUser(), "write");

        record Case(String path, String token, int status) {}
        for (Case given : List.of(
                new Case(USER, null, 401),
                new Case(FIREHOSE, null, 401),
                new Case(USER, "forged", 401),
                new Case(FIREHOSE, "forged", 401),
                new Case(USER, app, 422),
                new Case(FIREHOSE, app, 422),
                new Case(USER, writer, 403),
                new Case(FIREHOSE, writer, 403))) {
            SseClient answer = given.token() == null
                    ? server.get(0, given.path())
                    : server.get(0, given.path(), "Authorization: Bearer " + given.token());
            awaitUntil("answered", answer::ended);
            assertThat(answer.status()).as(given.toString()).isEqualTo(given.status());
            assertThat(answer.header("Content-Type")).startsWith("application/json");
            assertThat(answer.raw()).startsWith("{\"error\":\"");
        }
    }

    @Test
    void aRevokedTokenEndsItsStreams() {
        long viewer = newUser();
        String token = server.token(viewer, "read");
        SseClient user = server.get(0, USER, "Authorization: Bearer " + token);
        SseClient firehose = server.get(0, FIREHOSE, "Authorization: Bearer " + token);
        SseClient other = listening(viewer);
        awaitUntil("open", () -> !user.raw().isEmpty() && !firehose.raw().isEmpty());

        server.revoke(token);

        awaitUntil("ended", () -> user.ended() && firehose.ended());
        assertThat(firehose.messages("disconnect").get(0).data()).contains("\"code\":6");
        assertThat(user.raw()).doesNotContain("disconnect");
        assertThat(other.ended()).isFalse();
    }

    @Test
    void aFullServerTellsNativeStreamsInBandAndOthersByStatus() {
        String token = server.token(newUser(), "read");
        SseClient last = server.get(0, FIREHOSE, "Authorization: Bearer " + token);
        for (int i = 0; i < 21 && last.messages("disconnect").isEmpty(); i++) {
            last = server.get(0, FIREHOSE, "Authorization: Bearer " + token);
            SseClient opened = last;
            awaitUntil("open", () -> !opened.messages().isEmpty());
        }
        SseClient refused = last;
        awaitUntil("ended", refused::ended);

        assertThat(refused.status()).isEqualTo(200);
        assertThat(refused.raw()).matches("(?s)retry: \\d{4,5}\nevent: disconnect\ndata: \\{\"code\":12,.*}\n\n");
        SseClient user = server.get(0, USER, "Authorization: Bearer " + token);
        assertThat(user.status()).isEqualTo(503);
        assertThat(user.header("Retry-After")).isNotNull();
        server.revoke(token);
        awaitUntil("room again", () -> {
            SseClient again = listeningOrNot(newUser());
            again.close();
            return again.status() == 200;
        });
    }

    private SseClient listening(long viewer) {
        SseClient client = listeningOrNot(viewer);
        awaitUntil("open", () -> client.raw().startsWith(":)\n"));
        return client;
    }

    private SseClient listeningOrNot(long viewer) {
        return server.get(0, USER, "Authorization: Bearer " + server.token(viewer, "read:statuses"));
    }

    /** In the graph and in the log, as the API does it. */
    @CanIgnoreReturnValue
    private Event follow(long viewer, long friend) {
        long edge = await(server.graph.follow(viewer, friend)).edge();
        Event follow = new Event(Event.Kind.FOLLOW, edge, viewer, friend, Visibility.PUBLIC, "{}");
        server.append(follow);
        return follow;
    }

    private static long newUser() {
        return server.newUser();
    }

    private static String withoutThumps(SseClient client) {
        return client.raw().replace(":thump\n", "");
    }
}
