package io.fanfare.core.poll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** The records of votes, however many are cast at the same moment. */
@ParameterizedClass
@KindsOfRedis
class PollsTest {
    private static final long SOON = 600_000;

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Polls polls;
    private long[] users;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        polls = new Polls(f.link, InstantSource.system());
        users = f.users(8);
    }

    @AfterEach
    void close() {
        f.close();
    }

    private Status ask(long ends, boolean multiple) {
        Poll poll = new Poll(List.of("a", "b", "c"), ends, multiple, false);
        Post post = Post.of(users[0], Visibility.PUBLIC, Content.of("which").with(poll));
        return f.get(() -> f.stores.statuses().post(post, null)).status();
    }

    private Status ask(boolean multiple) {
        return ask(System.currentTimeMillis() + SOON, multiple);
    }

    private Poll.Standing standing(Status asking, long viewer) {
        return f.get(() -> polls.standings(List.of(asking), viewer)).get(asking.id());
    }

    @Test
    void ofVotesOfOneAccountAtTheSameMomentOneCounts() {
        Status asking = ask(/* multiple= */ false);
        List<Future<Void>> votes = new ArrayList<>();
        f.get(() -> {
            for (int i = 0; i < 60; i++) {
                votes.add(polls.vote(asking, users[1 + i % 3], List.of(i % 2)));
            }
            return Future.join(votes).transform(done -> Future.succeededFuture());
        });

        assertThat(votes).filteredOn(Future::succeeded).hasSize(3);
        assertThat(votes).filteredOn(Future::failed).allMatch(vote -> vote.cause() instanceof Refusal);
        Poll.Standing standing = standing(asking, users[1]);
        assertThat(standing.voters()).isEqualTo(3);
        assertThat(standing.votes().stream().mapToLong(Long::longValue).sum()).isEqualTo(3);
        assertThat(standing.own()).hasSize(1);
        assertThat(f.get(() -> polls.voters(asking.id(), 0, 10)))
                .containsExactlyInAnyOrder(users[1], users[2], users[3]);
        assertThat(f.get(() -> polls.voters(asking.id(), 2, 10))).hasSize(1);
    }

    @Test
    void aRefusedVoteIsNotCountedEvenInPart() {
        Status asking = ask(/* multiple= */ true);
        f.get(() -> polls.vote(asking, users[1], List.of(2)));

        assertThatThrownBy(() -> f.get(() -> polls.vote(asking, users[1], List.of(0, 2))))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("already voted");
        assertThat(standing(asking, users[1])).isEqualTo(new Poll.Standing(List.of(0L, 0L, 1L), 1, List.of(2), false));
        f.get(() -> polls.vote(asking, users[1], List.of(0, 0)));
        assertThat(standing(asking, users[1]))
                .isEqualTo(new Poll.Standing(List.of(1L, 0L, 1L), 1, List.of(2, 0), false));
    }

    @Test
    void theServersClockDecidesWhenItIsOver() {
        Status asking = ask(System.currentTimeMillis() - 1, /* multiple= */ false);
        Polls slow = new Polls(f.link, InstantSource.fixed(Instant.EPOCH));

        assertThatThrownBy(() -> f.get(() -> slow.vote(asking, users[1], List.of(0))))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("already ended");
        assertThat(standing(asking, users[1]).voters()).isZero();
        assertThat(standing(asking, users[1]).ended()).isTrue();
    }

    @Test
    void aPollHasAnEndOfVoters() {
        Status asking = ask(/* multiple= */ true);
        f.get(() -> polls.vote(asking, users[1], List.of(0)));
        String key = Keys.pollVotes(asking.id());
        f.redis.askAt(key, "HSET", key, "voters", Integer.toString(Polls.VOTERS_MAX));

        assertThatThrownBy(() -> f.get(() -> polls.vote(asking, users[2], List.of(0))))
                .isInstanceOf(Refusal.class);
        f.get(() -> polls.vote(asking, users[1], List.of(1)));
        assertThat(standing(asking, users[2]).votes()).containsExactly(1L, 1L, 0L);
    }

    @Test
    void aDeletedPollTakesNoVotesAndKeepsNone() {
        Status asking = ask(/* multiple= */ false);
        f.get(() -> polls.vote(asking, users[1], List.of(0)));
        f.delete(users[0], asking.id());

        assertThatThrownBy(() -> f.get(() -> polls.vote(asking, users[2], List.of(0))))
                .isInstanceOf(Refusal.class);
        String key = Keys.pollVotes(asking.id());
        assertThat(f.redis.askAt(key, "EXISTS", key).asLong()).isZero();
    }
}
