package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.testing.TestRedis;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** As many jobs wait in the lane of a shard as may: whoever lives there can add none, until it drains. */
class FullLaneTest {
    private static final int DEPTH_MAX = 50;

    @Test
    void writesToAFullLaneAreRefusedUntilItDrainsAndTheOtherShardsGoOn() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (ApiServer api = new ApiServer(redis, "queue.depth-max=" + DEPTH_MAX)) {
            User ann = api.signUp("ann");
            User bob = elsewhere(api, ann);
            User cid = api.signUp("cid");
            String status = api.publish(bob, "of another shard");
            String own = api.publish(ann, "of the full one");
            api.follow(ann, bob);
            assertThat(api.post("/api/v1/statuses/" + status + "/favourite", ann.token())
                            .status())
                    .isEqualTo(200);
            String other = api.publish(bob, "and another");
            String lane = Keys.lane(shard(ann), "high");
            for (int i = 0; i < DEPTH_MAX; i++) {
                redis.askAt(lane, "LPUSH", lane, "job");
            }

            Map<String, Supplier<Response>> adds = new LinkedHashMap<>();
            adds.put("a post", () -> post(api, ann));
            adds.put("a comment", () -> act(api, ann, "statuses/" + status + "/comments", "status", "text"));
            adds.put("a repost", () -> act(api, ann, "statuses/" + other + "/reblog"));
            adds.put("an edit", () -> edit(api, ann, own));
            adds.put("a like", () -> act(api, ann, "statuses/" + other + "/favourite"));
            adds.put("a follow", () -> act(api, ann, "accounts/" + cid.id() + "/follow"));
            adds.put("a block", () -> act(api, ann, "accounts/" + cid.id() + "/block"));
            adds.put("a mute", () -> act(api, ann, "accounts/" + cid.id() + "/mute"));
            adds.forEach((what, request) -> {
                Response refused = request.get();
                assertThat(refused.status()).as(what + ": " + refused.body()).isEqualTo(503);
                assertThat(refused.header("Retry-After")).as(what).isPresent();
            });

            assertThat(post(api, bob).status()).isEqualTo(200);
            assertThat(act(api, bob, "statuses/" + own + "/favourite").status()).isEqualTo(200);
            assertThat(act(api, bob, "accounts/" + ann.id() + "/follow").status())
                    .isEqualTo(200);
            assertThat(act(api, ann, "statuses/" + other + "/bookmark").status())
                    .as("needs no job")
                    .isEqualTo(200);
            for (String ends :
                    new String[] {"statuses/" + status + "/unfavourite", "accounts/" + bob.id() + "/unfollow"}) {
                assertThat(act(api, ann, ends).status()).as(ends).isEqualTo(200);
            }
            assertThat(api.delete("/api/v1/statuses/" + own, ann.token()).status())
                    .isEqualTo(200);

            redis.askAt(lane, "DEL", lane);
            assertThat(post(api, ann).status()).as("it has drained").isEqualTo(200);
        }
    }

    private static User elsewhere(ApiServer api, User user) {
        for (int i = 0; i < 100; i++) {
            User other = api.signUp("bob" + i);
            if (shard(other) != shard(user)) {
                return other;
            }
        }
        throw new AssertionError("100 accounts in a row on one shard of many");
    }

    private static int shard(User user) {
        return Id.shard(Long.parseLong(user.id()));
    }

    private static Response post(ApiServer api, User user) {
        return act(api, user, "statuses", "status", "text");
    }

    private static Response act(ApiServer api, User user, String what, String... form) {
        return api.post("/api/v1/" + what, user.token(), form);
    }

    private static Response edit(ApiServer api, User user, String status) {
        return api.send(
                "PUT", "/api/v1/statuses/" + status, user.token(), "application/json", "{\"status\":\"changed\"}");
    }
}
