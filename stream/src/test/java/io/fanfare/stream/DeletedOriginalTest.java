package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.Views;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.stream.SseClient.Message;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Behind the delete of a status nothing tells its words again: whatever shows it is told as the API shows it then. */
class DeletedOriginalTest extends FreshServerOnEveryRedis {
    private static final Views VIEWS = new Views("https://social.example");

    private Status original;
    private Status quote;
    private Status repost;
    private Status repostOfQuote;
    private long cursor;

    @BeforeEach
    void publish() {
        original = status(8, Post.Kind.POST, "secret words", null);
        quote = status(12, Post.Kind.POST, "look", original);
        repost = status(16, Post.Kind.REPOST, "", original);
        repostOfQuote = status(20, Post.Kind.REPOST, "", quote);
        cursor = server.append(server.status(1));
        for (Status status : List.of(original, quote, repost, repostOfQuote)) {
            assertThat(server.append(posted(status))).isPositive();
        }
    }

    private Status status(long author, Post.Kind what, String text, Status shown) {
        Reference reference = shown == null ? null : Reference.to(shown);
        Post post = new Post(author, Visibility.PUBLIC, what, Content.of(text), null, null, reference, "App");
        return new Status(server.newId(), post, Counters.NONE);
    }

    /** As it is rendered when these are gone. */
    private Event posted(Status status, Status... gone) {
        Set<Status> without = Set.of(gone);
        return new EventBodies(VIEWS).posted(status, context(Predicate.not(without::contains)));
    }

    private RenderContext context(Predicate<Status> living) {
        Map<Long, Account> accounts = Stream.of(8L, 12L, 16L, 20L)
                .collect(Collectors.toMap(id -> id, id -> new Account(id, "user" + id, "", "", 0, 0, 0, 0)));
        Map<Long, Status> originals =
                Stream.of(original, quote).filter(living).collect(Collectors.toMap(Status::id, each -> each));
        return new RenderContext(0, accounts, originals, Map.of(), Set.of(), Set.of(), Set.of());
    }

    private String body(Status status, Status... gone) {
        return posted(status, gone).body();
    }

    private static Event delete(Status status) {
        return EventBodies.deleted(status);
    }

    /** Also in the words of Twitter. */
    private static void awaitDelete(SseClient client, Status deleted) {
        String twitters = "{\"delete\":{\"status\":{\"id\":" + deleted.id() + ",";
        awaitUntil(
                "told of the delete",
                () -> client.raw().contains(delete(deleted).body())
                        || client.raw().contains(twitters));
    }

    @Test
    void aReplaySendsItsQuotesWithATombstone() {
        server.appendKnown(delete(original));

        for (SseClient client : replaying(cursor, "firehose")) {
            awaitDelete(client, original);
            assertThat(client.messages("status").stream().map(Message::data))
                    .containsExactly(body(quote, original), body(repost, original), body(repostOfQuote, original));
            assertThat(client.raw()).doesNotContain("secret").contains("\"deleted\":true");
        }
    }

    @Test
    void aReplaySkipsAQuoteThatIsDeletedAsWell() {
        server.append(delete(original));
        server.appendKnown(delete(quote));

        for (SseClient client : replaying(cursor, "firehose")) {
            awaitDelete(client, quote);
            assertThat(client.messages("status").stream().map(Message::data))
                    .containsExactly(body(repost, original), body(repostOfQuote, original, quote));
            assertThat(client.raw()).doesNotContain("secret").doesNotContain("look");
        }
    }

    @Test
    void openStreamsReceiveTheWordsUntilTheyAreDeletedAndNotAfterwards() {
        SseClient before = server.get(0, BASE + "firehose?cursor=" + cursor);
        awaitUntil("all told", () -> before.messages("status").size() == 4);
        assertThat(before.messages("status").stream().map(Message::data).skip(1))
                .containsExactly(body(quote), body(repost), body(repostOfQuote));

        server.append(delete(original));
        awaitDelete(before, original);
        int sent = before.raw().length();
        Status late = status(20, Post.Kind.POST, "late", original);
        assertThat(server.append(posted(late))).as("rendered before the delete").isEqualTo(EventLog.STALE);
        assertThat(server.append(posted(late, original))).isPositive();

        awaitUntil("told", () -> before.messages("status").size() == 5);
        assertThat(before.messages("status").get(4).data()).isEqualTo(body(late, original));
        assertThat(before.raw().substring(sent)).doesNotContain("secret");
    }

    @Test
    void everyDialectLeavesItOut() {
        server.appendKnown(delete(original));
        String quoted = "{\"state\":\"deleted\",\"quoted_status\":null}";
        List<SseClient> clients = new ArrayList<>();
        clients.addAll(replaying(cursor, "firehose", "Accept: application/x-ndjson"));
        clients.addAll(replaying(cursor, "firehose?delimited=length", "Accept: application/x-ndjson"));
        clients.addAll(replaying(cursor, "sample?rate=100"));

        for (SseClient client : clients) {
            awaitDelete(client, original);
            assertThat(client.raw())
                    .contains(quoted, body(quote, original), body(repost, original), body(repostOfQuote, original))
                    .doesNotContain("secret");
        }
        for (SseClient client : replaying(cursor, "../../../1.1/statuses/firehose.json")) {
            awaitDelete(client, original);
            assertThat(client.raw())
                    .contains("\"text\":\"RT @user8: \"", "\"retweeted_status\":", "\"is_quote_status\":false")
                    .doesNotContain("secret");
        }
    }

    /** Makes a user who follows everybody who posts here. */
    private long followerOfAll() {
        long viewer = server.newUser();
        List<long[]> follows =
                Stream.of(8L, 12L, 16L, 20L).map(id -> new long[] {viewer, id}).toList();
        TestRedis.await(server.graph.followAll(follows));
        return viewer;
    }

    @Test
    void aHomeReceivesItToo() {
        long viewer = followerOfAll();
        Event notification = server.notification(12, viewer, 0, "{}");
        String sent = "{\"status\":" + body(quote) + "}";
        Event mention = new Event(
                Event.Kind.NOTIFICATION,
                notification.subject(),
                12,
                viewer,
                Visibility.PRIVATE,
                Event.match(List.of(quote.id(), original.id())),
                sent);
        assertThat(server.append(mention)).isPositive();
        server.appendKnown(delete(original));

        for (SseClient client : replaying(cursor, "home", "Authorization: Bearer " + server.token(viewer, "read"))) {
            awaitDelete(client, original);
            assertThat(client.messages().stream().skip(1).map(Message::event))
                    .as("a home folds the repost of the quote")
                    .containsExactly("status", "status", "notification", "delete");
            assertThat(client.messages("notification").get(0).data())
                    .isEqualTo("{\"status\":" + body(quote, original) + "}");
            assertThat(client.raw()).doesNotContain("secret");
        }
    }

    @Test
    void mastodonsClientsReceiveItTooOverEitherTransport() {
        long viewer = followerOfAll();
        String token = server.token(viewer, "read");
        SseClient events = server.get(0, BASE + "user", "Authorization: Bearer " + token);
        awaitUntil("open", () -> !events.raw().isEmpty());
        List<JsonObject> messages = new CopyOnWriteArrayList<>();
        WebSocket socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .subprotocols(token)
                .buildAsync(
                        URI.create("ws://127.0.0.1:" + server.port(0) + BASE.substring(0, BASE.length() - 1)
                                + "?stream=user"),
                        new WebSocket.Listener() {
                            private final StringBuilder message = new StringBuilder();

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
                        })
                .join();
        awaitUntil("open", () -> server.connections(0) == 2);
        server.append(delete(original));
        Status late = status(20, Post.Kind.POST, "late", original);
        Status again = status(16, Post.Kind.REPOST, "", original);
        for (Status status : List.of(late, again)) {
            assertThat(server.append(posted(status)))
                    .as("rendered before the delete")
                    .isEqualTo(EventLog.STALE);
            assertThat(server.append(posted(status, original))).isPositive();
        }

        awaitUntil("told", () -> messages.size() == 3);
        assertThat(messages.stream().map(message -> message.getString("event")))
                .containsExactly("delete", "update", "update");
        assertThat(messages.stream().map(message -> message.getString("payload")))
                .containsExactly(Long.toString(original.id()), body(late, original), body(again, original));
        awaitUntil("told", () -> events.raw().contains(body(again, original) + "\n\n"));
        assertThat(events.raw().replace(":thump\n", ""))
                .endsWith("event: delete\ndata: " + original.id() + "\n\nevent: update\ndata: " + body(late, original)
                        + "\n\nevent: update\ndata: " + body(again, original) + "\n\n")
                .doesNotContain("secret");
        socket.abort();
    }

    @Test
    void aFilterIgnoresDeletedWordsButSendsTheDeletesOfStatusesThatMatchedThem() {
        server.appendKnown(delete(original));

        for (SseClient client : replaying(cursor, "filter?track=secret,look&explain=1")) {
            awaitDelete(client, original);
            assertThat(client.messages("status")).hasSize(2);
            JsonObject first = new JsonObject(client.messages("status").get(0).data());
            assertThat(first.getString("id")).isEqualTo("" + quote.id());
            assertThat(first.getJsonObject("matched").getJsonArray("track")).containsExactly("look");
            assertThat(client.raw()).doesNotContain("secret");
        }
        for (String reposts : List.of("comment", "exclude")) {
            for (SseClient client : replaying(cursor, "filter?track=secret&reposts=" + reposts)) {
                awaitDelete(client, original);
                assertThat(client.messages("status")).isEmpty();
            }
        }
        server.appendKnown(delete(repost));
        for (SseClient client : replaying(cursor, "filter?track=secret")) {
            awaitDelete(client, repost);
            assertThat(client.messages().stream().skip(1).map(Message::event)).containsExactly("delete", "delete");
        }
    }

    /** Without the words that vetoed it, it is told; so its delete is, too. */
    @Test
    void aStatusThatMatchesOnlyWithoutTheWordsIsDeletedAsWell() {
        server.append(delete(original));
        SseClient listening = server.get(0, BASE + "filter?track=look&exclude=secret");
        awaitUntil("hello", () -> !listening.messages("hello").isEmpty());
        server.appendKnown(delete(quote));

        awaitDelete(listening, quote);
        for (SseClient client : replaying(cursor, "filter?track=look&exclude=secret")) {
            awaitDelete(client, quote);
        }
    }

    @Test
    void theLastFewAreCountedWithoutWhatIsNotWantedAnyMore() {
        server.appendKnown(delete(original));

        for (int node : List.of(0, server.addNode())) {
            SseClient few = server.get(node, BASE + "filter?track=secret,look&count=-2");
            awaitUntil("ended", few::ended);
            assertThat(few.messages().stream().skip(1).map(Message::event))
                    .containsExactly("status", "delete", "disconnect");
            assertThat(few.messages("status").get(0).data()).isEqualTo(body(repostOfQuote, original));
        }
    }
}
