package io.fanfare.redis;

import io.fanfare.redis.RedisError.Kind;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps ids from being given out while the clock of the process and that of the Redis server differ by more than
 * {@link #DIFFERENCE_MAX}. Ids carry the server's time and never go back: one that is made a day ahead is ahead of all
 * others for a day. The server's clock counts; that of the process is the witness that notices when it is set. It goes
 * with the call of each script that asks for it ({@link Script#CHECKED_NOW}), so it costs no round trip.
 *
 * <p>Such a call then fails as {@link Kind#CLOCKS}, with a sentence that names both clocks, and has done nothing. The
 * first failure is logged, and the first success after {@link #QUIET} without a failure: of several servers, some may
 * agree. Confined to the event loop of its link.
 */
public final class ClockGuard implements Redis {
    /** More than clocks differ that are set over the network, and more than a request takes. */
    public static final Duration DIFFERENCE_MAX = Duration.ofSeconds(60);

    private static final Duration QUIET = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(ClockGuard.class);

    private final Redis redis;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Runnable refused;
    private boolean differ;
    private long refusedNanos;

    /**
     * @param clock of this process
     * @param nanos elapsed time, as {@code System.nanoTime}
     * @param refused called for each call that the clocks have ended
     */
    public ClockGuard(Redis redis, InstantSource clock, LongSupplier nanos, Runnable refused) {
        this.redis = redis;
        this.clock = clock;
        this.nanos = nanos;
        this.refused = refused;
    }

    @Override
    public Future<Reply> send(Command command) {
        return command.asksForWitness()
                ? redis.send(witnessed(command))
                        .map(this::agreed)
                        .recover(cause -> Future.failedFuture(explained(cause)))
                : redis.send(command);
    }

    @Override
    public Future<Reply> sendSafely(Command command) {
        return command.asksForWitness()
                ? redis.sendSafely(witnessed(command))
                        .map(this::agreed)
                        .recover(cause -> Future.failedFuture(explained(cause)))
                : redis.sendSafely(command);
    }

    @Override
    public Future<List<Reply>> pipeline(List<Command> commands) {
        return pipeline(commands, NOW);
    }

    @Override
    public Future<List<Reply>> pipeline(List<Command> commands, long since) {
        if (!anyAsksForWitness(commands)) {
            return redis.pipeline(commands, since);
        }
        List<Command> witnessed = new ArrayList<>(commands.size());
        commands.forEach(command -> witnessed.add(command.asksForWitness() ? witnessed(command) : command));
        return redis.pipeline(witnessed, since)
                .map(replies -> replies.stream().map(this::explained).toList());
    }

    @Override
    public long moment() {
        return redis.moment();
    }

    @Override
    public void afterTurn(Runnable task) {
        redis.afterTurn(task);
    }

    /** Not as a stream, which would cost more than the look at a page's few commands. */
    private static boolean anyAsksForWitness(List<Command> commands) {
        for (Command command : commands) {
            if (command.asksForWitness()) {
                return true;
            }
        }
        return false;
    }

    private Command witnessed(Command command) {
        return command.witnessed(clock.millis(), DIFFERENCE_MAX.toMillis());
    }

    private Reply agreed(Reply reply) {
        if (differ && nanos.getAsLong() - refusedNanos > QUIET.toNanos()) {
            differ = false;
            LOG.info("ids are given out again, the clocks agree");
        }
        return reply;
    }

    private Reply explained(Reply reply) {
        return reply instanceof Reply.Failure failure && failure.error().kind() == Kind.CLOCKS
                ? new Reply.Failure((RedisError) explained(failure.error()))
                : reply;
    }

    /** The script's error as a sentence: {@code CLOCKS <ms of the server> <ms of the process>}. */
    private Throwable explained(Throwable cause) {
        if (!(cause instanceof RedisError error) || error.kind() != Kind.CLOCKS) {
            return cause;
        }
        refused.run();
        refusedNanos = nanos.getAsLong();
        String[] parts = error.getMessage().split(" ", 4);
        Instant server = instant(parts[1]);
        Instant own = instant(parts[2]);
        if (!differ) {
            differ = true;
            LOG.error(
                    "no ids are given out, the clocks differ: set them redis={} process={} maxSeconds={}",
                    server,
                    own,
                    DIFFERENCE_MAX.toSeconds());
        }
        return new RedisError(Kind.CLOCKS, "the clock of Redis says " + server + ", that of this process " + own);
    }

    private static Instant instant(String millis) {
        return Instant.ofEpochMilli(Long.parseLong(millis));
    }
}
