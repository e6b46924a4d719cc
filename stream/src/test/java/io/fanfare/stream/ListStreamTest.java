package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.UserList;
import io.fanfare.common.model.UserList.Replies;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.AccountChange;
import io.fanfare.redis.testing.TestRedis;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/** Mastodon's stream of a list, over HTTP and on the WebSocket. */
class ListStreamTest extends OnEveryRedis {
    private static final String LIST = "/api/v1/streaming/list?list=";
    private static final int CHANGES = 60;

    private static int numbers = 1000;

    @BeforeParameterizedClassInvocation
    static void start(TestRedis.Kind kind) {
        server = StreamServer.startClosed(kind.redis(), "stream.connections-max=20", "stream.per-token-max=100");
    }

    @Test
    void sendsThePostsOfTheAccountsOfTheList() {
        long viewer = server.newUser();
        long friend = followed(viewer);
        long other = followed(viewer);
        UserList list = list(viewer, Replies.LIST, friend);
        SseClient client = listening(viewer, list.id());

        server.append(server.status(other, Visibility.PUBLIC, "{\"no\":1}"));
        server.append(server.status(viewer, Visibility.PUBLIC, "{\"no\":2}"));
        server.append(server.notification(other, viewer, 0, "{\"no\":3}"));
        Event received = server.status(friend, Visibility.PRIVATE, "{\"yes\":1}");
        server.append(received);
        awaitUntil("told", () -> client.raw().contains("{\"yes\":1}"));
        server.append(StreamServer.delete(received));
        awaitUntil("deleted", () -> client.messages("delete").size() == 1);
        assertThat(client.raw()).doesNotContain("{\"no\"");
    }

    @Test
    void anOpenHomeLeavesOutWhoIsOnAnExclusiveList() {
        long viewer = server.newUser();
        long friend = followed(viewer);
        UserList list = await(server.lists.create(viewer, "apart", Replies.LIST, true));
        SseClient home = server.get(0, "/api/v1/streaming/user", bearer(viewer));
        awaitUntil("open", () -> home.raw().startsWith(":)"));
        assertThat(isReceived(home, friend, viewer)).isTrue();

        await(server.lists.add(viewer, list.id(), List.of(friend, viewer)));
        awaitUntil("left out", () -> !isReceived(home, friend, viewer));
        await(server.lists.change(viewer, list.id(), null, null, false));
        awaitUntil("there again", () -> isReceived(home, friend, viewer));
        await(server.lists.change(viewer, list.id(), null, null, true));
        awaitUntil("left out again", () -> !isReceived(home, friend, viewer));
        SseClient second = server.get(0, "/api/v1/streaming/user", bearer(viewer));
        awaitUntil("open", () -> second.raw().startsWith(":)"));
        assertThat(isReceived(second, friend, viewer)).isFalse();
        await(server.lists.delete(viewer, list.id()));
        awaitUntil("there at last", () -> isReceived(home, friend, viewer));
    }

    /** Whether the viewer is told of a status of the author's: of the viewer's own, which comes behind it, it is. */
    private static boolean isReceived(SseClient home, long author, long viewer) {
        String status = "{\"n\":" + ++numbers + "}";
        String own = "{\"n\":" + ++numbers + "}";
        server.append(server.status(author, Visibility.PUBLIC, status));
        server.append(server.status(viewer, Visibility.PUBLIC, own));
        awaitUntil("own " + own, () -> home.raw().contains(own));
        return home.raw().contains(status);
    }

    @Test
    void repostsOfJustSentStatusesAreLeftOutUnlessTheOwnerWantsAll() {
        for (boolean folds : List.of(true, false)) {
            long viewer = server.newUser();
            AccountChange change = new AccountChange();
            change.foldsReposts(folds);
            await(server.accounts().update(viewer, change));
            long friend = followed(viewer);
            long other = followed(viewer);
            long elsewhere = followed(viewer);
            SseClient client =
                    listening(viewer, list(viewer, Replies.LIST, friend, other).id());
            String yes = "{\"yes\":" + viewer + "}";
            String no = "{\"no\":" + viewer + "}";
            String last = "{\"last\":" + viewer + "}";

            Event post = server.status(friend, Visibility.PUBLIC, "{\"first\":" + viewer + "}");
            server.append(post);
            server.append(repost(other, post.subject(), no));
            Event unlisted = server.status(elsewhere, Visibility.PUBLIC, "{\"never\":" + viewer + "}");
            server.append(unlisted);
            server.append(repost(other, unlisted.subject(), yes));
            server.append(server.status(friend, Visibility.PUBLIC, last));

            awaitUntil("last", () -> client.raw().contains(last));
            assertThat(client.raw())
                    .as("the original is not on the list")
                    .contains(yes)
                    .doesNotContain("never");
            assertThat(client.raw().contains(no)).isEqualTo(!folds);
        }
    }

    private static Event repost(long author, long original, String body) {
        MatchFields match = new MatchFields(
                Post.Kind.REPOST, List.of(original), "", 16, "words", 0, 0, List.of(), List.of(), null, null);
        return new Event(Event.Kind.STATUS, server.newId(), author, 0, Visibility.PUBLIC, match.encode(), body);
    }

    @Test
    void theListOfAnotherIsUnknown() {
        long viewer = server.newUser();
        UserList list = list(viewer, Replies.LIST);
        assertThat(open(server.newUser(), list.id()).status()).isEqualTo(404);
        assertThat(open(viewer, list.id() + 1).status()).isEqualTo(404);
        assertThat(server.get(0, "/api/v1/streaming/list", bearer(viewer)).status())
                .isEqualTo(404);
        assertThat(server.get(0, LIST + list.id()).status()).isEqualTo(401);
        assertThat(listening(viewer, list.id()).status()).isEqualTo(200);
    }

    @Test
    void aSocketSubscribesToListsByTheirIds() throws Exception {
        long viewer = server.newUser();
        long friend = followed(viewer);
        UserList first = list(viewer, Replies.LIST, friend);
        UserList second = list(viewer, Replies.LIST, viewer);
        Talker talker = new Talker();
        WebSocket socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .header("Authorization", "Bearer " + server.token(viewer, "read"))
                .buildAsync(
                        URI.create("ws://127.0.0.1:" + server.port(0) + "/api/v1/streaming?stream=list&list="
                                + first.id()),
                        talker)
                .get(60, TimeUnit.SECONDS);
        socket.sendText("{\"type\":\"subscribe\",\"stream\":\"list\",\"list\":\"" + second.id() + "\"}", true)
                .get(60, TimeUnit.SECONDS);
        socket.sendText("{\"type\":\"subscribe\",\"stream\":\"list\",\"list\":\"7\"}", true)
                .get(60, TimeUnit.SECONDS);
        awaitUntil("refused", () -> talker.messages.stream().anyMatch(text -> text.contains("\"status\":404")));
        awaitUntil("open", () -> server.connections(0) == 2);

        server.append(server.status(friend, Visibility.PUBLIC, "{\"n\":1}"));
        server.append(server.status(viewer, Visibility.PUBLIC, "{\"n\":2}"));
        awaitUntil("told", () -> talker.messages.size() == 3);

        assertThat(talker.messages).anyMatch(text -> text.contains("\"list\",\"7\""));
        assertThat(talker.messages)
                .anyMatch(text -> text.startsWith("{\"stream\":[\"list\",\"" + first.id() + "\"],\"event\":\"update\"")
                        && text.contains("{\\\"n\\\":1}"));
        assertThat(talker.messages)
                .anyMatch(text -> text.startsWith("{\"stream\":[\"list\",\"" + second.id() + "\"],\"event\":\"update\"")
                        && text.contains("{\\\"n\\\":2}"));
        socket.abort();
    }

    private static final class Talker implements WebSocket.Listener {
        private final List<String> messages = new CopyOnWriteArrayList<>();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            messages.add(data.toString());
            socket.request(1);
            return null;
        }
    }

    /** Open streams apply changes of lists, follows, terms and mutes as the timeline does. */
    @Test
    void anOpenStreamGoesByWhatIsChanged() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Changes changes = new Changes(new Random(seed));
        SseClient client = listening(changes.viewer, changes.list);

        for (int change = 0; change < CHANGES; change++) {
            changes.next();
            goesBy(client, changes.viewer, changes.wanted());
        }
        await(server.lists.delete(changes.viewer, changes.list));
        awaitUntil("nothing is told any more", () -> {
            String probe = "{\"probe\":" + server.newId() + "}";
            server.awaitLookedAt(server.append(server.status(changes.viewer, Visibility.PUBLIC, probe)));
            return !client.raw().contains(probe);
        });
    }

    /** Random changes of one list and of what its viewer follows and mutes, and the statuses that it then shows. */
    private static final class Changes {
        private final Random random;
        private final long viewer = server.newUser();
        private final List<Long> people = List.of(followed(viewer), followed(viewer), followed(viewer));
        private final long list =
                list(viewer, Replies.LIST, viewer, people.get(0)).id();
        private final Set<Long> listed = new HashSet<>(Set.of(people.get(0)));
        private final Set<Long> followed = new HashSet<>(people);
        private final Set<Long> quiet = new HashSet<>();
        private final Set<Long> muted = new HashSet<>();
        private Replies replies = Replies.LIST;

        Changes(Random random) {
            this.random = random;
        }

        void next() {
            long who = people.get(random.nextInt(people.size()));
            switch (random.nextInt(5)) {
                case 0 -> addOrRemove(who);
                case 1 -> followOrUnfollow(who);
                case 2 -> changeReposts(who);
                case 3 -> muteOrUnmute(who);
                default -> {
                    replies = List.of(Replies.values()).get(random.nextInt(3));
                    await(server.lists.change(viewer, list, null, replies, null));
                }
            }
        }

        private void addOrRemove(long who) {
            if (followed.contains(who) && listed.add(who)) {
                await(server.lists.add(viewer, list, Set.of(who)));
            } else if (listed.remove(who)) {
                await(server.lists.remove(viewer, list, Set.of(who)));
            }
        }

        private void followOrUnfollow(long who) {
            if (followed.remove(who)) {
                await(server.follows.unfollow(viewer, who));
                listed.remove(who);
                quiet.remove(who);
            } else {
                await(server.follows.follow(viewer, who));
                followed.add(who);
            }
        }

        private void changeReposts(long who) {
            if (followed.contains(who)) {
                boolean reposts = quiet.remove(who) || !quiet.add(who);
                await(server.follows.follow(viewer, who, reposts));
            }
        }

        private void muteOrUnmute(long who) {
            if (muted.remove(who)) {
                await(server.blocks.unmute(viewer, who));
            } else {
                muted.add(who);
                await(server.blocks.mute(viewer, who, true));
            }
        }

        /** Whether the stream sends each of these. */
        Map<MatchFields, Boolean> wanted() {
            Map<MatchFields, Boolean> wanted = new LinkedHashMap<>();
            for (long author : people) {
                boolean on = listed.contains(author) && !muted.contains(author);
                wanted.put(post(author, 0), on);
                wanted.put(repost(author), on && !quiet.contains(author));
                for (long answered : people) {
                    boolean answers = answered == author
                            || (replies == Replies.LIST && listed.contains(answered))
                            || (replies == Replies.FOLLOWED && followed.contains(answered));
                    wanted.put(post(author, answered), on && answers);
                }
            }
            return wanted;
        }
    }

    private static MatchFields post(long author, long answered) {
        return new MatchFields(
                Post.Kind.POST, List.of(), "", 0, "", answered, author, List.of(), List.of(), null, null);
    }

    private static MatchFields repost(long author) {
        return new MatchFields(
                Post.Kind.REPOST, List.of(), "", 16, "words", 0, author, List.of(), List.of(), null, null);
    }

    /** Waits until the stream tells those statuses that are wanted. Their author travels as whom they address. */
    private static void goesBy(SseClient client, long viewer, Map<MatchFields, Boolean> wanted) {
        awaitUntil("told are " + wanted, () -> received(client, viewer, wanted.keySet())
                .equals(wanted));
    }

    private static Map<MatchFields, Boolean> received(SseClient client, long viewer, Set<MatchFields> statuses) {
        Map<MatchFields, String> probes = new LinkedHashMap<>();
        for (MatchFields match : statuses) {
            String probe = "{\"probe\":" + server.newId() + "}";
            probes.put(match, probe);
            server.append(new Event(
                    Event.Kind.STATUS,
                    server.newId(),
                    match.addressedTo(),
                    0,
                    Visibility.PRIVATE,
                    match.encode(),
                    probe));
        }
        String mark = "{\"mark\":" + server.newId() + "}";
        server.append(server.status(viewer, Visibility.PUBLIC, mark));
        awaitUntil("mark", () -> client.raw().contains(mark));
        String raw = client.raw();
        Map<MatchFields, Boolean> received = new LinkedHashMap<>();
        probes.forEach((match, probe) -> received.put(match, raw.contains(probe)));
        return received;
    }

    private static long followed(long viewer) {
        long friend = server.newUser();
        await(server.follows.follow(viewer, friend));
        return friend;
    }

    private static UserList list(long viewer, Replies replies, long... accounts) {
        UserList list = await(server.lists.create(viewer, "friends", replies, false));
        for (long account : accounts) {
            await(server.lists.add(viewer, list.id(), Set.of(account)));
        }
        return list;
    }

    private static SseClient open(long viewer, long list) {
        return server.get(0, LIST + list, bearer(viewer));
    }

    private static SseClient listening(long viewer, long list) {
        SseClient client = open(viewer, list);
        awaitUntil("open", () -> client.raw().startsWith(":)\n"));
        return client;
    }
}
