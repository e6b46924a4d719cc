package io.fanfare.bench.peer;

import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.Pace;
import io.fanfare.bench.load.Processes;
import io.fanfare.bench.load.ServerProcess;
import io.fanfare.bench.load.StampedEvent;
import io.fanfare.bench.load.StreamServer;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Visibility;
import io.fanfare.failure.Reason;
import io.fanfare.server.runtime.EventLoop;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * Our stream role: events are appended to the log in Redis by this process, as the API appends them; streams are the
 * firehose, or one filter for each topic.
 */
public final class FanfarePeer implements StreamPeer {
    public static final String NAME = "fanfare";
    private static final String FIREHOSE = "/api/v1/streaming/firehose";
    private static final String FILTER = "/api/v1/streaming/filter?track=topic{}";
    private static final String TEXT =
            "the quick brown fox jumps over the lazy dog, and everybody who follows it reads of it: topic";

    /** For Redis to answer, when load has taken all processors. */
    private static final String PATIENCE = "30s";

    /** How long memory that a collection has freed may take to be given back to the system. */
    public static final Duration GIVING_BACK = Duration.ofSeconds(3);

    public static final String PATIENT = "redis.command-timeout=" + PATIENCE;

    private final EventLoop loop;
    private final int topics;
    private final EventLog log;
    private final ServerProcess server;

    /** Events that may wait for Redis; one more waits here, with the time at which it was due. */
    private final Semaphore underWay = new Semaphore(2000);

    private long ids;
    private Throwable refused;

    /**
     * Starts the server.
     *
     * @param topics 0 = everybody gets everything
     * @param environment more settings
     */
    public FanfarePeer(EventLoop loop, BenchRedis redis, int topics, Map<String, String> environment) {
        this.loop = loop;
        this.topics = topics;
        this.log = new EventLog(redis.link(), new Random(), redis.settings().stream());
        Map<String, String> all = new HashMap<>(environment);
        all.put("FANFARE_REDIS_URL", redis.settings().redis().url().reveal());
        all.put("FANFARE_HTTP_PORT", "0");
        all.put("FANFARE_HTTP_EVENT_LOOPS", "1");
        all.put("FANFARE_STREAM_ANONYMOUS", "true");
        all.put("FANFARE_STREAM_CONNECTIONS_MAX", "100000");
        all.put("FANFARE_HTTP_CONNECTIONS_MAX", "200000");
        all.put("FANFARE_LIMITS_ENABLED", "false");
        all.put("FANFARE_REDIS_COMMAND_TIMEOUT", PATIENCE);
        this.server = ServerProcess.start(StreamServer.class, all);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int port() {
        return Integer.parseInt(server.answer());
    }

    @Override
    public String path() {
        return topics == 0 ? FIREHOSE : FILTER;
    }

    @Override
    public void publish(long events, double perSecond) {
        Pace.run(events, perSecond, (number, due) -> {
            underWay.acquireUninterruptibly();
            loop.later(() -> append(number, due));
        });
        Throwable cause = loop.call(() -> refused);
        if (cause != null) {
            throw new BenchFailed("an event could not be appended: " + Reason.of(cause));
        }
    }

    private void append(long number, long due) {
        // Four ids a millisecond is what one shard has; nobody else makes any.
        long n = ids++;
        long id = Id.of(System.currentTimeMillis(), (int) (n / 4 % Id.SHARDS_MAX), (int) (n % 4));
        String text = TEXT + (topics == 0 ? "" : number % topics);
        MatchFields about =
                new MatchFields(Post.Kind.POST, List.of(), text, 0, "", 0, 0, List.of(), List.of(), "en", null);
        log.append(new Event(Event.Kind.STATUS, id, 1, 0, Visibility.PUBLIC, about.encode(), StampedEvent.body(due)))
                .onFailure(cause -> refused = cause)
                .onComplete(appended -> underWay.release());
    }

    @Override
    public double cpuSeconds() {
        return server.cpuSeconds();
    }

    /** Bytes of the heap in use, after a collection. */
    public long heapBytes() {
        return Long.parseLong(server.ask("collect"));
    }

    /** The JVM gives memory back a moment after it has collected its garbage. */
    @Override
    public long residentBytes() {
        long inUse = heapBytes();
        assert inUse > 0;
        LockSupport.parkNanos(GIVING_BACK.toNanos());
        return Processes.residentBytes(server.handle());
    }

    @Override
    public void close() {
        server.close();
    }
}
