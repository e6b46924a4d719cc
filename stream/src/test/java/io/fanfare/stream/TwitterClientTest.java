package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.id.Id;
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
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import twitter4j.FilterQuery;
import twitter4j.StallWarning;
import twitter4j.StatusDeletionNotice;
import twitter4j.StatusListener;
import twitter4j.TwitterStream;
import twitter4j.TwitterStreamFactory;
import twitter4j.conf.ConfigurationBuilder;

/** A client of Twitter's API v1.1 that looks into each message: twitter4j 4.0.7, as it was published. */
class TwitterClientTest {
    private static final Account ANN = new Account(8, "ann", "Ann", "On rain", 3, 2, 1, 0);
    private static final Account BOB = new Account(12, "bob", "", "", 0, 0, 0, 0);
    private static final Views VIEWS = new Views("https://social.example");
    private static final Content RAIN = new Content(
            "Rain <3 & 💬 @bob #weather https://example.org/a?b=1\n\nmore",
            "",
            true,
            "en",
            List.of(new Content.Mention(12, "bob")),
            List.of("weather"),
            null);

    @Tag("programs")
    @Test
    void twitter4jReadsTweetsRetweetsQuotesAndDeletes() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (StreamServer server = StreamServer.startClosed(redis)) {
            long reader = server.newUser();
            RecordingListener listener = new RecordingListener();
            TwitterStream stream = new TwitterStreamFactory(new ConfigurationBuilder()
                            .setStreamBaseURL("http://127.0.0.1:" + server.port(0) + "/1.1/")
                            .setUser(server.username(reader))
                            .setPassword(server.token(reader, "read"))
                            .build())
                    .getInstance();
            stream.addListener(listener);
            stream.filter(new FilterQuery("rain"));
            awaitUntil("it listens", () -> server.connections(0) == 1);

            Status status = new Status(server.newId(), Post.of(8, Visibility.PUBLIC, RAIN), Counters.NONE);
            Status repost =
                    new Status(server.newId(), shown(12, Post.Kind.REPOST, Content.NONE, status), Counters.NONE);
            Status quote = new Status(
                    server.newId(), shown(12, Post.Kind.POST, Content.of("so it does"), status), Counters.NONE);
            for (Status each : List.of(status, repost, quote)) {
                server.append(new EventBodies(VIEWS)
                        .posted(
                                each,
                                new RenderContext(
                                        0,
                                        Map.of(8L, ANN, 12L, BOB),
                                        each.equals(status) ? Map.of() : Map.of(status.id(), status),
                                        Map.of(),
                                        Set.of(),
                                        Set.of(),
                                        Set.of())));
            }
            awaitUntil("all three", () -> listener.statuses.size() == 3 || !listener.failures.isEmpty());
            assertThat(listener.failures).isEmpty();

            assertTweet(listener.statuses.get(0), status);
            assertRetweet(listener.statuses.get(1), status);
            assertQuote(listener.statuses.get(2), status);

            server.append(StreamServer.delete(new EventBodies(VIEWS).posted(status, RenderContext.of(ANN))));
            awaitUntil("the delete", () -> listener.deletes.contains(status.id()));
            stream.shutdown();
        }
    }

    private static void assertTweet(twitter4j.Status tweet, Status status) {
        assertThat(tweet.getId()).isEqualTo(status.id());
        assertThat(tweet.getText()).isEqualTo(RAIN.text());
        assertThat(tweet.getLang()).isEqualTo("en");
        assertThat(tweet.isPossiblySensitive()).isTrue();
        assertThat(tweet.getCreatedAt().toInstant())
                .isEqualTo(Instant.ofEpochSecond(Id.epochMillis(status.id()) / 1000));
        assertThat(tweet.getUser().getScreenName()).isEqualTo("ann");
        assertThat(tweet.getUser().getName()).isEqualTo("Ann");
        assertThat(tweet.getUser().getFollowersCount()).isEqualTo(3);
        assertThat(tweet.getUserMentionEntities()).singleElement().satisfies(mention -> {
            assertThat(mention.getId()).isEqualTo(12);
            assertThat(mention.getText()).isEqualTo("bob");
        });
        assertThat(tweet.getHashtagEntities()).singleElement().satisfies(tag -> assertThat(tag.getText())
                .isEqualTo("weather"));
        assertThat(tweet.getURLEntities()).singleElement().satisfies(url -> assertThat(url.getExpandedURL())
                .isEqualTo("https://example.org/a?b=1"));
    }

    private static void assertRetweet(twitter4j.Status retweet, Status original) {
        assertThat(retweet.isRetweet()).isTrue();
        assertThat(retweet.getRetweetedStatus().getId()).isEqualTo(original.id());
        assertThat(retweet.getText()).startsWith("RT @ann: Rain <3");
        assertThat(retweet.getUser().getName()).as("without a name of its own").isEqualTo("bob");
    }

    private static void assertQuote(twitter4j.Status quoting, Status quoted) {
        assertThat(quoting.getText()).isEqualTo("so it does");
        assertThat(quoting.getQuotedStatusId()).isEqualTo(quoted.id());
        assertThat(quoting.getQuotedStatus().getText()).isEqualTo(RAIN.text());
    }

    private static Post shown(long author, Post.Kind kind, Content content, Status original) {
        return new Post(author, Visibility.PUBLIC, kind, content, null, null, Reference.to(original), null);
    }

    private static final class RecordingListener implements StatusListener {
        private final List<twitter4j.Status> statuses = new CopyOnWriteArrayList<>();
        private final List<Long> deletes = new CopyOnWriteArrayList<>();
        private final List<Exception> failures = new CopyOnWriteArrayList<>();

        @Override
        public void onStatus(twitter4j.Status status) {
            statuses.add(status);
        }

        @Override
        public void onDeletionNotice(StatusDeletionNotice notice) {
            deletes.add(notice.getStatusId());
        }

        @Override
        public void onTrackLimitationNotice(int missed) {}

        @Override
        public void onScrubGeo(long user, long upTo) {}

        @Override
        public void onStallWarning(StallWarning warning) {}

        @Override
        public void onException(Exception failure) {
            failures.add(failure);
        }
    }
}
