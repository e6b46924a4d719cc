package io.fanfare.bench.peer;

import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.Pace;
import io.fanfare.bench.load.StampedEvent;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.redis.Command;
import io.fanfare.server.runtime.EventLoop;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Mastodon's streaming server, a Node process, on the Redis of the scenario and a database of the operator's that knows
 * the account and the token of {@code docs/benchmarks/mastodon.sql}. Streams are its cheapest: the home timeline of
 * that account, or one list of it for each topic, for which it asks the database when they are opened and never again.
 * Payloads are text, which it passes on; objects it would render anew for each stream.
 */
public final class MastodonPeer implements StreamPeer {
    public static final String NAME = "Mastodon streaming";

    /** A comment goes to every stream so often; it has no setting for that. */
    public static final Duration HEARTBEAT = Duration.ofSeconds(15);

    private static final String MAIN = "streaming/index.js";

    /** A module for Node that collects the garbage when it is told a line. */
    private static final String COLLECTOR = "data:text/javascript,process.stdin.on('data', () => gc())";

    private static final String ACCOUNT = "1";
    private static final String TOKEN = "access_token=fanfare-bench";

    private final EventLoop loop;
    private final BenchRedis redis;
    private final int topics;
    private final PeerProcess node;

    private MastodonPeer(EventLoop loop, BenchRedis redis, int topics, PeerProcess node) {
        this.loop = loop;
        this.redis = redis;
        this.topics = topics;
        this.node = node;
    }

    /**
     * Starts it with the {@code node} of the PATH; which database it asks it reads in our environment.
     *
     * @param mastodon a folder with {@value #MAIN} and what that needs of npm
     */
    public static MastodonPeer start(EventLoop loop, BenchRedis redis, Path mastodon, int topics) {
        Path main = mastodon.resolve(MAIN);
        if (!Files.exists(main)) {
            throw new BenchFailed("there is no " + main);
        }
        int port = PeerProcess.freePort();
        ProcessBuilder program = new ProcessBuilder("node", "--expose-gc", "--import", COLLECTOR, main.toString());
        program.environment()
                .putAll(Map.of(
                        "NODE_ENV", "production",
                        "LOG_LEVEL", "fatal",
                        "BIND", "127.0.0.1",
                        "PORT", Integer.toString(port),
                        "REDIS_URL", redis.settings().redis().url().reveal()));
        return new MastodonPeer(loop, redis, topics, PeerProcess.start(NAME, port, program));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int port() {
        return node.port();
    }

    @Override
    public String path() {
        return "/api/v1/streaming/" + (topics == 0 ? "user?" : "list?list={}&") + TOKEN;
    }

    @Override
    public void publish(long events, double perSecond) {
        Pace.run(events, perSecond, (number, due) -> loop.later(() -> send(number, due)));
    }

    private void send(long number, long due) {
        String channel = "timeline:" + (topics == 0 ? ACCOUNT : "list:" + number % topics);
        JsonObject message = new JsonObject().put("event", "update").put("payload", StampedEvent.body(due));
        redis.link()
                .send(Command.raw("PUBLISH", null, channel, message.encode()))
                .onFailure(gone -> System.err.println("not published: " + gone));
    }

    @Override
    public double cpuSeconds() {
        return node.cpuSeconds();
    }

    @Override
    public long residentBytes() {
        node.send("collect");
        LockSupport.parkNanos(FanfarePeer.GIVING_BACK.toNanos());
        return node.residentBytes();
    }

    @Override
    public void close() {
        node.close();
    }
}
