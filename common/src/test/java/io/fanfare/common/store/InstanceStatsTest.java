package io.fanfare.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Shards;
import io.fanfare.common.testing.TestRedis;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class InstanceStatsTest {
    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private long nanos;

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
    void sumsAreReadAnewAfterAMinute() {
        InstanceStats instanceStats = instanceStats();
        assertThat(sums(instanceStats)).isEqualTo(new InstanceStats.Sums(0, 0));
        f.get(() -> f.stores.accounts().signUpAll(List.of("ann")));

        nanos += Duration.ofSeconds(59).toNanos();
        assertThat(sums(instanceStats).users()).isZero();
        nanos += Duration.ofSeconds(2).toNanos();
        assertThat(sums(instanceStats).users()).isEqualTo(1);
    }

    @Test
    void whoAsksMeanwhileGetsTheSameReading() {
        InstanceStats instanceStats = instanceStats();
        List<InstanceStats.Sums> both = f.get(() -> {
            Future<InstanceStats.Sums> first = instanceStats.sums();
            Future<InstanceStats.Sums> second = instanceStats.sums();
            return Future.all(first, second).map(all -> List.of(first.result(), second.result()));
        });
        assertThat(both.get(0)).isSameAs(both.get(1));
    }

    private InstanceStats instanceStats() {
        return new InstanceStats(
                f.link, new Shards(f.settings.redis().shards()), new UsernameIndex(f.link), () -> nanos);
    }

    private InstanceStats.Sums sums(InstanceStats instanceStats) {
        return f.get(instanceStats::sums);
    }
}
