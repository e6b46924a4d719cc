package io.fanfare.core.view;

import static io.fanfare.redis.testing.TestRedis.ask;
import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.UserFilters;
import io.fanfare.common.text.ViewerFilters;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** Flags of viewers are as true as if each page asked for them, and most pages ask for nothing. */
@ParameterizedClass
@KindsOfRedis
class ViewerFlagsReaderTest {
    private static final Vertx vertx = Vertx.vertx();
    private static final List<Long> PAGE = LongStream.range(100, 125).boxed().toList();

    private final TestRedis redis;
    private final Context loop = vertx.getOrCreateContext();
    private RedisLink link;
    private ViewerFlagsReader flags;

    ViewerFlagsReaderTest(TestRedis.Kind kind) {
        redis = kind.redis();
    }

    @BeforeEach
    void open() {
        redis.flush();
        link = await(onLoop(() -> RedisLink.openTracking(vertx, redis.options())));
        flags = new ViewerFlagsReader(
                link, new ViewerFiltersReader(new UserFilters(link, SettingsLoader.defaultsWith())));
    }

    @AfterEach
    void close() {
        await(link.close());
    }

    @AfterAll
    static void closeVertx() {
        await(vertx.close());
    }

    @Test
    void theFlagsEqualTheSetsAtAnySizeAndAfterAnyChange() {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        long[] viewers = {11, 12, 13};
        Map<String, Set<Long>> model = new HashMap<>();
        for (int step = 0; step < 400; step++) {
            long viewer = viewers[random.nextInt(viewers.length)];
            List<String> keys = keys(viewer);
            String key = keys.get(random.nextInt(keys.size()));
            Set<Long> set = model.computeIfAbsent(key, none -> new TreeSet<>());
            // Sets grow beyond what is read whole, and shrink again.
            boolean grows = step / 100 % 2 == 0;
            int changes = random.nextInt(4);
            for (int i = 0; i < changes; i++) {
                long status = 90L + random.nextInt(45);
                if (random.nextInt(10) < (grows ? 9 : 2)) {
                    redis.askAt(key, "ZADD", key, "1", Long.toString(status));
                    set.add(status);
                } else {
                    redis.askAt(key, "ZREM", key, Long.toString(status));
                    set.remove(status);
                }
            }
            ViewerFlags read = await(onLoop(() -> flags.of(PAGE, viewer, Redis.NOW)));
            for (long status : PAGE) {
                int expected = 0;
                for (int i = 0; i < keys.size(); i++) {
                    expected += model.getOrDefault(keys.get(i), Set.of()).contains(status) ? bit(i) : 0;
                }
                assertThat(read.of(status))
                        .as("seed %d step %d viewer %d status %d", seed, step, viewer, status)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void aPageOfAViewerWithSmallSetsAsksForNothingOnceTheirServerHasAnswered() {
        redis.askAt(Keys.favourites(11), "ZADD", Keys.favourites(11), "1", "101");
        assertThat(await(onLoop(() -> flags.of(PAGE, 11, Redis.NOW))).favourited())
                .containsExactly(101L);
        long began = reads();
        for (int page = 0; page < 10; page++) {
            ViewerFlags read = await(onLoop(() -> {
                long since = link.moment();
                return link.send(Command.of("EXISTS", Keys.favourites(11)))
                        .compose(answered -> flags.of(PAGE, 11, since));
            }));
            assertThat(read.favourited()).containsExactly(101L);
            assertThat(read.bookmarked()).isEmpty();
        }
        assertThat(reads()).isEqualTo(began);
    }

    @Test
    void aPageOfAViewerWithALargeSetAsksForItsScoresOnly() {
        String key = Keys.favourites(11);
        for (int i = 0; i <= ViewerFlagsReader.WHOLE_MAX; i++) {
            redis.askAt(key, "ZADD", key, "1", Integer.toString(110 + i));
        }
        assertThat(await(onLoop(() -> flags.of(PAGE, 11, Redis.NOW))).favourited())
                .contains(110L, 124L)
                .doesNotContain(109L);
        long ranges = calls("zrange");
        long scores = calls("zmscore");
        // Of the small sets one is read, which proves the other.
        assertThat(await(onLoop(() -> flags.of(PAGE, 11, Redis.NOW))).favourited())
                .contains(110L, 124L)
                .doesNotContain(109L);
        assertThat(calls("zrange") - ranges).isEqualTo(1);
        assertThat(calls("zmscore") - scores).isEqualTo(1);
    }

    @Test
    void nobodyInParticularHasDoneNothing() {
        long began = reads();
        assertThat(await(onLoop(() -> flags.of(PAGE, 0, Redis.NOW)))).isEqualTo(ViewerFlags.NONE);
        assertThat(await(onLoop(() -> flags.of(List.of(), 11, Redis.NOW)))).isEqualTo(ViewerFlags.NONE);
        assertThat(reads()).isEqualTo(began);
    }

    private static List<String> keys(long viewer) {
        return List.of(Keys.favourites(viewer), Keys.reblogged(viewer), Keys.bookmarks(viewer), Keys.pins(viewer));
    }

    private static int bit(int set) {
        ViewerFlags only = new ViewerFlags(
                set == 0 ? Set.of(1L) : Set.of(),
                set == 1 ? Set.of(1L) : Set.of(),
                set == 2 ? Set.of(1L) : Set.of(),
                set == 3 ? Set.of(1L) : Set.of(),
                Set.of(),
                ViewerFilters.NONE);
        return only.of(1L);
    }

    private long reads() {
        return calls("zrange") + calls("zmscore");
    }

    private long calls(String command) {
        String name = "cmdstat_" + command + ":calls=";
        return redis.servers().stream()
                .flatMap(
                        server -> ask(server, "INFO", "commandstats").asString().lines())
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('=') + 1, line.indexOf(','))))
                .sum();
    }

    private <T> Future<T> onLoop(Supplier<Future<T>> call) {
        Promise<T> promise = Promise.promise();
        loop.runOnContext(v -> call.get().onComplete(promise));
        return promise.future();
    }
}
