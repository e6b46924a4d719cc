package io.fanfare.core.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The pulled authors that one event loop knows, beside a Redis of one shard that it only imagines. */
class PulledAuthorsTest {
    private static final long LEASE = PulledAuthors.LEASE.toNanos();
    private static final long ANN = Id.of(Id.EPOCH_MILLIS + 1000, 0, 0);
    private static final long BOB = Id.of(Id.EPOCH_MILLIS + 1000, 0, 1);

    private final TreeMap<Long, Long> authorsByNewest = new TreeMap<>();
    private final List<String> reads = new ArrayList<>();
    private long now;
    private long lastId;
    private long highestSeen;
    private boolean whole = true;
    private RedisError failure;
    private Promise<Void> gate = Promise.promise();
    private final PulledAuthors pulled = pulled(10);

    private PulledAuthors pulled(int max) {
        gate.tryComplete();
        return new PulledAuthors(new RecordingRedis(), new Shards(1), () -> now, max);
    }

    private final class RecordingRedis implements Redis {
        @Override
        public Future<Reply> send(Command command) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Future<List<Reply>> pipeline(List<Command> commands) {
            reads.add(commands.get(1).toString());
            if (failure != null) {
                return Future.failedFuture(failure);
            }
            List<Reply> answer = List.of(text(lastId), range());
            return gate.future().map(answer);
        }
    }

    private static Reply text(long number) {
        return new Reply.Bulk(Long.toString(number).getBytes(StandardCharsets.US_ASCII));
    }

    /** A command does not tell its arguments: the first look, and the one after a loss, is at all. */
    private Reply range() {
        List<Reply> pairs = new ArrayList<>();
        (whole ? authorsByNewest.descendingMap() : authorsByNewest.tailMap(highestSeen, false))
                .forEach((id, author) -> pairs.add(new Reply.Items(List.of(text(author), text(id)))));
        whole = lastId < highestSeen;
        highestSeen = authorsByNewest.isEmpty() ? 0 : authorsByNewest.lastKey();
        return new Reply.Items(pairs);
    }

    private void posts(long author, long id) {
        authorsByNewest.values().remove(author);
        authorsByNewest.put(id, author);
        lastId = Math.max(lastId, id);
    }

    @Test
    void anAccountInAShardThatWasAddedSinceTheStartIsRead() {
        posts(ANN, 10);
        assertThat(pulled.ready().succeeded()).isTrue();
        long added = Id.of(Id.EPOCH_MILLIS + 1000, 5, 0);
        assertThat(pulled.refresh(List.of(ANN, added)).succeeded()).isTrue();
        assertThat(pulled.withNews(List.of(BOB, added), 20)).containsExactly(added);
    }

    @Test
    void aLookHoldsForALeaseAndIsRenewedBefore() {
        assertThat(pulled.ready().succeeded()).isTrue();
        assertThat(reads).hasSize(1);
        now += LEASE / 5;
        assertThat(pulled.ready().succeeded()).isTrue();
        assertThat(reads).as("young").hasSize(1);
        now += LEASE / 4;
        assertThat(pulled.ready().succeeded()).isTrue();
        assertThat(reads).as("beside the reading").hasSize(2);
        gate = Promise.promise();
        now += LEASE;
        Future<Void> ready = pulled.ready();
        assertThat(ready.isComplete()).as("too old to begin with").isFalse();
        gate.complete();
        assertThat(ready.succeeded()).isTrue();
    }

    @Test
    void onlyWhoHasPostedSinceHasNews() {
        posts(ANN, 5000);
        assertThat(pulled.ready().succeeded()).isTrue();
        assertThat(pulled.withNews(List.of(ANN, BOB), 4999)).containsExactly(ANN);
        assertThat(pulled.withNews(List.of(ANN, BOB), 5000)).isEmpty();
        posts(BOB, 6000);
        assertThat(pulled.refresh(List.of(BOB)).succeeded()).isTrue();
        assertThat(reads).as("nobody known to be pulled").hasSize(1);
        assertThat(pulled.refresh(List.of(ANN)).succeeded()).isTrue();
        assertThat(pulled.withNews(List.of(ANN, BOB), 5000))
                .as("of the same shard")
                .containsExactly(BOB);
    }

    @Test
    void questionsThatComeDuringALookShareTheNext() {
        posts(ANN, 5000);
        assertThat(pulled.ready().succeeded()).isTrue();
        gate = Promise.promise();
        Future<Void> first = pulled.refresh(List.of(ANN));
        posts(ANN, 7000);
        Future<Void> second = pulled.refresh(List.of(ANN));
        Future<Void> third = pulled.refresh(List.of(ANN));
        gate.complete();
        assertThat(List.of(first, second, third)).allMatch(Future::succeeded);
        assertThat(reads)
                .as("one at first, one that was under way, one for the two")
                .hasSize(3);
        assertThat(pulled.withNews(List.of(ANN), 6999)).containsExactly(ANN);
    }

    @Test
    void aLookHoldsOnlyOnceAllChangesAreRead() {
        PulledAuthors many = pulled(20_000);
        assertThat(many.ready().succeeded()).isTrue();
        for (int i = 1; i <= 5000; i++) {
            posts(ANN + 4096L * i, 1000L * i);
        }
        now += LEASE;
        Promise<Void> first = Promise.promise();
        gate = first;
        Future<Void> reading = many.ready();
        gate = Promise.promise();
        first.complete();
        Future<Void> another = many.ready();
        assertThat(List.of(reading, another)).as("there may be more").noneMatch(Future::isComplete);
        gate.complete();
        assertThat(List.of(reading, another)).allMatch(Future::succeeded);
    }

    @Test
    void ofAShardThatDoesNotAnswerEverybodyCountsAsPulledOnceTheLeaseIsOver() {
        posts(ANN, 5000);
        assertThat(pulled.ready().succeeded()).isTrue();
        failure = new RedisError(RedisError.Kind.UNAVAILABLE, "away");
        now += LEASE / 2;
        assertThat(pulled.ready().succeeded()).isTrue();
        assertThat(pulled.withNews(List.of(ANN, BOB), 6000))
                .as("known well enough")
                .isEmpty();
        now += LEASE;
        assertThat(pulled.ready().succeeded()).isTrue();
        assertThat(pulled.withNews(List.of(ANN, BOB), 6000)).containsExactly(ANN, BOB);
        now += LEASE;
        gate = Promise.promise();
        failure = null;
        whole = true;
        assertThat(pulled.ready().succeeded()).as("no reading waits for it").isTrue();
        gate.complete();
        assertThat(pulled.ready().succeeded()).isTrue();
        assertThat(pulled.withNews(List.of(ANN, BOB), 6000)).isEmpty();
    }

    @Test
    void idsThatAFailoverHasLostAreReadAgain() {
        posts(ANN, 9000);
        assertThat(pulled.ready().succeeded()).isTrue();
        authorsByNewest.clear();
        lastId = 0;
        posts(BOB, 8000);
        now += LEASE;
        assertThat(pulled.ready().succeeded()).isTrue();
        assertThat(pulled.withNews(List.of(ANN, BOB), 7000)).containsExactly(BOB);
    }

    @Test
    void aForgottenAuthorCountsAsPulledForReadersWhoWereAwayForLong() {
        PulledAuthors small = pulled(4);
        assertThat(small.ready().succeeded()).isTrue();
        for (int i = 1; i <= 5; i++) {
            posts(ANN + 4096L * i, 1000L * i);
        }
        now += LEASE;
        assertThat(small.ready().succeeded()).isTrue();
        List<Long> all = List.of(ANN + 4096, ANN + 2 * 4096, ANN + 4 * 4096, ANN + 5 * 4096, BOB);
        assertThat(small.withNews(all, 3000)).containsExactly(ANN + 4 * 4096, ANN + 5 * 4096);
        assertThat(small.withNews(all, 2999)).as("everybody").isEqualTo(all);
        assertThat(Keys.pulledAuthors(0)).isEqualTo("pulled-authors:{0}");
    }
}
