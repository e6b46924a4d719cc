package io.fanfare.common.store;

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
import io.fanfare.common.model.RelationshipState;
import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class GraphTest {
    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private long[] users;
    private long ann;
    private long bob;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        users = f.users(8);
        ann = users[0];
        bob = users[1];
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void theFirstStepOfAFollowIsTheFollowersSideAndTheJobThatFinishesIt() {
        Graph.Change change = follow(ann, bob);
        assertThat(change.changed()).isTrue();
        assertThat(Id.shard(change.edge())).isEqualTo(Id.shard(ann));
        assertThat(f.members(Keys.following(ann))).containsExactly("" + bob);
        assertThat(f.number(Keys.following(ann), "ZSCORE", Keys.following(ann), "" + bob))
                .isEqualTo(change.edge());
        assertThat(f.hash(Keys.user(ann))).containsEntry("following", "1").containsKey("version");
        assertThat(f.jobs(Id.shard(ann), "high")).containsExactly("link.1 " + ann + " " + bob + " " + change.edge());
        assertThat(f.members(Keys.followers(bob))).isEmpty();
    }

    @Test
    void aFollowThatExistsAnswersItsEdge() {
        long edge = follow(ann, bob).edge();
        String version = f.hash(Keys.user(ann)).get("version");
        assertThat(follow(ann, bob)).isEqualTo(new Graph.Change(edge, false));
        assertThat(f.jobs(Id.shard(ann), "high")).hasSize(1);
        assertThat(f.hash(Keys.user(ann))).containsEntry("version", version);
    }

    @Test
    void aChangeOfTermsEnqueuesItsJob() {
        long edge = follow(ann, bob).edge();
        Graph.Change change = f.get(() -> f.stores.graph().follow(ann, bob, /* reposts= */ false));
        assertThat(change.terms()).isGreaterThan(edge);
        assertThat(change).isEqualTo(new Graph.Change(edge, false, change.terms()));
        assertThat(f.get(() -> f.stores.graph().follow(ann, bob, false)).terms())
                .isZero();
        assertThat(f.jobs(Id.shard(ann), "high"))
                .containsExactly(
                        "link.1 " + ann + " " + bob + " " + edge, "terms.1 " + ann + " " + bob + " " + change.terms());
    }

    @Test
    void nobodyFollowsMoreThanIsAllowed() {
        for (int i = 1; i <= 5; i++) {
            follow(ann, users[i]);
        }
        assertThatThrownBy(() -> follow(ann, users[6]))
                .asInstanceOf(InstanceOfAssertFactories.type(Refusal.class))
                .extracting(Refusal::reason)
                .isEqualTo(Reason.INVALID);
        assertThat(f.account(ann).followingCount()).isEqualTo(5);
        assertThat(follow(ann, users[1]).changed()).as("what exists is no more").isFalse();
    }

    @Test
    void aFullLaneRefusesNewFollowsOnly() {
        follow(ann, bob);
        String lane = Keys.lane(Id.shard(ann), "high");
        for (int i = 0; i < 200; i++) {
            f.redis.askAt(lane, "LPUSH", lane, "job");
        }
        assertThatThrownBy(() -> follow(ann, users[2]))
                .asInstanceOf(InstanceOfAssertFactories.type(Refusal.class))
                .extracting(Refusal::reason)
                .isEqualTo(Reason.OVERLOADED);
        assertThat(f.account(ann).followingCount()).isEqualTo(1);
        assertThat(follow(ann, bob).changed()).as("what exists is no more work").isFalse();
        assertThat(f.get(() -> f.stores.graph().unfollow(ann, bob)).changed())
                .as("an unfollow")
                .isTrue();
    }

    @Test
    void theFirstStepOfAnUnfollowRemembersItsEdge() {
        long edge = follow(ann, bob).edge();
        long version = Long.parseLong(f.hash(Keys.user(ann)).get("version"));
        assertThat(f.get(() -> f.stores.graph().unfollow(ann, bob))).isEqualTo(new Graph.Change(edge, true));
        assertThat(f.members(Keys.following(ann))).isEmpty();
        assertThat(f.hash(Keys.user(ann))).containsEntry("following", "0");
        assertThat(Long.parseLong(f.hash(Keys.user(ann)).get("version"))).isGreaterThan(version);
        assertThat(f.jobs(Id.shard(ann), "high")).endsWith("unlink.1 " + ann + " " + bob + " " + edge);
        assertThat(f.get(() -> f.stores.graph().unfollow(ann, bob))).isEqualTo(new Graph.Change(0, false));
        assertThat(f.jobs(Id.shard(ann), "high")).hasSize(2);
    }

    @Test
    void theOtherSideKeepsTheLaterEdgeAndCountsOnce() {
        link(ann, bob, 7);
        link(ann, bob, 9);
        link(ann, bob, 8);
        assertThat(f.get(() -> f.stores.graph().followersAfter(bob, 0, 10))).containsExactly(new Edge(ann, 9));
        assertThat(f.account(bob).followersCount()).isEqualTo(1);
    }

    @Test
    void theOtherSideIsTakenBackOnlyByItsOwnEdge() {
        link(ann, bob, 9);
        f.get(() -> f.stores.graph().unlink(ann, bob, 7));
        assertThat(f.account(bob).followersCount()).isEqualTo(1);
        f.get(() -> f.stores.graph().unlink(ann, bob, 9));
        f.get(() -> f.stores.graph().unlink(ann, bob, 9));
        assertThat(f.account(bob).followersCount()).isZero();
        assertThat(f.members(Keys.followers(bob))).isEmpty();
    }

    @Test
    void aFollowStandsOnlyByItsEdge() {
        long edge = follow(ann, bob).edge();
        assertThat(f.get(() -> f.stores.graph().stillFollows(ann, bob, edge))).isTrue();
        assertThat(f.get(() -> f.stores.graph().stillFollows(ann, bob, edge - 1)))
                .isFalse();
        assertThat(f.get(() -> f.stores.graph().stillFollows(bob, ann, edge))).isFalse();
    }

    @Test
    void manyFollowsAtOnceCountRightOnBothSides() {
        long[] many = f.users(200);
        List<long[]> pairs = new ArrayList<>();
        for (long follower : new long[] {many[0], many[1]}) {
            for (long followee : many) {
                if (follower != followee) {
                    pairs.add(new long[] {follower, followee});
                }
            }
        }
        pairs.add(new long[] {many[0], many[5]});
        f.get(() -> f.stores.graph().followAll(pairs));
        f.get(() -> f.stores.graph().followAll(pairs.subList(0, 100)));
        assertThat(f.account(many[0]).followingCount()).isEqualTo(199);
        assertThat(f.account(many[5]).followersCount()).isEqualTo(2);
        assertThat(f.account(many[1]).followersCount()).isEqualTo(1);
        assertThat(f.get(() -> f.stores.graph().followingOf(many[0])).accounts())
                .hasSize(199);
        ViewerRelationships relationships = f.get(() ->
                new ViewerRelationshipsReader(f.link, InstantSource.system()).of(many[0], List.of(many[1], many[7])));
        assertThat(relationships.relation(many[1])).isEqualTo(RelationshipState.MUTUAL);
        assertThat(relationships.relation(many[7])).isEqualTo(RelationshipState.FOLLOWING);
        assertThat(f.jobs(Id.shard(many[0]), "high")).isEmpty();
    }

    @Test
    void relationsShowBothDirections() {
        follow(ann, bob);
        link(users[2], ann, 5);
        follow(ann, users[3]);
        link(users[3], ann, 6);
        ViewerRelationships relationships = f.get(() -> new ViewerRelationshipsReader(f.link, InstantSource.system())
                .of(ann, List.of(bob, users[2], users[3], users[4])));
        assertThat(List.of(bob, users[2], users[3], users[4]))
                .extracting(relationships::relation)
                .containsExactly(
                        RelationshipState.FOLLOWING,
                        RelationshipState.FOLLOWER,
                        RelationshipState.MUTUAL,
                        RelationshipState.NONE);
    }

    @Test
    void followersAreServedInPagesWithoutGapOrRepeat() {
        List<Edge> all = new ArrayList<>();
        for (int i = 1; i < 8; i++) {
            link(users[i], ann, 10L * i);
            all.add(0, new Edge(users[i], 10L * i));
        }
        for (int limit = 1; limit <= 8; limit++) {
            assertThat(walkDown(limit)).as("down by %d", limit).isEqualTo(all);
            assertThat(walkUp(limit)).as("up by %d", limit).isEqualTo(all);
        }
        assertThat(followers(new PageRequest(Id.MAX, 30, 0, 2)).items()).isEqualTo(all.subList(0, 2));
        assertThat(followers(new PageRequest(Id.MAX, 30, 0, 9)).items()).isEqualTo(all.subList(0, 4));
        assertThat(followers(new PageRequest(60, 20, 0, 9)).items()).isEqualTo(all.subList(2, 5));
        assertThat(followers(PageRequest.newest(7))).isEqualTo(new Page<>(all, 0, 70));
        assertThat(f.get(() -> f.stores.graph().followersAfter(ann, 20, 2)))
                .containsExactly(new Edge(users[3], 30), new Edge(users[4], 40));
    }

    private List<Edge> walkDown(int limit) {
        List<Edge> walk = new ArrayList<>();
        Page<Edge> page = followers(PageRequest.newest(limit));
        walk.addAll(page.items());
        while (page.next() > 0) {
            page = followers(PageRequest.olderThan(page.next(), limit));
            assertThat(page.items()).isNotEmpty();
            walk.addAll(page.items());
        }
        return walk;
    }

    private List<Edge> walkUp(int limit) {
        List<Edge> walk = new ArrayList<>();
        Page<Edge> page = followers(PageRequest.justAbove(1, limit));
        while (!page.items().isEmpty()) {
            walk.addAll(0, page.items());
            page = followers(PageRequest.justAbove(page.prev(), limit));
        }
        return walk;
    }

    private Page<Edge> followers(PageRequest page) {
        return f.get(() -> f.stores.graph().followers(ann, page));
    }

    @CanIgnoreReturnValue
    private Graph.Change follow(long follower, long followee) {
        return f.get(() -> f.stores.graph().follow(follower, followee));
    }

    private void link(long follower, long followee, long edge) {
        f.get(() -> f.stores.graph().link(follower, followee, edge));
    }
}
