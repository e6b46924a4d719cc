package io.fanfare.api.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.UsernameIndex;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Command;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class InstanceStatsTest {
    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private long nanos;
    private Instant moment = Instant.now();

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void accountsAndLivingPostsOfAllShardsAreCounted() {
        List<Long> people = f.get(() -> f.stores.accounts().signUpAll(List.of("ann", "bob", "cleo")));
        long first = f.post(people.get(0));
        long second = f.post(people.get(1));
        long third = f.post(people.get(2));
        assertThat(List.of(first, second, third)).doesNotHaveDuplicates();
        f.get(() -> f.stores.statuses().delete(people.get(0), first));
        f.get(() -> f.stores.statuses().delete(people.get(0), first));

        assertThat(sums(instanceStats())).isEqualTo(new InstanceStats.Sums(3, 2));
    }

    @Test
    void sumsAreReadAgainAfterAMinute() {
        InstanceStats instanceStats = instanceStats();
        assertThat(sums(instanceStats)).isEqualTo(new InstanceStats.Sums(0, 0));
        f.get(() -> f.stores.accounts().signUpAll(List.of("ann")));

        nanos += Duration.ofSeconds(59).toNanos();
        assertThat(sums(instanceStats).users()).isZero();
        nanos += Duration.ofSeconds(2).toNanos();
        assertThat(sums(instanceStats).users()).isEqualTo(1);
    }

    @Test
    void concurrentRequestsShareOneRead() {
        InstanceStats instanceStats = instanceStats();
        List<InstanceStats.Sums> both = f.get(() -> {
            Future<InstanceStats.Sums> first = instanceStats.sums();
            Future<InstanceStats.Sums> second = instanceStats.sums();
            return Future.all(first, second).map(all -> List.of(first.result(), second.result()));
        });
        assertThat(both.get(0)).isSameAs(both.get(1));
    }

    @Test
    void weeksAreThoseOfAllShardsFromMondayToSunday() {
        List<Long> people = f.get(() -> f.stores.accounts().signUpAll(List.of("ann", "bob", "cleo")));
        moment = Instant.parse("2020-03-09T00:00:00Z");
        count(people.get(0), "posts", "2020-03-08T23:59:59.999Z", 5);
        count(people.get(1), "posts", "2020-03-09T00:00:00Z", 2);
        count(people.get(2), "posts", "2020-03-15T23:59:59.999Z", 3);
        count(people.get(2), "logins", "2019-12-23T00:00:00Z", 4);
        count(people.get(2), "joined", "2019-12-22T23:59:59.999Z", 9);

        List<InstanceStats.Week> weeks = f.get(instanceStats()::weeks);

        assertThat(weeks).hasSize(12);
        assertThat(weeks.get(0)).isEqualTo(new InstanceStats.Week(seconds("2020-03-09T00:00:00Z"), 5, 0, 0));
        assertThat(weeks.get(1)).isEqualTo(new InstanceStats.Week(seconds("2020-03-02T00:00:00Z"), 5, 0, 0));
        assertThat(weeks.get(11)).isEqualTo(new InstanceStats.Week(seconds("2019-12-23T00:00:00Z"), 0, 4, 0));
        assertThat(weeks.subList(2, 11)).allMatch(week -> week.posts() + week.logins() + week.registrations() == 0);
    }

    @Test
    void theFirstOfAWeekTakesOutWhatNobodyAsksForAnyMore() {
        long ann = f.get(() -> f.stores.accounts().signUpAll(List.of("ann"))).get(0);
        Instant now = Instant.now();
        f.get(() -> f.link.send(Command.of("DEL", Keys.counts(Id.shard(ann)))));
        count(ann, "joined", now.minus(Duration.ofDays(7 * 14)).toString(), 1);
        count(ann, "logins", now.minus(Duration.ofDays(7 * 40)).toString(), 1);
        count(ann, "posts", now.minus(Duration.ofDays(7 * 11)).toString(), 1);
        count(ann, "posts", now.minus(Duration.ofDays(7 * 15)).toString(), 1);
        f.post(ann);

        assertThat(f.hash(Keys.counts(Id.shard(ann))).keySet())
                .filteredOn(field -> !field.equals("statuses"))
                .hasSize(2)
                .allMatch(field -> field.startsWith("posts:"));
    }

    @Test
    void postsAndCommentsAreCountedAndRepostsAreNot() {
        long ann = f.get(() -> f.stores.accounts().signUpAll(List.of("ann"))).get(0);
        long post = f.post(ann);
        Reference original = new Reference(post, ann);
        Visibility visible = Visibility.PUBLIC;
        Content words = Content.of("a comment");
        f.get(() -> f.stores
                .statuses()
                .post(new Post(ann, visible, Post.Kind.COMMENT, words, original, null, null, null), null));
        f.get(() -> f.stores
                .statuses()
                .post(new Post(ann, visible, Post.Kind.REPOST, Content.NONE, null, null, original, null), null));

        assertThat(f.get(instanceStats()::weeks).stream()
                        .mapToLong(InstanceStats.Week::posts)
                        .sum())
                .isEqualTo(2);
    }

    private void count(long account, String what, String when, int times) {
        // Weeks are numbered from Monday, 1969-12-29.
        long week = (Instant.parse(when).toEpochMilli() + Duration.ofDays(3).toMillis())
                / Duration.ofDays(7).toMillis();
        f.get(() -> f.link.send(Command.of("HINCRBY", Keys.counts(Id.shard(account)), what + ":" + week, times)));
    }

    private static long seconds(String when) {
        return Instant.parse(when).getEpochSecond();
    }

    private InstanceStats instanceStats() {
        return new InstanceStats(
                f.link, new Shards(f.settings.redis().shards()), new UsernameIndex(f.link), () -> moment, () -> nanos);
    }

    private InstanceStats.Sums sums(InstanceStats instanceStats) {
        return f.get(instanceStats::sums);
    }
}
