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
class TotalsTest {
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

        assertThat(sums(totals())).isEqualTo(new Totals.Sums(3, 2));
    }

    @Test
    void sumsAreReadAnewAfterAMinute() {
        Totals totals = totals();
        assertThat(sums(totals)).isEqualTo(new Totals.Sums(0, 0));
        f.get(() -> f.stores.accounts().signUpAll(List.of("ann")));

        nanos += Duration.ofSeconds(59).toNanos();
        assertThat(sums(totals).users()).isZero();
        nanos += Duration.ofSeconds(2).toNanos();
        assertThat(sums(totals).users()).isEqualTo(1);
    }

    @Test
    void whoAsksMeanwhileGetsTheSameReading() {
        Totals totals = totals();
        List<Totals.Sums> both = f.get(() -> {
            Future<Totals.Sums> first = totals.sums();
            Future<Totals.Sums> second = totals.sums();
            return Future.all(first, second).map(all -> List.of(first.result(), second.result()));
        });
        assertThat(both.get(0)).isSameAs(both.get(1));
    }

    private Totals totals() {
        return new Totals(f.link, new Shards(f.settings.redis().shards()), new Names(f.link), () -> nanos);
    }

    private Totals.Sums sums(Totals totals) {
        return f.get(totals::sums);
    }
}
