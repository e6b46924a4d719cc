package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.Timestamps;
import io.fanfare.common.view.Views;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.stream.SseClient.Message;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A stream delivers the edited status, live and replayed, and no edit after the delete. */
class EditStreamTest extends FreshServerOnEveryRedis {
    private static final Views VIEWS = new Views("https://social.example");

    private long cursor;
    private long author;
    private RenderContext context;

    @BeforeEach
    void start() {
        cursor = server.append(server.status(1));
        author = server.newUser();
        context = RenderContext.of(new Account(author, "ann", "Ann", "", 0, 0, 0, 0));
    }

    private Status status(Visibility visibility, String text, String... tags) {
        return new Status(server.newId(), Post.of(author, visibility, content(text, tags)), Counters.NONE);
    }

    private static Content content(String text, String... tags) {
        return new Content(text, "", false, "en", List.of(), List.of(tags), null);
    }

    private Status edited(Status status, String text, String... tags) {
        return new Status(status.id(), status.post().with(content(text, tags), server.newId()), status.counters());
    }

    private Event posted(Status status) {
        return new EventBodies(VIEWS).posted(status, context);
    }

    private Event editEvent(Status status) {
        return new EventBodies(VIEWS).changed(status, status.post().edit(), context);
    }

    private String body(Status status) {
        return EventBodies.rendered(editEvent(status)).body();
    }

    /** Something that every public stream hears behind the rest. */
    private void end(String words) {
        server.append(posted(status(Visibility.PUBLIC, words, "end", "a", "b")));
    }

    private static List<String> events(SseClient client, String last) {
        awaitUntil("the last", () -> client.raw().contains(last));
        return client.messages().stream()
                .map(Message::event)
                .filter(event -> !event.equals("hello"))
                .toList();
    }

    @Test
    void everyNativeStreamSendsItAsStatusUpdate() {
        long viewer = server.newUser();
        TestRedis.await(server.graph.followAll(List.of(new long[] {viewer, author})));
        String token = "Authorization: Bearer " + server.token(viewer, "read");
        SseClient firehose = open("firehose");
        SseClient sample = open("sample?rate=100");
        SseClient home = open("home", token);
        SseClient filter = open("filter?track=better&explain=1");
        SseClient lines = open("firehose", "Accept: application/x-ndjson");
        SseClient twitter = open("../../../1.1/statuses/firehose.json");
        Status first = status(Visibility.PUBLIC, "good");
        Status second = edited(first, "better");
        server.append(posted(first));
        long seq = server.append(editEvent(second));
        end("better end");

        String last = "better end";
        for (SseClient client : List.of(firehose, sample, home)) {
            assertThat(events(client, last)).containsExactly("status", "status.update", "status");
            Message edit = client.messages("status.update").get(0);
            assertThat(edit.id()).isEqualTo(server.epoch() + "-" + seq);
            assertThat(edit.data()).isEqualTo(body(second));
            JsonObject json = new JsonObject(edit.data());
            assertThat(json.getString("id")).isEqualTo("" + first.id());
            assertThat(json.getString("content")).isEqualTo("<p>better</p>");
            assertThat(json.getString("edited_at"))
                    .isEqualTo(Timestamps.time(Id.epochMillis(second.post().edit())));
            assertThat(json.getString("created_at")).isEqualTo(Timestamps.time(Id.epochMillis(first.id())));
        }
        assertThat(events(filter, last)).containsExactly("status.update", "status");
        assertThat(new JsonObject(filter.messages("status.update").get(0).data())
                        .getJsonObject("matched")
                        .getJsonArray("track"))
                .containsExactly("better");
        awaitUntil("told", () -> lines.raw().contains(last));
        assertThat(lines.raw())
                .contains("{\"event\":\"status.update\",\"id\":\"" + server.epoch() + "-" + seq + "\",\"data\":"
                        + body(second) + "}\r\n");
        awaitUntil("told", () -> twitter.raw().contains(last));
        assertThat(twitter.raw()).as("Twitter had no edits").doesNotContain("edited_at\":\"2");
    }

    @Test
    void mastodonsClientsReceiveItOverEitherTransport() {
        long viewer = server.newUser();
        TestRedis.await(server.graph.followAll(List.of(new long[] {viewer, author})));
        String token = server.token(viewer, "read");
        SseClient user = open("user", "Authorization: Bearer " + token);
        SseClient all = open("public");
        SseClient tag = open("hashtag?tag=a");
        SseClient other = open("hashtag?tag=b");
        List<JsonObject> messages = new CopyOnWriteArrayList<>();
        WebSocket socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .subprotocols(token)
                .buildAsync(
                        URI.create("ws://127.0.0.1:" + server.port(0) + BASE.substring(0, BASE.length() - 1)
                                + "?stream=user"),
                        new Ear(messages))
                .join();
        awaitUntil("open", () -> server.connections(0) == 5);
        Status first = status(Visibility.PUBLIC, "#a", "a");
        Status second = edited(first, "#b", "b");
        server.append(posted(first));
        server.append(editEvent(second));
        end("the end");

        for (SseClient client : List.of(user, all)) {
            assertThat(events(client, "the end")).containsExactly("update", "status.update", "update");
            assertThat(client.raw()).contains("event: status.update\ndata: " + body(second) + "\n\n");
        }
        assertThat(events(tag, "the end")).as("it has the tag no more").containsExactly("update", "update");
        assertThat(events(other, "the end")).containsExactly("status.update", "update");
        awaitUntil("told", () -> messages.size() == 3);
        assertThat(messages.stream().map(message -> message.getString("event")))
                .containsExactly("update", "status.update", "update");
        assertThat(messages.get(1).getString("payload")).isEqualTo(body(second));
        socket.abort();
    }

    private static final class Ear implements WebSocket.Listener {
        private final List<JsonObject> messages;
        private final StringBuilder message = new StringBuilder();

        Ear(List<JsonObject> messages) {
            this.messages = messages;
        }

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
            message.append(text);
            if (last) {
                messages.add(new JsonObject(message.toString()));
                message.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    @Test
    void aPrivateStatusGoesToFollowersAlone() {
        long viewer = server.newUser();
        long stranger = server.newUser();
        TestRedis.await(server.graph.followAll(List.of(new long[] {viewer, author})));
        SseClient home = open("home", "Authorization: Bearer " + server.token(viewer, "read"));
        SseClient theirs = open("home", "Authorization: Bearer " + server.token(stranger, "read"));
        SseClient firehose = open("firehose");
        Status first = status(Visibility.PRIVATE, "secret");
        server.append(posted(first));
        server.append(editEvent(edited(first, "secret still")));
        end("the end");

        assertThat(events(home, "the end")).containsExactly("status", "status.update", "status");
        assertThat(events(firehose, "the end")).containsExactly("status");
        assertThat(theirs.raw()).doesNotContain("secret");
    }

    @Test
    void aReplayEndsWithTheNewestVersion() {
        Status first = status(Visibility.PUBLIC, "good");
        Status second = edited(first, "better");
        Status third = edited(second, "best");
        server.append(posted(first));
        server.append(editEvent(third));
        assertThat(server.append(editEvent(second))).as("overtaken").isZero();
        assertThat(server.append(editEvent(third))).as("again").isZero();
        end("good end");

        for (SseClient client : replaying(cursor, "firehose")) {
            assertThat(events(client, "good end")).containsExactly("status", "status.update", "status");
            assertThat(client.messages("status.update").get(0).data()).isEqualTo(body(third));
        }
    }

    @Test
    void noVersionFollowsTheDelete() {
        Status first = status(Visibility.PUBLIC, "secretly");
        Status second = edited(first, "secretly better");
        SseClient listening = open("firehose");
        server.append(posted(first));
        server.append(editEvent(second));
        awaitUntil("told", () -> listening.raw().contains("secretly better"));
        server.append(EventBodies.deleted(second));
        assertThat(server.append(editEvent(edited(second, "secretly late")))).isZero();
        end("the end");

        for (SseClient client : replaying(cursor, "firehose")) {
            assertThat(events(client, "the end")).containsExactly("delete", "status");
            assertThat(client.raw()).doesNotContain("secretly");
        }
    }

    /** Every client that may have the status gets the delete, by whichever version it matched. */
    @Test
    void aDeleteGoesToEveryClientThatAnyVersionMatched() {
        Status first = status(Visibility.PUBLIC, "apple #a", "a");
        Status second = edited(first, "banana #b", "b");
        Status third = edited(second, "cherry");
        SseClient cherry = open("filter?track=cherry,end");
        server.append(posted(first));
        server.append(editEvent(second));
        server.append(editEvent(third));
        awaitUntil("told", () -> cherry.raw().contains("<p>cherry"));
        SseClient late = open("filter?track=banana,end");
        server.append(EventBodies.deleted(third));
        end("the end");

        assertThat(events(cherry, "the end")).containsExactly("status.update", "delete", "status");
        assertThat(events(late, "the end")).containsExactly("delete", "status");
        for (String path : List.of(
                "filter?track=apple,end",
                "filter?track=banana,end",
                "filter?track=cherry,end",
                "filter?track=cherry,end&filter_level=low")) {
            for (SseClient client : replaying(cursor, path)) {
                assertThat(events(client, "the end")).as(path).containsExactly("delete", "status");
            }
        }
        for (SseClient client : replaying(cursor, "filter?track=durian,end")) {
            assertThat(events(client, "the end")).containsExactly("status");
        }
        SseClient tag = open("hashtag?tag=b");
        Status again = status(Visibility.PUBLIC, "again");
        server.append(posted(again));
        server.append(editEvent(edited(again, "#b", "b")));
        awaitUntil("told", () -> tag.raw().contains("status.update"));
        server.append(EventBodies.deleted(again));
        end("all over");
        assertThat(events(tag, "all over")).containsExactly("status.update", "delete", "update");
    }

    @Test
    void anEditOfAHiddenStatusStaysHidden() {
        long viewer = server.newUser();
        TestRedis.await(server.graph.followAll(List.of(new long[] {viewer, author})));
        TestRedis.await(server.blocks.mute(viewer, author, true));
        SseClient firehose = open("firehose", "Authorization: Bearer " + server.token(viewer, "read"));
        Status first = status(Visibility.PUBLIC, "noise");
        server.append(posted(first));
        server.append(editEvent(edited(first, "more noise")));
        server.append(server.status(9));
        awaitUntil("told", () -> firehose.raw().contains("{\"n\":9}"));

        assertThat(firehose.raw()).doesNotContain("noise");
    }

    @Test
    void aNameInTheNewWordsCountsForThoseWhoFollowIt() {
        long named = server.newUser();
        Status first = status(Visibility.PUBLIC, "hello");
        Content naming =
                new Content("@bob hello", "", false, "en", List.of(new Mention(named, "bob")), List.of(), null);
        SseClient bob = open("filter?follow=" + named + "&track=end");
        server.append(posted(first));
        server.append(editEvent(new Status(first.id(), first.post().with(naming, server.newId()), Counters.NONE)));
        end("the end");

        assertThat(events(bob, "the end")).containsExactly("status.update", "status");
    }
}
