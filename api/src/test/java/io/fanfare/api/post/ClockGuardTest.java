package io.fanfare.api.post;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.model.Post;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.core.graph.Blocks;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.ClockGuard;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.slf4j.LoggerFactory;

/** A process whose clock the test sets, since that of the server cannot be set. */
@ParameterizedClass
@KindsOfRedis
class ClockGuardTest {
    @Parameter
    TestRedis.Kind kind;

    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong();
    private volatile Duration ahead = Duration.ZERO;
    private StoreFixture f;
    private Statuses statuses;
    private Graph graph;
    private Accounts accounts;
    private Blocks blocks;
    private Bookmarks bookmarks;
    private long[] users;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        users = f.users(2);
        InstantSource clock = () -> InstantSource.system().instant().plus(ahead);
        ClockGuard guard = new ClockGuard(f.link, clock, nanos::get, refused::incrementAndGet);
        statuses = new Statuses(guard, f.settings);
        graph = new Graph(guard, f.settings);
        accounts = new Accounts(guard, new Shards(f.settings.redis().shards()), new Random(1));
        blocks = new Blocks(guard, f.settings, graph, f.stores.follows());
        bookmarks = new Bookmarks(
                guard, f.settings, statuses, new ViewerRelationshipsReader(guard, InstantSource.system()));
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void noIdIsGivenOutWhileTheClocksDifferByMoreThanAMinute() {
        long status = f.post(users[1]);
        Map<String, String> before = counters();
        List<Supplier<Future<?>>> writes = List.of(
                () -> statuses.post(Post.of(users[0], "hello"), null),
                () -> graph.follow(users[0], users[1]),
                () -> blocks.block(users[0], users[1]),
                () -> blocks.mute(users[0], users[1], true),
                () -> bookmarks.add(users[0], status),
                () -> accounts.signUp("somebody", "somebody@example.org", "hash"));
        for (Duration difference : List.of(Duration.ofSeconds(62), Duration.ofDays(-1))) {
            ahead = difference;
            for (Supplier<Future<?>> write : writes) {
                assertThatThrownBy(() -> f.get(() -> write.get().mapEmpty()))
                        .isInstanceOfSatisfying(RedisError.class, error -> {
                            assertThat(error.kind()).isEqualTo(RedisError.Kind.CLOCKS);
                            assertThat(error.passing()).isTrue();
                        });
            }
        }
        assertThat(refused).hasValue(2 * writes.size());
        assertThat(counters()).as("nothing was written").isEqualTo(before);

        ahead = Duration.ofSeconds(-50);
        long id = f.get(() -> statuses.post(Post.of(users[0], "hello"), null))
                .status()
                .id();
        assertThat(Id.epochMillis(id)).isLessThanOrEqualTo(System.currentTimeMillis() + 1000);
    }

    @Test
    void theRefusalNamesBothClocks() {
        ahead = Duration.ofDays(1);
        Instant server = Instant.now();
        assertThatThrownBy(() -> f.get(() -> statuses.post(Post.of(users[0], "hello"), null)))
                .hasMessageMatching("the clock of Redis says " + hour(server) + ", that of this process "
                        + hour(server.plus(ahead)));
    }

    /** One of three masters may have a wrong clock: then every other write is refused. */
    @Test
    void refusalsAmongSuccessesAreLoggedOnceAndTheirEndAfterAMinute() {
        Logger logger = (Logger) LoggerFactory.getLogger(ClockGuard.class);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        logger.addAppender(logged);
        try {
            for (int i = 0; i < 5; i++) {
                ahead = Duration.ofDays(1);
                assertThatThrownBy(() -> f.get(() -> statuses.post(Post.of(users[0], "hello"), null)))
                        .isInstanceOf(RedisError.class);
                ahead = Duration.ZERO;
                nanos.addAndGet(Duration.ofSeconds(50).toNanos());
                f.get(() -> statuses.post(Post.of(users[0], "hello"), null));
            }
            assertThat(logged.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.ERROR);
            nanos.addAndGet(Duration.ofSeconds(11).toNanos());
            f.get(() -> statuses.post(Post.of(users[0], "hello"), null));
            f.get(() -> statuses.post(Post.of(users[0], "hello"), null));
            assertThat(logged.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.ERROR, Level.INFO);
        } finally {
            logger.detachAppender(logged);
        }
    }

    @Test
    void deletesAndReadsGoOnWhateverTheClocksSay() {
        long status = f.post(users[0]);
        ahead = Duration.ofDays(1);
        assertThat(f.get(() -> statuses.load(List.of(status)))).containsKey(status);
        assertThat(f.get(() -> statuses.delete(users[0], status))).isPresent();
        assertThat(f.get(() -> graph.unfollow(users[0], users[1])).changed()).isFalse();
    }

    /** The date, since the hour may end between two looks. */
    private static String hour(Instant instant) {
        String date = instant.toString().substring(0, 11);
        return date + "[0-9:.]+Z";
    }

    private Map<String, String> counters() {
        Map<String, String> counters = new TreeMap<>();
        for (String key : f.redis.keys()) {
            Reply dump = f.redis.askAt(key, "OBJECT", "ENCODING", key);
            boolean string = f.redis.askAt(key, "TYPE", key).asString().equals("string");
            counters.put(key, string ? f.redis.askAt(key, "GET", key).asString() : dump.asString());
        }
        return counters;
    }
}
