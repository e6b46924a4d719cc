package io.fanfare.app.size;

import io.fanfare.app.size.Size.Amount;
import io.fanfare.app.size.Size.Limit;
import io.fanfare.app.size.Size.Role;
import io.fanfare.common.settings.Settings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Makes the {@link Size} of a {@link Site}: sums of counts times {@link Costs}. The settings give the bounds of homes,
 * of the event log and of processes. Immutable.
 */
public final class Sizing {
    /** The part of a processor that may be in use at the peak. */
    public static final double USE_MAX = 0.7;

    /** Data of one master: a start of its server takes about two and a half minutes. */
    public static final double MASTER_BYTES = 10e9;

    public static final String POSTS = "posts";
    public static final String FOLLOWS = "follows";
    public static final String LOOPS = "event loops with streams";

    /** The part of an event loop that is left to its streams at least; a limit of its own says if it is not. */
    private static final double REST_MIN = 0.1;

    private static final double LINE_BYTES = 125e6;
    private static final double DAY_SECONDS = 86_400;
    private static final double HOUR_SECONDS = 3600;
    private static final double YEAR_DAYS = 365;
    private static final double MICROS = 1e6;

    /** By default Redis rewrites no file that is smaller than 64 MiB, and then at twice its size. */
    private static final double FILE_BYTES_MIN = 2.0 * (64 << 20);

    /** The file, as much again that was added to it, and the new file. */
    private static final int FILES = 3;

    private final Costs costs;
    private final Settings settings;

    public Sizing(Costs costs, Settings settings) {
        this.costs = costs;
        this.settings = settings;
    }

    public Costs costs() {
        return costs;
    }

    public Size of(Site site) {
        double perDay = site.peakFactor() / DAY_SECONDS;
        double posts = site.users() * site.postsPerUserDay() * perDay;
        double deliveries = posts * site.followers();
        double pages = site.users() * site.readsPerUserDay() * perDay;
        double sent = site.streams() * site.followers() * site.postsPerUserDay() * perDay;
        // A job serves one page of followers.
        double furtherJobs = deliveries / settings.feeds().fanOutPage();
        int loopsEach = settings.http().eventLoops();
        double full = site.streams() / settings.stream().connectionsMax();
        // Each event loop with streams reads every event, whatever its streams want; the rest of it is for them.
        double events = sum().add(posts, "stream.event").cores();
        double streaming = sum().add(site.streams(), "stream.second")
                        .add(sent, "stream.delivery")
                        .cores()
                / loopsEach
                / Math.max(REST_MIN, 1 - events);
        long streamProcesses = atLeastOne(Math.max(full, streaming));
        double loops = (double) streamProcesses * loopsEach;

        Amount api = sum().add(pages, "page.api").add(posts, "post.api").ofCores();
        Amount worker = sum().add(deliveries, "delivery.worker")
                .add(posts, "post.worker")
                .add(furtherJobs, "job.worker")
                .ofCores();
        Amount stream = sum().add(site.streams(), "stream.second")
                .add(sent, "stream.delivery")
                .add(posts * loops, "stream.event")
                .ofCores();
        Amount redis = sum().add(pages, "page.redis")
                .add(posts, "post.redis")
                .add(deliveries, "delivery.redis")
                .add(furtherJobs, "job.redis")
                .add(posts * (loops - 1), "bus.copy")
                .ofCores();
        double log = sum().add(posts, "bus.event")
                .add(posts * (loops - 1), "bus.copy")
                .cores();
        List<Amount> memory = memory(site, posts);
        double bytes = memory.stream().mapToDouble(Amount::value).sum();
        double apis = api.value() / loopsEach;
        double workers = worker.value() / settings.worker().loops();
        long masters = atLeastOne(Math.max(bytes / MASTER_BYTES, redis.value()));
        List<Amount> network = List.of(
                sum().add(pages, "page.network").add(sent, "stream.network").named("to clients"),
                count("pictures from clients", posts * site.picturesPerPost() * site.pictureBytes()));
        List<Limit> limits = Stream.of(
                        new Limit(Resource.REDIS_MEMORY, bytes / MASTER_BYTES),
                        new Limit(Resource.REDIS_CORE, redis.value()),
                        new Limit(Resource.processors("api"), apis),
                        new Limit(Resource.processors("worker"), workers),
                        new Limit(Resource.processors("stream"), streaming),
                        new Limit(Resource.CONNECTIONS, full),
                        new Limit(Resource.LINE, network.get(0).value() / LINE_BYTES),
                        new Limit(Resource.LOG, log),
                        new Limit(Resource.EVENTS, events))
                .sorted(Comparator.comparingDouble(Limit::use).reversed())
                .toList();
        return new Size(
                site,
                List.of(
                        count(POSTS, posts),
                        count("deliveries into homes", deliveries),
                        count("pages of homes", pages),
                        count("jobs", posts + furtherJobs),
                        count("events sent to streams", sent),
                        count("open streams", site.streams()),
                        count(LOOPS, loops)),
                List.of(
                        role("api", atLeastOne(apis), api),
                        role("worker", atLeastOne(workers), worker),
                        new Role(
                                "stream",
                                streamProcesses,
                                stream,
                                sum().add((double) streamProcesses, "process.memory")
                                        .add(site.streams(), "stream.memory")
                                        .named("memory")),
                        new Role(
                                "redis master",
                                masters,
                                redis,
                                sum().with(memory)
                                        .add((double) masters, "server.redis")
                                        .named("memory"))),
                memory,
                disk(site, bytes),
                network,
                limits);
    }

    /**
     * The users with whom the same site exhausts a limit.
     *
     * @param use of a size; it grows with the users
     * @return 10,000,000,000 if even so many do not exhaust it
     */
    public long usersAt(Site site, ToDoubleFunction<Size> use) {
        long fewer = 0;
        long more = Site.USERS_MAX;
        while (more - fewer > 1) {
            long middle = (fewer + more) / 2;
            if (use.applyAsDouble(of(site.withUsers(middle))) < 1) {
                fewer = middle;
            } else {
                more = middle;
            }
        }
        return more;
    }

    private List<Amount> memory(Site site, double posts) {
        double kept = site.users() * site.postsPerUserDay() * site.retentionDays();
        Settings.Stream log = settings.stream();
        double remembered = posts / site.peakFactor() * log.logAge().toSeconds();
        double eventBytes =
                costs.get("event.redis").value() - costs.get("subject.redis").value();
        double events = Math.min(remembered, Math.min(log.logEvents(), log.logBytes() / eventBytes));
        // A home is filled from the profiles of the accounts that its reader follows, however old their posts are.
        double entries = Math.min(
                settings.feeds().homeMax() + settings.feeds().homeSlack() / 2.0,
                site.followers() * site.postsPerUserDay() * YEAR_DAYS);
        return List.of(
                sum().add((double) site.users(), "account.redis").named("accounts"),
                sum().add(site.users() * site.followers(), "follow.redis").named(FOLLOWS),
                sum().add(kept, "status.redis").add(kept, "place.redis").named("posts in Redis"),
                sum().add(site.users() * site.activeShare() * entries, "entry.redis")
                        .named("homes"),
                sum().add(events, "event.redis")
                        .add(Math.max(0, Math.min(remembered, log.logSubjects()) - events), "subject.redis")
                        .named("event log"),
                sum().add(posts * HOUR_SECONDS, "key.redis").named("idempotency keys"));
    }

    private List<Amount> disk(Site site, double redisBytes) {
        double posted = site.users() * site.postsPerUserDay() * YEAR_DAYS;
        Amount file = sum().add(redisBytes, "file.disk").named("append-only file, rewritten");
        Amount search = sum().add(posted, "search.disk").named("search");
        long bytesMax = settings.search().bytesMax();
        return List.of(
                file,
                new Amount("append-only file, at most", Math.max(FILE_BYTES_MIN, FILES * file.value()), file.costs()),
                sum().add(posted, "archive.disk").named("archive, a year"),
                new Amount(
                        "search index of an api process, a year",
                        Math.min(search.value(), (double) bytesMax),
                        search.costs()),
                sum().add(posted * site.picturesPerPost() * site.pictureBytes(), "picture.disk")
                        .named("pictures, a year"));
    }

    private Role role(String name, long processes, Amount cores) {
        return new Role(
                name,
                processes,
                cores,
                sum().add((double) processes, "process.memory").named("memory"));
    }

    private static long atLeastOne(double need) {
        return Math.max(1, (long) Math.ceil(need));
    }

    private static Amount count(String name, double value) {
        return new Amount(name, value, List.of());
    }

    private Sum sum() {
        return new Sum();
    }

    /** Counts times costs, with the names of the costs. */
    private final class Sum {
        private final List<String> names = new ArrayList<>();
        private double value;

        Sum add(double count, String cost) {
            value += count * costs.get(cost).value();
            names.add(cost);
            return this;
        }

        Sum with(List<Amount> amounts) {
            for (Amount amount : amounts) {
                value += amount.value();
                names.addAll(amount.costs());
            }
            return this;
        }

        /** Cores that microseconds in each second take, each used by {@link #USE_MAX}. */
        double cores() {
            return value / MICROS / USE_MAX;
        }

        Amount ofCores() {
            return new Amount("cores", cores(), List.copyOf(names));
        }

        Amount named(String name) {
            return new Amount(name, value, List.copyOf(names));
        }
    }
}
