package io.fanfare.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.NotificationPolicies;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.verify.testing.Verification;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Blocks and mutes step by step; random orders of steps are tried in {@code BlocksModelTest}. */
@ParameterizedClass
@KindsOfRedis
class BlocksTest {
    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Blocks blocks;
    private long[] users;
    private long ann;
    private long bob;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        blocks = new Blocks(f.link, f.settings, f.stores.graph(), f.stores.follows());
        users = f.users(8);
        ann = users[0];
        bob = users[1];
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void aBlockEndsTheAcceptanceOfASender() {
        NotificationPolicies policies = new NotificationPolicies(f.link);
        f.get(() -> policies.accept(ann, List.of(bob, users[2])));
        block(ann, bob);
        f.get(() -> blocks.unblock(ann, bob));
        assertThat(f.members(Keys.acceptedSenders(ann))).containsExactly("" + users[2]);
    }

    @Test
    void aBlockEndsFollowsInBothDirectionsWhenItIsAnswered() {
        f.follow(ann, bob);
        f.follow(bob, ann);
        long post = f.post(bob);
        f.fanOut(bob, post);
        f.home(ann, 1);
        Graph.Change change = block(ann, bob);

        assertThat(change.changed()).isTrue();
        assertThat(Id.shard(change.edge())).isEqualTo(Id.shard(ann));
        assertThat(f.members(Keys.blocks(ann))).containsExactly("" + bob);
        assertThat(f.members(Keys.blockedBy(bob))).containsExactly("" + ann);
        for (long user : List.of(ann, bob)) {
            assertThat(f.members(Keys.following(user))).isEmpty();
            assertThat(f.members(Keys.followers(user))).isEmpty();
            assertThat(f.account(user).followersCount()).isZero();
            assertThat(f.account(user).followingCount()).isZero();
        }
        assertThat(f.list(ann)).as("the home is cleaned").doesNotContain("" + post);
        assertThat(f.jobs(Id.shard(ann), "high")).contains("block.1 " + ann + " " + bob + " " + change.edge());
        assertThat(block(ann, bob)).isEqualTo(new Graph.Change(change.edge(), false));
    }

    @Test
    void neitherFollowsTheOtherWhileABlockStands() {
        block(ann, bob);
        assertRefused(Reason.FORBIDDEN, () -> f.stores.follows().follow(ann, bob));
        assertRefused(Reason.FORBIDDEN, () -> f.stores.follows().follow(bob, ann));
        assertThat(f.get(() -> f.stores.follows().followAll(bob, Set.of(ann, users[2]))))
                .containsOnlyKeys(ann);
        f.get(() -> blocks.unblock(ann, bob));
        assertThat(f.follow(bob, ann)).isPositive();
        assertThat(f.members(Keys.blockedBy(bob))).isEmpty();
    }

    @Test
    void aLateEndOfABlockedFollowLeavesTheNextFollowAlone() {
        long edge = block(ann, bob).edge();
        f.get(() -> blocks.unblock(ann, bob));
        f.follow(bob, ann);
        f.get(() -> blocks.finishBlock(ann, bob, edge));
        f.get(() -> f.stores.follows().unfollowBlocker(bob, ann, edge));
        assertThat(f.members(Keys.blockedBy(bob))).isEmpty();
        assertThat(f.members(Keys.following(bob))).containsExactly("" + ann);
    }

    /** As a failover does that loses the last writes of the blocker's shard. */
    @Test
    void aBlockWhoseEndItsShardHasLostIsWholeWhenTheAccountIsBlockedAgain() {
        block(ann, bob);
        String key = Keys.blocks(ann);
        byte[] before = f.redis.askAt(key, "DUMP", key).asBytes();
        f.get(() -> blocks.unblock(ann, bob));
        f.follow(bob, ann);
        f.get(() -> f.link.send(Command.of("RESTORE", key, 0, before, "REPLACE")));

        block(ann, bob);

        assertThat(f.members(Keys.blockedBy(bob))).containsExactly("" + ann);
        assertThat(f.members(Keys.following(bob))).isEmpty();
        Verification.assertClean(f.get(() -> Verification.of(f.link, f.settings)));
        f.get(() -> blocks.unblock(ann, bob));
        assertThat(f.members(Keys.blockedBy(bob))).isEmpty();
    }

    @Test
    void aBlockThatItsShardHasLostIsOverWhenItIsTakenBackAgain() {
        block(ann, bob);
        f.redis.askAt(Keys.blocks(ann), "DEL", Keys.blocks(ann));

        assertThat(f.get(() -> blocks.unblock(ann, bob)).changed()).isFalse();

        assertThat(f.members(Keys.blockedBy(bob))).isEmpty();
        assertThat(f.follow(bob, ann)).isPositive();
    }

    @Test
    void impossibleBlocksAndMutesAreRefused() {
        assertRefused(Reason.INVALID, () -> blocks.block(ann, ann));
        assertRefused(Reason.INVALID, () -> blocks.mute(ann, ann, true));
        assertRefused(Reason.NOT_FOUND, () -> blocks.block(ann, 4711));
        assertRefused(Reason.NOT_FOUND, () -> blocks.mute(ann, 4711, true));
        for (int i = 1; i <= 3; i++) {
            long user = users[i];
            block(ann, user);
            f.get(() -> blocks.mute(ann, user, true));
        }
        assertRefused(Reason.INVALID, () -> blocks.block(ann, users[4]));
        assertRefused(Reason.INVALID, () -> blocks.mute(ann, users[4], true));
        assertThat(f.get(() -> blocks.unblock(ann, users[4])).changed()).isFalse();
        f.get(() -> blocks.unmute(ann, users[4]));
    }

    @Test
    void aMuteAndItsEndCommitTheJobsThatLogThem() {
        long edge = f.get(() -> blocks.mute(ann, bob, true)).edge();
        f.get(() -> blocks.mute(ann, bob, false));
        f.get(() -> blocks.unmute(ann, bob));
        f.get(() -> blocks.unmute(ann, bob));
        assertThat(f.jobs(Id.shard(ann), "high"))
                .containsExactly("mute.1 " + ann + " " + bob + " " + edge, "unmute.1 " + ann + " " + bob + " " + edge);
    }

    @Test
    void aMuteMayLeaveNotificationsAndBeChanged() {
        f.get(() -> blocks.mute(ann, bob, false));
        long edge = f.get(() -> blocks.mutes(ann, PageRequest.newest(5)))
                .items()
                .get(0)
                .edgeId();
        assertThat(f.members(Keys.notifyingMutes(ann))).containsExactly("" + bob);
        assertThat(f.get(() -> blocks.mute(ann, bob, true))).isEqualTo(new Graph.Change(edge, false));
        assertThat(f.members(Keys.notifyingMutes(ann))).isEmpty();
        f.get(() -> blocks.mute(ann, bob, false));
        f.get(() -> blocks.unmute(ann, bob));
        assertThat(f.members(Keys.mutes(ann))).isEmpty();
        assertThat(f.members(Keys.notifyingMutes(ann))).isEmpty();
    }

    @Test
    void eachNewEndOfAMuteIsLoggedAndAMuteThatHasEndedMakesRoom() {
        long first = f.get(() -> blocks.mute(ann, bob, false, 1_000_000)).edge();
        long second = f.get(() -> blocks.mute(ann, bob, false, 2_000_000)).edge();
        long forGood = f.get(() -> blocks.mute(ann, bob, false)).edge();
        assertThat(f.get(() -> blocks.mute(ann, bob, false))).isEqualTo(new Graph.Change(forGood, false));
        assertThat(f.jobs(Id.shard(ann), "high"))
                .containsExactly(
                        "mute.1 " + ann + " " + bob + " " + first,
                        "mute.1 " + ann + " " + bob + " " + second,
                        "mute.1 " + ann + " " + bob + " " + forGood);
        assertThat(f.members(Keys.muteEnds(ann))).isEmpty();
        f.get(() -> blocks.mute(ann, users[2], true, 1_000_000));
        f.get(() -> blocks.mute(ann, users[3], false, 1_000_000));
        assertRefused(Reason.INVALID, () -> blocks.mute(ann, users[4], true));
        f.redis.askAt(Keys.muteEnds(ann), "ZADD", Keys.muteEnds(ann), "1", "" + users[3]);
        f.get(() -> blocks.mute(ann, users[4], true));
        assertThat(f.members(Keys.mutes(ann))).containsExactly("" + bob, "" + users[2], "" + users[4]);
        assertThat(f.members(Keys.notifyingMutes(ann))).containsExactly("" + bob);
        assertThat(f.members(Keys.muteEnds(ann))).containsExactly("" + users[2]);
        f.get(() -> blocks.unmute(ann, users[2]));
        assertThat(f.members(Keys.muteEnds(ann))).isEmpty();
    }

    @Test
    void theMutedAccountsMatchASimpleModelAtEveryMoment() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        long[] now = {System.currentTimeMillis()};
        ViewerRelationshipsReader reader = new ViewerRelationshipsReader(f.link, () -> Instant.ofEpochMilli(now[0]));
        Map<Long, Long> model = new HashMap<>();
        for (int step = 0; step < 200; step++) {
            long other = users[1 + random.nextInt(3)];
            switch (random.nextInt(4)) {
                case 0 -> {
                    f.get(() -> blocks.mute(ann, other, true));
                    model.put(other, Long.MAX_VALUE);
                }
                case 1 -> {
                    f.get(() -> blocks.mute(ann, other, true, 3_600_000));
                    long end = f.number(Keys.muteEnds(ann), "ZSCORE", Keys.muteEnds(ann), "" + other);
                    assertThat(end).as("seed %d", seed).isGreaterThan(System.currentTimeMillis() + 3_000_000);
                    model.put(other, end);
                }
                case 2 -> {
                    f.get(() -> blocks.unmute(ann, other));
                    model.remove(other);
                }
                default -> now[0] = System.currentTimeMillis() + (random.nextBoolean() ? 0 : 7_200_000);
            }
            Set<Long> muted = model.keySet().stream()
                    .filter(account -> model.get(account) > now[0])
                    .collect(Collectors.toSet());
            ViewerRelationships seen = f.get(() -> reader.of(ann, List.of(users[1], users[2], users[3])));
            assertThat(seen.muted()).as("seed %d, step %d", seed, step).isEqualTo(muted);
            assertThat(f.get(() -> reader.hidden(ann, Redis.NOW)).orElseThrow())
                    .as("seed %d, step %d", seed, step)
                    .isEqualTo(muted);
        }
    }

    @Test
    void commonFollowsAreServedInPagesWithoutGapOrRepeat() {
        List<long[]> pairs = new ArrayList<>();
        long[] many = f.users(60);
        for (int i = 2; i < 60; i++) {
            pairs.add(new long[] {many[0], many[i]});
            if (i % 3 == 0) {
                pairs.add(new long[] {many[1], many[i]});
            }
        }
        f.get(() -> f.stores.graph().followAll(pairs));
        List<Edge> all = f.get(() -> f.stores.graph().following(many[1], PageRequest.newest(100)))
                .items();
        assertThat(all).hasSize(19);
        for (int limit : new int[] {1, 2, 7, 18, 19, 20}) {
            assertThat(walkDown(many[1], many[0], limit))
                    .as("down by %d", limit)
                    .isEqualTo(all);
            assertThat(walkUp(many[1], many[0], limit)).as("up by %d", limit).isEqualTo(all);
            assertThat(walkDown(many[0], many[1], limit))
                    .extracting(Edge::accountId)
                    .containsExactlyInAnyOrderElementsOf(
                            all.stream().map(Edge::accountId).toList());
        }
    }

    private List<Edge> walkDown(long walked, long other, int limit) {
        List<Edge> walk = new ArrayList<>();
        PageRequest request = PageRequest.newest(limit);
        while (true) {
            PageRequest next = request;
            Page<Edge> page = f.get(() -> f.stores.graph().commonFollowing(walked, other, next));
            walk.addAll(page.items());
            if (page.next() == 0) {
                return walk;
            }
            request = PageRequest.olderThan(page.next(), limit);
        }
    }

    private List<Edge> walkUp(long walked, long other, int limit) {
        List<Edge> walk = new ArrayList<>();
        long above = 1;
        while (above > 0) {
            PageRequest request = PageRequest.justAbove(above, limit);
            Page<Edge> page = f.get(() -> f.stores.graph().commonFollowing(walked, other, request));
            walk.addAll(0, page.items());
            above = page.prev();
        }
        return walk;
    }

    @CanIgnoreReturnValue
    private Graph.Change block(long blocker, long blocked) {
        return f.get(() -> blocks.block(blocker, blocked));
    }

    private void assertRefused(Reason reason, Supplier<Future<Graph.Change>> call) {
        assertThatThrownBy(() -> f.get(call))
                .asInstanceOf(InstanceOfAssertFactories.type(Refusal.class))
                .extracting(Refusal::reason)
                .isEqualTo(reason);
    }
}
