package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.AccountChange;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Mastodon's user stream, and who may listen at all. */
class UserStreamTest extends OnEveryRedis {
    private static final String STREAMS = "/api/v1/streaming/";
    private static final String[] UPGRADE = {
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    };
    private static final String USER = "/api/v1/streaming/user";
    private static final String FIREHOSE = "/api/v1/streaming/firehose";

    @BeforeParameterizedClassInvocation
    static void start(TestRedis.Kind kind) {
        server = StreamServer.startClosed(
                kind.redis(), "stream.heartbeat=1s", "stream.connections-max=20", "stream.per-token-max=100");
    }

    @Test
    void sendsThePostsOfTheViewerAndTheFollowees() {
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
    void notificationsGoToTheirAccountAlone() {
        long viewer = newUser();
        long other = newUser();
        SseClient client = listening(viewer);
        SseClient others = listening(other);
        SseClient home = streaming("home", viewer);
        SseClient firehose = streaming("firehose", viewer);

        server.append(server.notification(other, viewer, 0, "{\"word\":1}"));
        server.append(server.status(viewer, Visibility.PUBLIC, "{\"yes\":1}"));
        server.append(server.status(other, Visibility.PUBLIC, "{\"yes\":2}"));
        awaitUntil(
                "told",
                () -> client.raw().contains("{\"yes\":1}")
                        && others.raw().contains("{\"yes\":2}")
                        && home.raw().contains("{\"yes\":1}")
                        && firehose.raw().contains("{\"yes\":2}"));

        assertThat(client.raw()).contains("event: notification\ndata: {\"word\":1}\n\n");
        assertThat(home.messages("notification")).hasSize(1);
        assertThat(others.raw() + firehose.raw()).doesNotContain("notification");
    }

    @Test
    void aStreamOfNotificationsSendsThemAndNothingElse() {
        long viewer = newUser();
        String bearer = bearer(viewer);
        SseClient client = server.get(0, STREAMS + "user/notification", bearer);
        String narrow = "Authorization: Bearer " + server.token(viewer, "read:statuses");
        assertThat(server.get(0, STREAMS + "user/notification", narrow).status())
                .isEqualTo(403);
        awaitUntil("open", () -> client.raw().startsWith(":)"));

        server.append(server.post(viewer, "own"));
        server.append(server.notification(newUser(), newUser(), 0, "{\"another's\":0}"));
        server.append(server.notification(newUser(), viewer, 0, "{\"word\":1}"));

        awaitUntil("told", () -> client.messages("notification").size() == 1);
        assertThat(client.raw())
                .contains("{\"word\":1}")
                .doesNotContain("another")
                .doesNotContain("own");
    }

    /** Clients ask for them when they start, and some end all streams when one is refused. */
    @Test
    void streamsOfWhatThereIsNotStayOpenAndEmpty() {
        long viewer = newUser();
        String bearer = bearer(viewer);
        List<SseClient> empty = Stream.of("direct", "public/remote", "public/remote?only_media=true")
                .map(name -> server.get(0, STREAMS + name, bearer))
                .toList();
        SseClient open = server.get(0, STREAMS + "public", bearer);
        awaitUntil("open", () -> Stream.concat(empty.stream(), Stream.of(open))
                .allMatch(client -> client.raw().startsWith(":)")));

        server.append(server.post(viewer, "to all"));

        awaitUntil("told", () -> open.messages("update").size() == 1);
        assertThat(empty).allSatisfy(client -> {
            assertThat(client.ended()).isFalse();
            assertThat(client.raw()).doesNotContain("update");
        });
    }

    @Test
    void notificationsGoToTokensThatMayReadThem() {
        long viewer = newUser();
        String statuses = "Authorization: Bearer " + server.token(viewer, "read:statuses");
        String both = "Authorization: Bearer " + server.token(viewer, "read:statuses", "read:notifications");
        record Case(SseClient client, boolean notified) {}
        List<Case> cases = List.of(
                new Case(server.get(0, USER, both), true),
                new Case(server.get(0, USER, statuses), false),
                new Case(server.get(0, USER + "?with=user", statuses), false),
                new Case(server.get(0, "/api/v1/streaming/home", statuses), false),
                new Case(server.get(0, "/api/v1/streaming/home?with=user", statuses), false));
        cases.forEach(given -> awaitUntil("open", () -> !given.client().raw().isEmpty()));

        server.append(server.notification(newUser(), viewer, 0, "{\"word\":1}"));
        server.append(server.status(viewer, Visibility.PUBLIC, "{\"yes\":1}"));

        for (Case given : cases) {
            awaitUntil("told", () -> given.client().raw().contains("{\"yes\":1}"));
            assertThat(given.client().raw().contains("{\"word\":1}")).isEqualTo(given.notified());
        }
    }

    @Test
    void aNotificationGoesWithTheStatusThatItShows() {
        long viewer = newUser();
        Event status = server.status(viewer, Visibility.PUBLIC, "{\"no\":1}");
        long before = server.append(status);
        server.append(server.notification(newUser(), viewer, status.subject(), "{\"no\":2}"));
        server.append(server.notification(newUser(), viewer, 0, "{\"yes\":1}"));
        server.appendKnown(StreamServer.delete(status));
        assertThat(server.append(server.notification(newUser(), viewer, status.subject(), "{\"no\":3}")))
                .isZero();

        String cursor = "Last-Event-ID: " + server.epoch() + "-" + (before - 1);
        SseClient fromRing = streaming("home", viewer, cursor);
        int fresh = server.addNode();
        SseClient fromLog = server.get(fresh, "/api/v1/streaming/home", bearer(viewer), cursor);
        awaitUntil(
                "told",
                () -> !fromRing.messages("delete").isEmpty()
                        && !fromLog.messages("delete").isEmpty());

        for (SseClient client : List.of(fromRing, fromLog)) {
            assertThat(client.messages().stream().skip(1).map(SseClient.Message::event))
                    .containsExactly("notification", "delete");
            assertThat(client.raw()).doesNotContain("{\"no\"");
        }
        server.stopNode(fresh);
    }

    @Test
    void blockedMutedAndBlockingAccountsAreHidden() {
        long viewer = newUser();
        long muted = newUser();
        long blocked = newUser();
        long blocker = newUser();
        long friend = newUser();
        await(server.graph.followAll(List.of(new long[] {viewer, muted}, new long[] {viewer, friend})));
        await(server.blocks.mute(viewer, muted, true));
        SseClient user = listening(viewer);
        SseClient firehose = streaming("firehose", viewer);
        SseClient muters = streaming("firehose", muted);

        await(server.blocks.block(viewer, blocked));
        await(server.blocks.block(blocker, viewer));
        // The blocked side of a block is asked for; nothing may be assumed about how long that takes.
        awaitUntil("hidden", () -> isHidden(firehose, blocker));
        Event gone = server.status(muted, Visibility.PUBLIC, "{\"no\":1}");
        server.append(gone);
        server.append(server.status(blocked, Visibility.PUBLIC, "{\"no\":2}"));
        server.append(server.status(blocker, Visibility.PUBLIC, "{\"no\":3}"));
        server.append(repost(friend, muted));
        server.append(server.notification(blocked, viewer, 0, "{\"no\":4}"));
        server.append(server.notification(muted, viewer, 0, "{\"heard\":1}"));
        server.append(server.status(friend, Visibility.PUBLIC, "{\"yes\":1}"));
        server.append(server.status(viewer, Visibility.PUBLIC, "{\"yes\":2}"));
        for (SseClient client : List.of(user, firehose)) {
            awaitUntil("told", () -> client.raw().contains("{\"yes\":2}"));
            assertThat(client.raw()).contains("{\"yes\":1}").doesNotContain("{\"no\"");
            assertThat(client.raw()).doesNotContain("event: block").doesNotContain("event: mute");
        }
        assertThat(user.raw()).contains("{\"heard\":1}");
        awaitUntil("the muted one hears", () -> muters.raw().contains("{\"yes\":2}"));
        assertThat(muters.raw()).contains("{\"no\":2}").contains("{\"no\":3}");

        await(server.blocks.unmute(viewer, muted));
        await(server.blocks.unblock(viewer, blocked));
        await(server.blocks.unblock(blocker, viewer));
        for (long account : List.of(muted, blocked, blocker)) {
            awaitUntil("heard again", () -> !isHidden(firehose, account));
        }
    }

    /** Whether a status of this account is not told. */
    private static boolean isHidden(SseClient firehose, long account) {
        String mark = "{\"mark\":" + server.newId() + "}";
        String probe = "{\"probe\":" + server.newId() + "}";
        server.append(server.status(account, Visibility.PUBLIC, probe));
        server.append(server.status(8, Visibility.PUBLIC, mark));
        awaitUntil("mark", () -> firehose.raw().contains(mark));
        return !firehose.raw().contains(probe);
    }

    private static Event repost(long author, long originalAuthor) {
        MatchFields match = new MatchFields(
                Post.Kind.REPOST, List.of(), "", originalAuthor, "words", 0, 0, List.of(), List.of(), null, null);
        Event plain = server.status(author, Visibility.PUBLIC, "{\"no\":5}");
        return new Event(plain.kind(), plain.subject(), author, 0, Visibility.PUBLIC, match.encode(), plain.body());
    }

    @Test
    void answersGoToFollowersOfBothSidesOnRequest() {
        long viewer = newUser();
        long friend = newUser();
        long other = newUser();
        long stranger = newUser();
        await(server.graph.followAll(List.of(new long[] {viewer, friend}, new long[] {viewer, other})));
        SseClient followed = streaming("home?replies=followed", viewer);
        SseClient all = streaming("home", viewer);
        SseClient mastodons = server.get(0, USER + "?replies=followed", bearer(viewer));
        awaitUntil("open", () -> !mastodons.raw().isEmpty());

        Event unread = answer(friend, stranger, 0, "no 1");
        server.append(unread);
        server.append(answer(friend, 0, stranger, "no 2"));
        server.append(answer(stranger, friend, 0, "never"));
        server.append(answer(friend, other, 0, "yes 1"));
        server.append(answer(friend, 0, other, "yes 2"));
        server.append(answer(friend, viewer, 0, "yes 3"));
        server.append(answer(friend, friend, 0, "yes 4"));
        server.append(answer(viewer, stranger, 0, "yes 5"));
        server.append(answer(friend, 0, 0, "yes 6"));
        Event follow = follow(viewer, stranger);
        server.append(answer(friend, stranger, 0, "yes 7"));
        // Each asks the graph whether the follow holds, which is about to end.
        for (SseClient client : List.of(followed, all, mastodons)) {
            awaitUntil("told of it", () -> client.raw().contains("yes 7"));
        }
        await(server.graph.unfollow(viewer, stranger));
        server.append(server.unfollow(follow));
        server.append(answer(friend, stranger, 0, "no 3"));
        server.append(StreamServer.delete(unread));
        server.append(answer(friend, other, 0, "yes 8"));
        for (SseClient client : List.of(followed, all, mastodons)) {
            awaitUntil("told", () -> client.raw().contains("yes 8"));
        }

        assertThat(followed.messages("status").stream().map(SseClient.Message::data))
                .containsExactly("yes 1", "yes 2", "yes 3", "yes 4", "yes 5", "yes 6", "yes 7", "yes 8");
        assertThat(followed.messages("delete")).hasSize(1);
        assertThat(mastodons.messages("update")).hasSize(8);
        assertThat(all.messages("status")).hasSize(11);
        assertThat(all.raw()).doesNotContain("never");
    }

    @Test
    void withUserSendsTheViewersEventsAlone() {
        long viewer = newUser();
        long friend = newUser();
        await(server.graph.followAll(List.of(new long[] {viewer, friend})));
        SseClient home = streaming("home?with=user", viewer);
        SseClient mastodons = server.get(0, USER + "?with=User", bearer(viewer));
        awaitUntil("open", () -> !mastodons.raw().isEmpty());

        server.append(answer(friend, 0, 0, "no 1"));
        server.append(answer(friend, viewer, 0, "no 2"));
        server.append(server.notification(friend, viewer, 0, "told"));
        server.append(server.notification(viewer, friend, 0, "no 3"));
        Event own = server.status(viewer, Visibility.PRIVATE, "yes 1");
        server.append(own);
        awaitUntil("own", () -> home.raw().contains("yes 1") && mastodons.raw().contains("yes 1"));
        server.append(StreamServer.delete(own));
        follow(viewer, newUser());
        server.append(server.status(viewer, Visibility.PUBLIC, "yes 2"));
        awaitUntil("told", () -> home.raw().contains("yes 2") && mastodons.raw().contains("yes 2"));

        assertThat(home.messages().stream().skip(1).map(SseClient.Message::event))
                .containsExactly("notification", "status", "delete", "status");
        assertThat(mastodons.messages().stream().map(SseClient.Message::event))
                .containsExactly("notification", "update", "delete", "update");
        assertThat(home.raw() + mastodons.raw()).doesNotContain("no ");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "/user?with=site,406",
        "/home?with=site,406",
        "/user?replies=none,406",
        "/home?replies=mutual,406",
        "?stream=user&with=user,400",
        "?stream=user&replies=all,400"
    })
    void termsThatAStreamDoesNotKnowAreRefused(String path, int status) {
        SseClient answer = server.get(
                0,
                "/api/v1/streaming" + path,
                bearer(newUser()),
                "Connection: Upgrade",
                "Upgrade: websocket",
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==");
        awaitUntil("answered", answer::ended);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.raw()).startsWith("{\"error\":\"");
    }

    /** A status of {@code author} that answers somebody, or begins with somebody's name; 0 = nobody. */
    private static Event answer(long author, long repliedTo, long addressedTo, String body) {
        MatchFields match = new MatchFields(
                Post.Kind.POST, List.of(), "", 0, "", repliedTo, addressedTo, List.of(), List.of(), null, null);
        return new Event(Event.Kind.STATUS, server.newId(), author, 0, Visibility.PUBLIC, match.encode(), body);
    }

    private static SseClient streaming(String name, long viewer, String... headers) {
        String token = server.token(viewer, "read");
        SseClient client = headers.length == 0
                ? server.get(0, "/api/v1/streaming/" + name, "Authorization: Bearer " + token)
                : server.get(0, "/api/v1/streaming/" + name, "Authorization: Bearer " + token, headers[0]);
        awaitUntil("hello", () -> !client.messages("hello").isEmpty());
        return client;
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

    /** As an unmute, versions before had told of it. */
    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = Event.Kind.class,
            names = {"TERMS", "UNMUTE"})
    void repostsComeFromFolloweesWhoseRepostsTheViewerWants(Event.Kind as) {
        long viewer = newUser();
        long friend = newUser();
        follow(viewer, friend);
        SseClient client = listening(viewer);
        terms(viewer, friend, false, as);
        awaitUntil("not told", () -> !isRepostReceived(client, viewer, friend));
        assertThat(isReceived(client, viewer, friend)).isTrue();
        assertThat(isRepostReceived(listening(viewer), viewer, friend)).isFalse();

        terms(viewer, friend, true, as);
        awaitUntil("told", () -> isRepostReceived(client, viewer, friend));
    }

    @Test
    void repostsOfJustSentStatusesAreLeftOut() {
        long viewer = newUser();
        long wantsAll = newUser();
        long friend = newUser();
        long other = newUser();
        long muted = newUser();
        for (long reader : List.of(viewer, wantsAll)) {
            await(server.graph.followAll(
                    List.of(new long[] {reader, friend}, new long[] {reader, other}, new long[] {reader, muted})));
        }
        await(server.blocks.mute(viewer, muted, true));
        AccountChange change = new AccountChange();
        change.foldsReposts(false);
        await(server.accounts().update(wantsAll, change));
        SseClient user = listening(viewer);
        SseClient home = streaming("home", viewer);
        SseClient all = listening(wantsAll);

        Event post = server.status(friend, Visibility.PUBLIC, "{\"yes\":1}");
        long elsewhere = server.newId();
        server.append(post);
        server.append(repost(other, post.subject(), "{\"no\":1}"));
        server.append(repost(muted, elsewhere, "{\"no\":2}"));
        server.append(repost(other, elsewhere, "{\"yes\":2}"));
        server.append(repost(friend, elsewhere, "{\"no\":3}"));
        server.append(server.status(friend, Visibility.PUBLIC, "{\"yes\":3}"));
        for (SseClient client : List.of(user, home, all)) {
            awaitUntil("told", () -> client.raw().contains("{\"yes\":3}"));
            assertThat(client.raw()).contains("{\"yes\":1}", "{\"yes\":2}");
        }
        assertThat(user.raw()).doesNotContain("{\"no\"");
        assertThat(home.raw()).doesNotContain("{\"no\"");
        assertThat(all.raw()).contains("{\"no\":1}", "{\"no\":2}", "{\"no\":3}");
    }

    private static Event repost(long author, long original, String body) {
        MatchFields match = new MatchFields(
                Post.Kind.REPOST, List.of(original), "", 16, "words", 0, 0, List.of(), List.of(), null, null);
        return new Event(Event.Kind.STATUS, server.newId(), author, 0, Visibility.PUBLIC, match.encode(), body);
    }

    private static void terms(long viewer, long friend, boolean reposts, Event.Kind as) {
        long id = await(server.graph.follow(viewer, friend, reposts)).terms();
        server.append(EventBodies.internal(as, viewer, friend, id));
    }

    @Test
    void anUnfollowReceivedLateDoesNotEndALaterFollow() {
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

    /** As the home itself shows it: of the past comes what the viewer may see now. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({"cursor", "count"})
    void presentFolloweesCountForThePast(String from) {
        long viewer = newUser();
        long former = newUser();
        long friend = newUser();
        server.append(server.status(former, Visibility.PRIVATE, "{\"no\":1}"));
        long before = server.append(server.status(viewer, Visibility.PUBLIC, "{\"yes\":1}")) - 1;
        Event follow = follow(viewer, former);
        server.append(server.status(former, Visibility.PRIVATE, "{\"no\":2}"));
        server.append(server.status(friend, Visibility.PRIVATE, "{\"yes\":2}"));
        await(server.graph.unfollow(viewer, former));
        server.append(server.unfollow(follow));
        Event second = follow(viewer, friend);
        server.appendKnown(server.status(viewer, Visibility.PUBLIC, "{\"yes\":3}"));

        SseClient client = streaming("home?" + (from.equals("count") ? "count=3" : "cursor=" + before), viewer);
        server.append(server.status(former, Visibility.PRIVATE, "{\"no\":3}"));
        server.append(server.status(friend, Visibility.PRIVATE, "{\"yes\":4}"));
        await(server.graph.unfollow(viewer, friend));
        server.append(server.unfollow(second));
        server.append(server.status(friend, Visibility.PRIVATE, "{\"no\":4}"));
        server.append(server.status(viewer, Visibility.PUBLIC, "{\"yes\":5}"));
        awaitUntil("told", () -> client.raw().contains("{\"yes\":5}"));

        assertThat(client.messages("status").stream().map(SseClient.Message::data))
                .containsExactly("{\"yes\":1}", "{\"yes\":2}", "{\"yes\":3}", "{\"yes\":4}", "{\"yes\":5}");
    }

    @Test
    void anUnconfirmedFollowIsReadAgain() {
        long viewer = newUser();
        long stranger = newUser();
        SseClient client = listening(viewer);
        String following = Keys.following(viewer);
        server.redis.askAt(following, "SET", following, "unreadable");
        server.append(server.follow(viewer, stranger));
        awaitUntil("heard", () -> isReceived(client, viewer, stranger));
        server.redis.askAt(following, "DEL", following);

        awaitUntil("asked", () -> !isReceived(client, viewer, stranger));
    }

    /** Whether the viewer's stream tells a status of this account. */
    private static boolean isReceived(SseClient client, long viewer, long account) {
        return isReceived(client, viewer, account, "");
    }

    private static boolean isRepostReceived(SseClient client, long viewer, long account) {
        return isReceived(client, viewer, account, "{\"k\":\"REPOST\",\"t\":\"\",\"ou\":16}");
    }

    private static boolean isReceived(SseClient client, long viewer, long account, String match) {
        String probe = "{\"probe\":" + server.newId() + "}";
        String mark = "{\"mark\":" + server.newId() + "}";
        server.append(new Event(Event.Kind.STATUS, server.newId(), account, 0, Visibility.PRIVATE, match, probe));
        server.append(server.status(viewer, Visibility.PUBLIC, mark));
        awaitUntil("mark", () -> client.raw().contains(mark));
        return client.raw().contains(probe);
    }

    @Test
    void anIdleStreamGetsThumps() {
        SseClient client = listening(newUser());

        awaitUntil("two heartbeats", () -> client.raw().startsWith(":)\n:thump\n:thump\n"));
    }

    static List<String> mastodonsStreams() {
        return List.of(
                "user",
                "user/notification",
                "direct",
                "list?list=1",
                "public",
                "public?only_media=true",
                "public/local",
                "public/remote",
                "hashtag?tag=a",
                "hashtag/local?tag=a");
    }

    private long userWithList() {
        long user = newUser();
        String lists = Keys.lists(user);
        server.redis.askAt(lists, "HSET", lists, "1", "list 0 friends");
        return user;
    }

    @ParameterizedTest
    @MethodSource("mastodonsStreams")
    @ValueSource(strings = "firehose")
    void aTokenIsTakenFromTheHeader(String stream) {
        String bearer = bearer(userWithList());

        assertThat(server.get(0, STREAMS + stream, bearer).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @MethodSource("mastodonsStreams")
    void mastodonsStreamsTakeATokenFromTheAddress(String stream) {
        String token = server.token(userWithList(), "read");
        String address = STREAMS + stream + (stream.contains("?") ? "&" : "?") + "access_token=";

        assertThat(server.get(0, address + token).status()).isEqualTo(200);
        assertThat(server.get(0, address + "forged").status()).isEqualTo(401);
    }

    /** Though they could do without, where anybody may listen: it would be shown to whoever reads addresses. */
    @Test
    void nothingElseTakesOneFromTheAddress() {
        String token = server.token(newUser(), "read");
        try (StreamServer open = StreamServer.start(kind.redis())) {
            for (String path : List.of(
                    "GET " + FIREHOSE,
                    "GET " + STREAMS + "sample",
                    "GET " + STREAMS + "filter?track=a",
                    "GET " + STREAMS + "home",
                    "GET /1.1/statuses/firehose.json",
                    "GET /1.1/statuses/sample.json",
                    "GET /1.1/statuses/filter.json?track=a",
                    "POST " + STREAMS + "tickets",
                    "PUT " + STREAMS + "connections/x/filter")) {
                String[] line = path.split(" ", 2);
                String address = line[1] + (line[1].contains("?") ? "&" : "?") + "access_token=" + token;
                SseClient refused = open.send(0, line[0], address, "Content-Length: 0");
                awaitUntil("answered", refused::ended);
                assertThat(refused.status()).as(path).isEqualTo(401);
                assertThat(refused.raw()).contains("Authorization: Bearer").doesNotContain(token);
            }
        }
    }

    @Test
    void aServerMayTakeNoneFromTheAddressAtAll() {
        String token = server.token(newUser(), "read");
        try (StreamServer strict = StreamServer.start(kind.redis(), "stream.token-in-address=false")) {
            String parameter = "access_token=" + token;
            String bearer = "Authorization: Bearer " + token;
            for (String path : List.of(USER + "?", STREAMS + "public?", "/api/v1/streaming?stream=user&")) {
                String[] upgrade = path.contains("stream=") ? UPGRADE : new String[0];
                assertThat(strict.get(0, path + parameter, upgrade).status())
                        .as(path)
                        .isEqualTo(401);
            }
            assertThat(strict.get(0, USER + "?" + parameter, bearer).status())
                    .as("by its header")
                    .isEqualTo(200);
        }
    }

    /** Neither a success nor any error logs the token. */
    @Test
    void aTokenInTheAddressIsNotLogged() {
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        Level before = root.getLevel();
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.list = new CopyOnWriteArrayList<>();
        log.start();
        root.addAppender(log);
        root.setLevel(Level.TRACE);
        String signature;
        try (TestRedis away = TestRedis.freshStandalone(AppendSync.OFF);
                StreamServer strange = StreamServer.startClosed(away)) {
            String token = strange.token(strange.newUser(), "read");
            signature = token.substring(token.lastIndexOf('.'));
            showInAddresses(strange, token);
            away.server().kill();
            showInAddresses(strange, token);
        } finally {
            root.setLevel(before);
            root.detachAppender(log);
        }
        assertThat(log.list).isNotEmpty();
        assertThat(log.list).noneMatch(event -> (event.getFormattedMessage()
                        + ThrowableProxyUtil.asString(event.getThrowableProxy()))
                .contains(signature));
    }

    /** Well and badly. */
    private static void showInAddresses(StreamServer strange, String token) {
        for (String path : List.of(
                USER + "?access_token=" + token,
                USER + "?access_token=x" + token,
                FIREHOSE + "?access_token=" + token,
                STREAMS + "nothing?access_token=" + token,
                STREAMS + "user?max_rate=x&access_token=" + token,
                STREAMS + "user?%&access_token=" + token)) {
            assertThat(strange.get(0, path).status()).as(path).isPositive();
        }
        String socket = "/api/v1/streaming?stream=user&access_token=";
        assertThat(strange.get(0, socket + token, UPGRADE).status()).isPositive();
        assertThat(strange.get(0, socket + "x" + token, UPGRADE).status()).isEqualTo(401);
    }

    @Test
    void aTokenWithoutTheScopeIsRefusedForGood() {
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
    void aFullServerRefusesNativeStreamsInBandAndOthersByStatus() {
        String token = server.token(newUser(), "read");
        List<SseClient> refusals = new ArrayList<>();
        // In turn by every event loop, since each may have its share of the streams.
        for (int i = 0; i < 100 && refusals.size() < StreamServer.EVENT_LOOPS; i++) {
            SseClient opened = server.get(0, FIREHOSE, "Authorization: Bearer " + token);
            awaitUntil("open", () -> !opened.messages().isEmpty());
            if (opened.messages("hello").isEmpty()) {
                refusals.add(opened);
            } else {
                refusals.clear();
            }
        }
        assertThat(refusals).hasSize(StreamServer.EVENT_LOOPS);
        SseClient refused = refusals.get(0);
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
        return server.get(0, USER, bearer(viewer));
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
