package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Visibility;
import io.fanfare.redis.testing.TestRedis;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statuses with followed hashtags, on Mastodon's user stream and on that of the home. */
class FollowedTagStreamTest extends OnEveryRedis {
    private static final int CHANGES = 40;
    private static final List<String> TAGS = List.of("go", "cats", "编程");

    @BeforeParameterizedClassInvocation
    static void start(TestRedis.Kind kind) {
        server = StreamServer.startClosed(kind.redis(), "stream.connections-max=20", "stream.per-token-max=100");
    }

    @ParameterizedTest
    @ValueSource(strings = {"user", "home"})
    void sendsPublicStatusesWithAFollowedTagAndTheirDeletes(String stream) {
        long viewer = server.newUser();
        long stranger = server.newUser();
        await(server.tags.follow(viewer, "go"));
        SseClient client = listening(viewer, stream);

        server.append(status(stranger, Visibility.UNLISTED, Post.Kind.POST, 0, Set.of("go"), "{\"no\":1}"));
        server.append(status(stranger, Visibility.PUBLIC, Post.Kind.COMMENT, viewer, Set.of("go"), "{\"no\":2}"));
        server.append(status(stranger, Visibility.PUBLIC, Post.Kind.POST, 0, Set.of("cats"), "{\"no\":3}"));
        Event received =
                status(stranger, Visibility.PUBLIC, Post.Kind.POST, stranger, Set.of("cats", "go"), "{\"yes\":1}");
        server.append(received);
        awaitUntil("told", () -> client.raw().contains("{\"yes\":1}"));
        server.append(StreamServer.delete(received));
        awaitUntil("deleted", () -> client.raw().contains(Long.toString(received.subject())));
        assertThat(client.raw()).doesNotContain("{\"no\"");
        assertThat(client.raw().split("yes", -1)).as("once").hasSize(2);
    }

    /** Which hashtags and accounts are followed or muted, open streams go by, as the home does. */
    @Test
    void anOpenStreamGoesByWhatIsChanged() {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("FollowedTagStreamTest seed=" + seed);
        Random random = new Random(seed);
        long viewer = server.newUser();
        List<Long> people = List.of(server.newUser(), server.newUser());
        Set<Long> followed = new HashSet<>();
        Set<Long> muted = new HashSet<>();
        Set<String> tags = new HashSet<>();
        SseClient client = listening(viewer, "user");

        for (int change = 0; change < CHANGES; change++) {
            long who = people.get(random.nextInt(people.size()));
            switch (random.nextInt(5)) {
                case 0 -> {
                    if (followed.remove(who)) {
                        await(server.follows.unfollow(viewer, who));
                    } else {
                        await(server.follows.follow(viewer, who));
                        followed.add(who);
                    }
                }
                case 1 -> {
                    if (muted.remove(who)) {
                        await(server.blocks.unmute(viewer, who));
                    } else {
                        muted.add(who);
                        await(server.blocks.mute(viewer, who, true));
                    }
                }
                default -> {
                    String tag = TAGS.get(random.nextInt(TAGS.size()));
                    if (tags.remove(tag)) {
                        await(server.tags.unfollow(viewer, tag));
                    } else {
                        tags.add(tag);
                        await(server.tags.follow(viewer, tag));
                    }
                }
            }
            Map<Probe, Boolean> wanted = new LinkedHashMap<>();
            for (long author : people) {
                for (String tag : TAGS) {
                    wanted.put(
                            new Probe(author, tag),
                            !muted.contains(author) && (followed.contains(author) || tags.contains(tag)));
                }
            }
            awaitUntil("seed " + seed + " told are " + wanted, () -> received(client, viewer, wanted.keySet())
                    .equals(wanted));
        }
    }

    private record Probe(long author, String tag) {}

    private static Map<Probe, Boolean> received(SseClient client, long viewer, Set<Probe> probes) {
        Map<Probe, String> words = new LinkedHashMap<>();
        for (Probe probe : probes) {
            String body = "{\"probe\":" + server.newId() + "}";
            words.put(probe, body);
            server.append(status(probe.author(), Visibility.PUBLIC, Post.Kind.POST, 0, Set.of(probe.tag()), body));
        }
        String mark = "{\"mark\":" + server.newId() + "}";
        server.append(server.status(viewer, Visibility.PUBLIC, mark));
        awaitUntil("mark", () -> client.raw().contains(mark));
        String raw = client.raw();
        Map<Probe, Boolean> received = new LinkedHashMap<>();
        words.forEach((probe, body) -> received.put(probe, raw.contains(body)));
        return received;
    }

    private static Event status(
            long author, Visibility visibility, Post.Kind kind, long answered, Set<String> tags, String json) {
        MatchFields match =
                new MatchFields(kind, List.of(), "", 0, "", answered, 0, List.of(), List.copyOf(tags), null, null);
        return new Event(Event.Kind.STATUS, server.newId(), author, 0, visibility, match.encode(), json);
    }

    private static SseClient listening(long viewer, String stream) {
        SseClient client = server.get(0, "/api/v1/streaming/" + stream, bearer(viewer));
        awaitUntil("open", () -> !client.raw().isEmpty());
        return client;
    }
}
