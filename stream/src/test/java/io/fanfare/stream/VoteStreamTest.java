package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.Articles;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.Views;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.stream.SseClient.Message;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Streams that ask for votes are told how the articles stand that they would send, and nothing else changes. */
class VoteStreamTest extends FreshServerOnEveryRedis {
    private Articles api;
    private long author;
    private long voters = 1_000_000;

    @BeforeEach
    void start() {
        api = server.articles();
        author = server.newUser();
        server.appendKnown(server.status(1));
    }

    private String token(long viewer) {
        return "Authorization: Bearer " + server.token(viewer, "read");
    }

    private void vote(Articles process, Status article, int votes) {
        IntStream.range(0, votes)
                .mapToObj(n -> process.vote(article, ++voters))
                .toList()
                .forEach(TestRedis::await);
    }

    private static List<JsonObject> votes(SseClient client) {
        return client.messages("vote").stream()
                .map(message -> new JsonObject(message.data()))
                .toList();
    }

    private static boolean hasVotes(SseClient client, Status article, int votes) {
        return votes(client).stream().anyMatch(vote -> isOf(vote, article) && vote.getInteger("votes") == votes);
    }

    private static boolean isOf(JsonObject vote, Status article) {
        return vote.getString("id").equals(Long.toString(article.id()));
    }

    @Test
    void streamsWithVotesReceiveEachStandOfAnArticleOnce() {
        Status article = server.article(author, "Queues");
        List<SseClient> asking = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            asking.add(open("firehose?votes=true"));
        }
        SseClient lines = open("firehose?votes=1", "Accept: application/x-ndjson");
        List<SseClient> others = List.of(
                open("firehose"),
                open("public?votes=true"),
                open("../../../1.1/statuses/firehose.json?votes=true"),
                open("firehose?votes=false"));
        vote(api, article, 40);
        await(api.publishVotes());

        for (SseClient client : asking) {
            awaitUntil("told", () -> !votes(client).isEmpty());
            JsonObject expected = new JsonObject()
                    .put("id", Long.toString(article.id()))
                    .put("account_id", Long.toString(author))
                    .put("votes", 41)
                    .put("score", Article.score(article.id(), 41));
            assertThat(votes(client)).containsExactly(expected);
            assertThat(client.raw()).contains("\n\nevent: vote\ndata: ");
            assertThat(client.lastEventId())
                    .isEqualTo(client.messages("hello").get(0).id());
        }
        awaitUntil(
                "told", () -> lines.raw().contains("{\"event\":\"vote\",\"data\":{\"id\":\"" + article.id() + "\","));
        server.append(status("marker"));
        others.forEach(client -> awaitUntil("marker", () -> client.raw().contains("marker")));
        assertThat(others).noneMatch(client -> client.raw().contains("vote"));
    }

    @Test
    void countsOfTwoProcessesOnlyRise() {
        Status article = server.article(author, "Queues");
        Articles other = server.articles();
        SseClient client = open("firehose?votes=true");
        for (int i = 0; i < 20; i++) {
            vote(api, article, 2);
            vote(other, article, 1);
            await(other.publishVotes());
            await(api.publishVotes());
        }

        awaitUntil("all", () -> hasVotes(client, article, 61));
        assertThat(votes(client).stream().map(vote -> vote.getInteger("votes"))).isSorted();
    }

    @Test
    void onlyStreamsThatWouldSendTheArticleReceiveItsVotes() {
        long viewer = server.newUser();
        long blocking = server.newUser();
        long blocked = server.newUser();
        long muting = server.newUser();
        long other = server.newUser();
        for (long follower : List.of(viewer, blocking, muting)) {
            await(server.graph.followAll(List.of(new long[] {follower, author}, new long[] {follower, other})));
        }
        await(server.blocks.block(blocking, author));
        await(server.blocks.block(author, blocked));
        await(server.blocks.mute(muting, author, true));
        SseClient firehose = open("firehose?votes=true", token(viewer));
        SseClient home = open("home?votes=true", token(viewer));
        SseClient matching = open("filter?track=queues&votes=true");
        List<SseClient> without = List.of(
                open("filter?track=streams&votes=true"),
                open("filter?follow=" + other + "&votes=true"),
                open("firehose?votes=true", token(blocking)),
                open("firehose?votes=true", token(blocked)),
                open("home?votes=true", token(muting)));
        Status article = server.article(author, "Queues");
        Status marker = server.article(other, "Streams");
        vote(api, article, 2);
        await(api.publishVotes());
        for (SseClient client : List.of(firehose, home, matching)) {
            awaitUntil("told", () -> hasVotes(client, article, 3));
        }
        vote(api, marker, 1);
        await(api.publishVotes());

        without.forEach(client -> awaitUntil("marker", () -> hasVotes(client, marker, 2)));
        assertThat(without).noneMatch(client -> hasVotes(client, article, 3));
        assertThat(matching.raw()).doesNotContain("\"" + marker.id());
    }

    @Test
    void aBlockEndsTheVotesOfAnOpenStream() {
        long viewer = server.newUser();
        SseClient client = open("firehose?votes=true", token(viewer));
        Status article = server.article(author, "Queues");
        Status marker = server.article(server.newUser(), "Streams");
        vote(api, article, 1);
        await(api.publishVotes());
        awaitUntil("told", () -> hasVotes(client, article, 2));
        await(server.blocks.block(viewer, author));
        server.appendKnown(server.status(2));
        vote(api, article, 1);
        await(api.publishVotes());
        vote(api, marker, 1);
        await(api.publishVotes());

        awaitUntil("marker", () -> hasVotes(client, marker, 2));
        assertThat(hasVotes(client, article, 3)).isFalse();
    }

    @Test
    void noVoteFollowsTheDelete() {
        List<SseClient> clients = List.of(open("firehose?votes=true"), open("filter?track=queues&votes=true"));
        List<Status> articles = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Status article = server.article(author, "Queues " + i);
            articles.add(article);
            Event event = posted(article);
            server.append(event);
            vote(api, article, 1);
            await(api.publishVotes());
            server.deleteArticle(article);
            publish(article, 3);
            server.append(StreamServer.delete(event));
            publish(article, 4);
            publish(article, 5);
        }
        Status marker = server.article(author, "Queues of the end");
        vote(api, marker, 1);
        await(api.publishVotes());

        for (SseClient client : clients) {
            awaitUntil("marker", () -> hasVotes(client, marker, 2));
            articles.forEach(article -> assertThat(behindTheDelete(client, article))
                    .as("events of %s behind its delete", article.id())
                    .isEmpty());
        }
    }

    private static List<Message> behindTheDelete(SseClient client, Status article) {
        List<Message> of = client.messages().stream()
                .filter(message -> message.data().contains("\"" + article.id() + "\""))
                .toList();
        List<String> kinds = of.stream().map(Message::event).toList();
        return kinds.contains("delete") ? of.subList(kinds.indexOf("delete") + 1, of.size()) : List.of();
    }

    /** Publishes votes as a process does that stood still meanwhile. */
    private void publish(Status article, int votes) {
        publish(article.id() + " " + Article.score(article.id(), votes));
    }

    private void publish(String payload) {
        server.redis.askAt(Keys.BUS_SEQ, "PUBLISH", Keys.VOTES_CHANNEL, payload);
    }

    @Test
    void votesAreNoEventsOfTheLogSoThatOlderProcessesDoNotSeeThem() {
        // All that they subscribe to, beside channels of their own.
        List<String> events = server.published(Keys.BUS_CHANNEL);
        long tip = await(server.log.state()).tip();
        Status article = server.article(author, "Queues");
        SseClient client = open("firehose?votes=true");
        vote(api, article, 3);
        await(api.publishVotes());
        awaitUntil("told", () -> hasVotes(client, article, 4));

        assertThat(await(server.log.state()).tip()).isEqualTo(tip);
        long marker = server.append(server.status(2));
        awaitUntil("published", () -> events.size() >= 2);
        assertThat(events).hasSize(2);
        awaitUntil("cursor", () -> client.lastEventId().endsWith("-" + marker));
    }

    @Test
    void malformedVotesOnTheChannelAreSkipped() {
        Status article = server.article(author, "Queues");
        SseClient client = open("firehose?votes=true");
        for (String payload : List.of("", "x", "x y", "1 2 3", "99999999999999999999 1", "-1 -1", "1", "\u0000")) {
            publish(payload);
        }
        publish(server.newId() + " 5 " + article.id() + " " + Article.score(article.id(), 9));

        awaitUntil("told", () -> hasVotes(client, article, 9));
        assertThat(votes(client)).hasSize(1);
    }

    private Event status(String text) {
        return server.post(author, text);
    }

    private Event posted(Status article) {
        Account ann = new Account(author, "ann", "Ann", "", 0, 0, 0, 0);
        return new EventBodies(new Views("https://social.example")).posted(article, RenderContext.of(ann));
    }
}
