package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.store.MutedConversations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

class ConversationRoutesTest extends OnEveryRedis {
    private static User ann;
    private static User bob;

    @BeforeParameterizedClassInvocation
    static void people() {
        ann = api.signUp("ann");
        bob = api.signUp("bob");
    }

    private static Response act(String act, String status, User user) {
        return api.post("/api/v1/statuses/" + status + "/" + act, user.token());
    }

    private static String reply(User user, String to, String text) {
        Response answer = api.post("/api/v1/statuses", user.token(), "status", text, "in_reply_to_id", to);
        assertThat(answer.status()).isEqualTo(200);
        return answer.text("/id");
    }

    private static boolean muted(User viewer, String status) {
        return api.get("/api/v1/statuses/" + status, viewer.token())
                .json()
                .path("muted")
                .asBoolean();
    }

    private static List<String> received(User user) {
        List<String> received = new ArrayList<>();
        api.get("/api/v1/notifications", user.token())
                .json()
                .forEach(one -> received.add(
                        one.path("type").asText() + " " + one.at("/status/id").asText()));
        List<String> groups = new ArrayList<>();
        api.get("/api/v2/notifications", user.token())
                .json()
                .path("notification_groups")
                .forEach(one -> groups.add(
                        one.path("type").asText() + " " + one.path("status_id").asText()));
        assertThat(groups).as("in groups").containsExactlyInAnyOrderElementsOf(new HashSet<>(received));
        return received;
    }

    @Test
    void aMutedConversationSendsNoNotificationsAtAnyDepthUntilItIsUnmuted() {
        String post = api.publish(ann, "talk");
        String first = reply(bob, post, "@ann one");
        String second = reply(ann, first, "@bob two");
        Response answer = act("mute", second, ann);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("muted").asBoolean()).isTrue();
        String third = reply(bob, second, "@ann three");
        assertThat(api.post("/api/v1/statuses", ann.token(), "status", "four", "in_reply_to_id", third)
                        .json()
                        .path("muted")
                        .asBoolean())
                .as("the answer to what is posted into it")
                .isTrue();
        assertThat(act("favourite", post, bob).status()).isEqualTo(200);
        String other = api.publish(ann, "something else");
        assertThat(act("favourite", other, bob).status()).isEqualTo(200);

        for (String status : List.of(post, first, second, third)) {
            assertThat(muted(ann, status)).as(status).isTrue();
            assertThat(muted(bob, status)).as(status).isFalse();
        }
        assertThat(muted(ann, other)).isFalse();
        assertThat(received(ann)).containsExactly("favourite " + other);
        String repost = act("reblog", third, bob).text("/id");
        assertThat(api.get("/api/v1/statuses/" + repost, ann.token())
                        .json()
                        .at("/reblog/muted")
                        .asBoolean())
                .isTrue();

        assertThat(act("unmute", repost, ann).status()).isEqualTo(200);
        assertThat(muted(ann, post)).isFalse();
        assertThat(received(ann)).contains("mention " + first, "mention " + third, "favourite " + post);
    }

    @Test
    void aHiddenStatusCannotBeMuted() {
        String secret = api.post("/api/v1/statuses", ann.token(), "status", "psst", "visibility", "private")
                .text("/id");
        assertThat(act("mute", secret, bob).status()).isEqualTo(404);
        assertThat(act("unmute", "4711", bob).status()).isEqualTo(404);
    }

    @Test
    void theConversationsMutedLastStayMuted() {
        User cat = api.signUp("cat");
        String key = Keys.mutedConversations(Long.parseLong(cat.id()));
        for (int i = 0; i < MutedConversations.MAX; i++) {
            redis.askAt(key, "ZADD", key, "" + i, "" + (4711 + i));
        }
        String post = api.publish(ann, "one more");
        assertThat(act("mute", post, cat).json().path("muted").asBoolean()).isTrue();
        assertThat(redis.askAt(key, "ZCARD", key).asLong()).isEqualTo(MutedConversations.MAX);
        assertThat(redis.askAt(key, "ZSCORE", key, "4711").isNil())
                .as("the oldest has left")
                .isTrue();
    }

    @Test
    void mutedConversationsMatchASimpleModel() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        User dan = api.signUp("dan");
        Map<String, String> beginnings = new HashMap<>();
        List<String> all = new ArrayList<>();
        Set<String> muted = new HashSet<>();
        for (int step = 0; step < 60; step++) {
            String picked = all.isEmpty() ? null : all.get(random.nextInt(all.size()));
            switch (random.nextInt(picked == null ? 1 : 5)) {
                case 0 -> {
                    String post = api.publish(bob, "post " + step);
                    all.add(post);
                    beginnings.put(post, post);
                }
                case 1, 2 -> {
                    String answer = random.nextBoolean()
                            ? reply(bob, picked, "reply " + step)
                            : api.post("/api/v1/statuses/" + picked + "/comments", bob.token(), "status", "c " + step)
                                    .text("/id");
                    all.add(answer);
                    beginnings.put(answer, beginnings.get(picked));
                }
                case 3 -> {
                    assertThat(act("mute", picked, dan).status()).isEqualTo(200);
                    muted.add(beginnings.get(picked));
                }
                default -> {
                    assertThat(act("unmute", picked, dan).status()).isEqualTo(200);
                    muted.remove(beginnings.get(picked));
                }
            }
        }
        Set<String> expected = all.stream()
                .filter(status -> muted.contains(beginnings.get(status)))
                .collect(Collectors.toSet());
        assertThat(all.stream().filter(status -> muted(dan, status)).collect(Collectors.toSet()))
                .as("seed %d", seed)
                .isEqualTo(expected);
    }
}
