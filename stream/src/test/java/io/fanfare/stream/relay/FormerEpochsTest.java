package io.fanfare.stream.relay;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.LogState;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.stream.filter.Documents;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A ring beside a log of the next epoch: a replica that lacked events became the master. */
class FormerEpochsTest {
    private static final String FORMER = "5f3a9c01";
    private static final String EPOCH = "77777777";
    private static final long FIRST_MILLIS = 1_795_251_986_123L;
    private static final int ROUNDS = 12;

    private final TestRedis redis = TestRedis.standalone();
    private final Vertx vertx = Vertx.vertx();
    private RedisLink link;
    private Counted counted;
    private EventLog log;

    /** Counts the commands that are on their way together. */
    private static final class Counted implements Redis {
        private final Redis redis;
        private int sent;
        private int underWay;
        private int together;

        Counted(Redis redis) {
            this.redis = redis;
        }

        @Override
        public Future<Reply> send(Command command) {
            sent++;
            together = Math.max(together, ++underWay);
            return redis.send(command).onComplete(reply -> underWay--);
        }

        @Override
        public Future<List<Reply>> pipeline(List<Command> commands) {
            throw new UnsupportedOperationException();
        }
    }

    @BeforeEach
    void begin() {
        redis.flush();
        link = redis.link(vertx);
        counted = new Counted(link);
        log = new EventLog(counted, new Random(1), SettingsLoader.defaultsWith().stream());
    }

    @AfterEach
    void close() {
        await(link.close());
        await(vertx.close());
    }

    @Test
    void theLastEventBeforeTheFirstDifferenceIsFoundInLogsOfAnyShape() {
        long seed = Long.getLong("fanfare.tests.seed", System.nanoTime());
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            int shared = random.nextInt(3000);
            int lost = random.nextInt(4) == 0 ? 0 : random.nextInt(1200);
            int inherited = shared + random.nextInt(1500);
            int known = random.nextInt(3) == 0 ? Math.max(inherited, shared + lost) : shared + lost;
            // A relay that did not notice the failover has events of the new master behind the lost ones.
            List<Long> ring = subjects(1, known, seq -> seq > shared && seq <= shared + lost);
            List<Long> logged = subjects(1, inherited + random.nextInt(50), seq -> false);
            Set<Long> deleted = drawn(random, logged.size(), 5);
            write(random, logged, deleted, inherited);
            EventRing events = ring(random, ring);

            OptionalLong last = await(onLoop(() -> FormerEpochs.lastShared(log, events, state(logged, inherited))));

            assertThat(last)
                    .as("round %d: shared %d, lost %d, inherited %d, known %d", round, shared, lost, inherited, known)
                    .isEqualTo(expected(events, logged, deleted, inherited));
        }
    }

    @Test
    void aLongRingIsComparedInAFewRoundTrips() {
        List<Long> all = subjects(1, 10_000, seq -> false);
        write(new Random(1), all, Set.of(), all.size());
        EventRing events = ring(new Random(1), all);

        assertThat(await(onLoop(() -> FormerEpochs.lastShared(log, events, state(all, all.size())))))
                .hasValue(10_000);
        assertThat(counted.together).isEqualTo(8);
        assertThat(counted.sent).isBetween(20, 22);
    }

    @Test
    void aFurtherEpochMeanwhileEndsTheComparison() {
        List<Long> all = subjects(1, 100, seq -> false);
        write(new Random(1), all, Set.of(), all.size());
        EventRing events = ring(new Random(1), all);
        redis.askAt(Keys.BUS_EPOCH, "SET", Keys.BUS_EPOCH, "88888888");

        assertThatThrownBy(() -> await(onLoop(() -> FormerEpochs.lastShared(log, events, state(all, all.size())))))
                .hasMessageContaining("began another epoch");
    }

    /** The definition, event by event. */
    private static OptionalLong expected(EventRing ring, List<Long> logged, Set<Long> deleted, int inherited) {
        OptionalLong last = OptionalLong.empty();
        for (long seq = ring.first(); seq <= Math.min(ring.tip(), inherited); seq++) {
            if (ring.event(seq) != null && !deleted.contains(seq)) {
                if (ring.event(seq).event().subject() != logged.get((int) seq - 1)) {
                    return last;
                }
                last = OptionalLong.of(seq);
            }
        }
        return last;
    }

    /** The subject of each event is its seq; of one that was lost another. */
    private static List<Long> subjects(int first, int last, LongPredicate lost) {
        return LongStream.rangeClosed(first, last)
                .map(seq -> lost.test(seq) ? seq + 1_000_000 : seq)
                .boxed()
                .toList();
    }

    private static Set<Long> drawn(Random random, int size, int percent) {
        return LongStream.rangeClosed(1, size)
                .filter(seq -> random.nextInt(100) < percent)
                .boxed()
                .collect(Collectors.toCollection(HashSet::new));
    }

    private static LogState state(List<Long> logged, int inherited) {
        return new LogState(EPOCH, logged.size(), 1, inherited);
    }

    /** In batches, of which some are deleted as a whole. */
    private void write(Random random, List<Long> logged, Set<Long> deleted, int inherited) {
        redis.flush();
        List<String> args = new ArrayList<>();
        for (int from = 1; from <= logged.size(); ) {
            int to = Math.min(from + random.nextInt(40), logged.size());
            if (!deleted.isEmpty() && random.nextInt(50) == 0) {
                LongStream.rangeClosed(from, to).forEach(deleted::add);
            }
            String lines = LongStream.rangeClosed(from, to)
                    .mapToObj(seq -> deleted.contains(seq) ? "" : "s|" + logged.get((int) seq - 1) + "|1|0|public|{}")
                    .collect(Collectors.joining("\n"));
            if (!lines.isBlank()) {
                args.addAll(List.of("" + to, "" + FIRST_MILLIS, "" + (to - from + 1), lines));
            }
            from = to + 1;
        }
        List<String> command = new ArrayList<>(List.of("EVAL", """
                for at = 1, #ARGV, 4 do
                  redis.call('XADD', KEYS[1], ARGV[at] .. '-0', 't', ARGV[at + 1], 'n', ARGV[at + 2])
                  redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 3])
                end
                """, "2", Keys.BUS_LOG, Keys.BUS_BATCHES));
        command.addAll(args);
        redis.askAt(Keys.BUS_LOG, command.toArray(String[]::new));
        redis.askAt(Keys.BUS_LOG, "HSET", Keys.BUS_BATCHES, "inherited", "" + inherited);
        redis.askAt(Keys.BUS_LOG, "SET", Keys.BUS_SEQ, "" + logged.size());
        redis.askAt(Keys.BUS_LOG, "SET", Keys.BUS_EPOCH, EPOCH);
        redis.askAt(Keys.BUS_LOG, "SET", Keys.BUS_FLOOR, "1");
    }

    /** It lacks what was deleted before the failover, which the log may still have. */
    private static EventRing ring(Random random, List<Long> subjects) {
        EventRing ring = new EventRing(20_000, 1 << 26, new Documents(1));
        ring.restart(FORMER, 0);
        for (int seq = 1; seq <= subjects.size(); seq++) {
            if (random.nextInt(20) > 0 || seq == subjects.size()) {
                Event event = new Event(Event.Kind.STATUS, subjects.get(seq - 1), 1, 0, Visibility.PUBLIC, "{}");
                ring.add(new LoggedEvent(FORMER, seq, FIRST_MILLIS, event));
            }
        }
        return ring;
    }

    private <T> Future<T> onLoop(Supplier<Future<T>> step) {
        return Future.future(done -> vertx.runOnContext(turn -> step.get().onComplete(done)));
    }
}
