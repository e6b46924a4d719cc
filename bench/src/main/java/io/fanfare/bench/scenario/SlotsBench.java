package io.fanfare.bench.scenario;

import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.ClosedLoop;
import io.fanfare.bench.load.DataSet;
import io.fanfare.bench.load.PowerLaw;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Comparison;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventKey;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Moves;
import io.fanfare.common.store.SiteSwitches;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.UsernameIndex;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.core.feed.PublicTimelines;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.server.runtime.EventLoop;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench slots}: Redis' processor time of operations on four of the slots that no shard shares, {@code {bus}},
 * {@code {public}}, {@code {names}} and {@code {meta}}, by the stores of the service, and the rate at which it fills 70
 * % of a core. What a page needs beside its slot is on a second Redis, whose time does not count.
 */
@picocli.CommandLine.Command(
        name = "slots",
        mixinStandardHelpOptions = true,
        description = "Measures what each operation on the slots {bus}, {public}, {names} and {meta} costs Redis.")
public final class SlotsBench implements Callable<Integer> {
    private static final double USE_MAX = 0.7;
    private static final int UNDER_WAY = 256;
    private static final String ALONE = ", alone";
    private static final String TOGETHER = ", together";
    private static final int USERS = 20;
    private static final int POSTS_EACH = 50;
    private static final int PER_CALL = 1000;

    /** A search for accounts reads so many names, see {@code SearchRoutes}. */
    private static final int CANDIDATES = 400;

    /** A relay reads the log in pages of so many events, see {@code EventRelay}. */
    private static final int LOG_PAGE = 500;

    private static final int STATUS_BYTES = 400;

    /** It contains its account and its status. */
    private static final int NOTIFICATION_BYTES = 2000;

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Option(
            names = "--names",
            paramLabel = "N",
            defaultValue = "1000000",
            converter = Count.class,
            description = "User names in the index. Default: ${DEFAULT-VALUE}.")
    private int names;

    private Comparison comparison = new Comparison();
    private EventLoop loop;
    private RandomGenerator random;

    /** The number of the newest event of the page that is read. */
    private long tip;

    /** The subject of the newest event. */
    private long subject = Id.of(System.currentTimeMillis(), 0, 0);

    @Override
    public Integer call() {
        random = new Random(options.seed());
        try (EventLoop own = new EventLoop();
                BenchRedis redis = BenchRedis.open(own, options);
                BenchRedis other = BenchRedis.open(own, options)) {
            loop = own;
            comparison =
                    comparison.process("redis", redis::cpuSeconds).process("generator", Comparison::javaCpuSeconds);
            bus(redis);
            publicTimeline(redis, other);
            names(redis.link());
            SiteSwitches switches = new SiteSwitches(redis.link());
            operation("{meta}: read the switches", switches::read);
            operation(
                    "{meta}: read whether the data move",
                    () -> Moves.refusal(redis.link(), redis.settings().redis().shards()));
            Report report = report(comparison.run(options.rounds()));
            report.settings(redis.description());
            report.setting("load", "calls of one event loop: alone one under way, together " + UNDER_WAY);
            long listed = redis.length(Keys.PUBLIC, false);
            report.setting("data", names + " names, " + listed + " statuses listed, seed " + options.seed());
            return report.publish(options);
        }
    }

    private void operation(String name, Supplier<? extends Future<?>> call) {
        operation(name, Future::succeededFuture, call);
    }

    /** Measures the call with one under way, which comes to Redis alone, and with many. */
    private void operation(String name, Supplier<Future<Void>> prepare, Supplier<? extends Future<?>> call) {
        for (int underWay : List.of(1, UNDER_WAY)) {
            comparison = comparison.contestant(name + (underWay == 1 ? ALONE : TOGETHER), new Comparison.Contestant() {
                @Override
                public void prepare() {
                    loop.run(prepare);
                }

                @Override
                public long work() {
                    return loop.await(() -> ClosedLoop.run(options.nanosPerRound(), underWay, call));
                }
            });
        }
    }

    /** With one event loop that has streams, so that each event is copied once. */
    private void bus(BenchRedis redis) {
        EventLog log = new EventLog(redis.link(), random, redis.settings().stream());
        String beat = Keys.busBeat("bench");
        RedisLink.Subscription unused = loop.call(() -> EventLog.subscribe(redis.link(), beat, new Unread()));
        operation("{bus}: append a status", () -> log.append(status()));
        operation("{bus}: append a notification", () -> log.append(notification()));
        operation("{bus}: look for an event", () -> log.missing(List.of(known())));
        operation(
                "{bus}: beat of a relay", () -> redis.link().send(Command.routed("SPUBLISH", Keys.BUS_SEQ, beat, "0")));
        operation("{bus}: read a page of " + LOG_PAGE, () -> page(log), () -> log.read(tip - LOG_PAGE, LOG_PAGE));
    }

    /** Appends the statuses that pages are read of. */
    private Future<Void> page(EventLog log) {
        List<Future<Long>> page =
                Stream.generate(() -> log.append(status())).limit(LOG_PAGE).toList();
        return Future.all(page).map(done -> {
            tip = page.get(LOG_PAGE - 1).result();
            return null;
        });
    }

    private Event status() {
        subject++;
        return new Event(Event.Kind.STATUS, subject, 1, 0, Visibility.PUBLIC, "x".repeat(STATUS_BYTES));
    }

    private Event notification() {
        subject++;
        String about = Event.match(List.of(subject - 1));
        return new Event(
                Event.Kind.NOTIFICATION, subject, 1, 2, Visibility.DIRECT, about, "x".repeat(NOTIFICATION_BYTES));
    }

    private EventKey known() {
        return new EventKey(Event.Kind.STATUS, subject - random.nextInt(1000));
    }

    private void publicTimeline(BenchRedis redis, BenchRedis other) {
        DataSet data = new DataSet(loop, other.link(), other.settings(), PowerLaw.graph(USERS, 5, random));
        List<Long> unused = data.post(POSTS_EACH);
        List<Long> ids = new ArrayList<>();
        for (int user = 0; user < USERS; user++) {
            ids.addAll(data.profile(user));
        }
        List<Status> posted = List.copyOf(data.statuses(ids).values());
        PublicTimelines timelines = new PublicTimelines(
                redis.link(),
                new Statuses(other.link(), other.settings()),
                new ViewerRelationshipsReader(other.link(), InstantSource.system()),
                other.settings().feeds(),
                InstantSource.system());
        operation("{public}: list a post", () -> timelines.add(List.of(another(posted))));
        operation(
                "{public}: read a page",
                () -> redis.link().send(Command.of("DEL", Keys.PUBLIC)).compose(gone -> timelines.add(posted)),
                () -> timelines.all(0, PageRequest.newest(20)));
    }

    /** A newer post, which takes the place of the oldest one in the list. */
    private Status another(List<Status> posted) {
        subject++;
        return new Status(subject, posted.get(0).post(), Counters.NONE);
    }

    private void names(RedisLink link) {
        for (int from = 0; from < names; from += PER_CALL) {
            List<Command> page = new ArrayList<>();
            for (int name = from; name < Math.min(names, from + PER_CALL); name++) {
                page.add(UsernameIndex.add(name(name), subject + name));
            }
            loop.run(() -> link.pipeline(page));
        }
        UsernameIndex index = new UsernameIndex(link);
        operation("{names}: enter a name", () -> link.send(UsernameIndex.add(name(random.nextInt()), subject)));
        operation(
                "{names}: search, " + CANDIDATES + " found",
                () -> index.beginningWith(name(random.nextInt(names)).substring(0, 1), 0, CANDIDATES));
        operation("{names}: count", index::count);
    }

    private static String name(int number) {
        return Integer.toHexString(number * 0x9E3779B9) + "_bench";
    }

    private Report report(List<Comparison.Result> results) {
        Report report = new Report("slots", "calls");
        report.results(comparison, results);
        report.sentence(String.format("%-40s %12s %14s", "at most a second, each call", "alone", "together"));
        for (int i = 0; i < results.size(); i += 2) {
            String name = results.get(i).name().replace(ALONE, "");
            double alone = results.get(i).cpuMicros("redis");
            double together = results.get(i + 1).cpuMicros("redis");
            report.figure(name + ALONE, alone, "");
            report.figure(name + TOGETHER, together, "");
            report.sentence(String.format("%-40s %,12.0f %,14.0f", name, atMost(alone), atMost(together)));
        }
        report.sentence("at most = Redis has 70 % of a core in use, with this alone");
        return report;
    }

    private static double atMost(double micros) {
        return USE_MAX * 1e6 / micros;
    }

    /** A relay whose process drops what it gets: Redis sends it all the same. */
    private static final class Unread implements RedisLink.Listener {
        @Override
        public void subscribed() {}

        @Override
        public void message(String channel, String payload) {}

        @Override
        public void lost() {}
    }
}
