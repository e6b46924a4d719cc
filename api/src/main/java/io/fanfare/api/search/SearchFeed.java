package io.fanfare.api.search;

import io.fanfare.api.search.SearchIndex.Position;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.LogPage;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.UsernameIndex;
import io.fanfare.common.view.RenderCache;
import io.fanfare.core.disk.DiskReserve;
import io.fanfare.failure.Reason;
import io.fanfare.redis.LinkMetrics;
import io.fanfare.redis.RedisLink;
import io.fanfare.vertx.Ticks;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the index of a process as the statuses are: reads the event log from where the index ends, and of each status
 * that an event is about what it is now. So it does not matter how often and in which order events come. Where the log
 * no longer reaches back to, or when the operator asks for it, the index is built anew from every profile and the
 * archive, from an instant of the log on.
 *
 * <p>One event loop; each turn takes one page, and begins when the one before is done.
 */
public final class SearchFeed extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(SearchFeed.class);

    /** Events of a turn. */
    private static final int PAGE = 500;

    /** Statuses or names of a turn while the index is built. */
    private static final int REBUILD_PAGE = 100;

    /** The longest rest after a turn of these. */
    private static final long PAUSE_MAX_MILLIS = 1_000;

    /** Statuses after which the index is kept on the disk, and the milliseconds after which it is anyway. */
    private static final int COMMIT_EVERY = 5_000;

    private static final long COMMIT_MILLIS = 5_000;

    /** After which it is kept although nothing was applied, so that words of deleted statuses leave the disk. */
    private static final long COMMIT_IDLE_MILLIS = 3_600_000;

    /** How long a stop waits for the turn under way, and after that for the disk. */
    private static final long STOP_MILLIS = 5_000;

    private static final long RETRY_MILLIS = 2_000;

    /** Between two looks whether the operator wants the index built again. */
    private static final long REQUEST_LOOK_MILLIS = 2_000;

    /** After which an index is opened again that could not be opened, or was lost: when its disk was full, say. */
    private static final long REOPEN_MILLIS = 10_000;

    /** The same of one that was lost while it was built: each time twice as long, up to this. */
    private static final long REBUILD_AGAIN_MAX_MILLIS = 300_000;

    private final SearchIndex index;
    private final Settings settings;
    private final Archive archive;
    private final MeterRegistry metrics;
    private final RandomGenerator random;
    private final Clock clock;
    private final DiskReserve disk;
    private RedisLink redis;
    private EventLog log;
    private Statuses statuses;
    private UsernameIndex usernames;

    /** Null = the index is to be built. */
    private Position position;

    /** Null = none is under way. */
    private Rebuild rebuild;

    // Read by every thread that reads the metrics.

    /** Events that the index has not. */
    private volatile long behind;

    /** When the index last had all statuses and events, epoch ms; at first, when it began to be fed. */
    private volatile long wholeMillis;

    /** Whether searches find only a part, since the index is not built yet. */
    private volatile boolean building;

    private long uncommitted;
    private long committedMillis;
    private boolean due;
    private boolean failing;

    /** How often an index was lost in a row while it was built. */
    private int rebuildsLost;

    /** Whether nothing has been kept since the index was opened. */
    private boolean unproven;

    private boolean stopping;
    private Promise<Void> stopped;
    private boolean turning;

    /** When the last look at the operator's wish for a new index began, epoch ms. */
    private long requestSeenMillis;

    private long commitTimer;

    /**
     * @param random see {@link EventLog}
     * @param disk while it is short of room, the index stays as it is
     */
    public SearchFeed(
            SearchIndex index,
            Settings settings,
            Archive archive,
            MeterRegistry metrics,
            RandomGenerator random,
            Clock clock,
            DiskReserve disk) {
        this.disk = disk;
        this.index = index;
        this.settings = settings;
        this.archive = archive;
        this.metrics = metrics;
        this.random = random;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        return RedisLink.open(vertx, settings.redis().options(), new LinkMetrics(metrics, "search"))
                .onSuccess(this::on)
                .onSuccess(opened -> begin());
    }

    private void on(RedisLink opened) {
        redis = opened;
        log = new EventLog(redis, random, settings.stream());
        statuses = new Statuses(redis, settings, RenderCache.none(), archive);
        usernames = new UsernameIndex(redis);
        wholeMillis = clock.millis();
        metrics.gauge("fanfare.search.behind", this, feed -> feed.behind);
        Gauge.builder("fanfare.search.lag", this, SearchFeed::lagSeconds)
                .description("Time since the index last had all statuses")
                .baseUnit("seconds")
                .register(metrics);
        Gauge.builder("fanfare.search.building", this, feed -> feed.building ? 1 : 0)
                .description("1 while the index is built, and searches find only a part")
                .register(metrics);
    }

    private double lagSeconds() {
        return Math.max(0, clock.millis() - wholeMillis) / 1000.0;
    }

    /** Beside the start: a process without an index serves everything else. */
    private void begin() {
        commitTimer = vertx.setPeriodic(COMMIT_MILLIS, tick -> due = true);
        turn();
    }

    @Override
    public Future<?> stop() {
        stopping = true;
        boolean unused = vertx.cancelTimer(commitTimer);
        stopped = Promise.promise();
        if (!turning) {
            stopped.complete();
        }
        // What is not kept in time is read from the log again, as after a crash.
        return stopped.future()
                .timeout(STOP_MILLIS, TimeUnit.MILLISECONDS)
                .otherwiseEmpty()
                .compose(done -> keeps() ? commit() : Future.succeededFuture())
                .eventually(index::close)
                .timeout(2 * STOP_MILLIS, TimeUnit.MILLISECONDS)
                .onFailure(cause -> LOG.warn("search index is not kept cause={}", Reason.of(cause)))
                .otherwiseEmpty()
                .eventually(redis::close);
    }

    /** Whether there is something to be kept that is whole. */
    private boolean keeps() {
        return uncommitted > 0 && position != null && rebuild == null;
    }

    private void turn() {
        if (stopping) {
            return;
        }
        turning = true;
        long begun = clock.millis();
        step().onComplete(
                        more -> {
                            if (failing && !unproven) {
                                failing = false;
                                LOG.info("search index is fed again");
                            }
                            if (more) {
                                next(pause(begun));
                            } else {
                                nextPoll();
                            }
                        },
                        cause -> {
                            if (!failing) {
                                failing = true;
                                LOG.warn("search index is not fed cause={}", Reason.of(cause));
                            }
                            next(index.isOpen() ? RETRY_MILLIS : reopenMillis());
                        });
    }

    /** The pause before the index is reopened. A rebuild writes a whole index; it backs off when the disk is full. */
    private long reopenMillis() {
        if (rebuild != null) {
            rebuild = null;
            rebuildsLost++;
            if (rebuildsLost == 1) {
                LOG.warn(
                        "search index could not be built, which is tried again later and later, after {} s at most",
                        REBUILD_AGAIN_MAX_MILLIS / 1000);
            }
        }
        return reopenMillis(rebuildsLost);
    }

    static long reopenMillis(int rebuildsLost) {
        return Math.min(REBUILD_AGAIN_MAX_MILLIS, REOPEN_MILLIS << Math.min(10, Math.max(0, rebuildsLost - 1)));
    }

    /** While the index is built, others have every other moment. */
    private long pause(long begunMillis) {
        long took = clock.millis() - begunMillis;
        return rebuild == null ? 0 : Math.max(0, Math.min(took, PAUSE_MAX_MILLIS));
    }

    private void nextPoll() {
        if (!ended()) {
            Ticks.next(vertx, settings.search().poll().toMillis(), this::turn);
        }
    }

    /** Ends a turn. Answers whether it was the last one. */
    private boolean ended() {
        turning = false;
        if (stopped != null) {
            boolean unused = stopped.tryComplete();
        }
        return stopping;
    }

    private void next(long waitMillis) {
        if (ended()) {
            return;
        }
        if (waitMillis == 0) {
            context.runOnContext(run -> turn());
        } else {
            long unused = vertx.setTimer(waitMillis, timer -> turn());
        }
    }

    /** Answers whether there is more to be done at once. */
    private Future<Boolean> step() {
        if (!index.isOpen()) {
            return open();
        }
        if (disk.isShort()) {
            // The log keeps what comes meanwhile, and an index that it no longer reaches back to is built anew.
            return Future.succeededFuture(false);
        }
        if (rebuild != null) {
            return rebuild.step();
        }
        return rebuildRequested().compose(requested -> {
            boolean rebuilds = requested || position == null;
            return rebuilds ? begin(requested) : follow();
        });
    }

    /** Looks at the disk every few polls only. */
    private Future<Boolean> rebuildRequested() {
        long now = clock.millis();
        if (position != null && now >= requestSeenMillis && now - requestSeenMillis < REQUEST_LOOK_MILLIS) {
            return Future.succeededFuture(false);
        }
        requestSeenMillis = now;
        return index.rebuildRequested();
    }

    private Future<Boolean> open() {
        return index.open().map(kept -> {
            position = kept;
            building = kept == null;
            rebuild = null;
            uncommitted = 0;
            unproven = true;
            return true;
        });
    }

    private Future<Boolean> follow() {
        return log.read(position.seq(), PAGE).compose(page -> {
            if (!reaches(page, position)) {
                LOG.info("event log does not reach back to the search index, which is rebuilt");
                position = null;
                building = true;
                return Future.succeededFuture(true);
            }
            return apply(page);
        });
    }

    /** Whether nothing is missing between these. */
    private boolean reaches(LogPage page, Position from) {
        behind = Math.max(0, page.state().tip() - from.seq());
        return page.state().epoch().equals(from.epoch())
                && page.state().floor() <= from.seq() + 1
                && page.state().tip() >= from.seq();
    }

    private Future<Boolean> apply(LogPage page) {
        return apply(changed(page)).compose(applied -> {
            Position to = after(position, page);
            boolean moved = to.seq() > position.seq();
            position = to;
            if (page.whole()) {
                wholeMillis = clock.millis();
            }
            uncommitted += moved ? 1 : 0;
            boolean idle = clock.millis() - committedMillis >= COMMIT_IDLE_MILLIS;
            boolean keep = (due && (uncommitted > 0 || unproven || idle)) || uncommitted > COMMIT_EVERY;
            return keep ? commit().map(kept -> !page.whole()) : Future.succeededFuture(!page.whole());
        });
    }

    private static List<Long> changed(LogPage page) {
        return page.events().stream()
                .map(logged -> logged.event())
                .filter(event -> event.kind() != Event.Kind.NOTIFICATION)
                .map(Event::status)
                .filter(id -> id > 0)
                .distinct()
                .toList();
    }

    private static Position after(Position from, LogPage page) {
        return new Position(from.epoch(), Math.max(from.seq(), page.upTo()));
    }

    private Future<Void> apply(Collection<Long> ids) {
        if (ids.isEmpty()) {
            return Future.succeededFuture();
        }
        return statuses.load(ids)
                .compose(living -> index.apply(ids, living))
                .onSuccess(done -> uncommitted += ids.size());
    }

    private Future<Void> commit() {
        due = false;
        return index.commit(position, clock.millis()).onSuccess(kept -> kept());
    }

    private void kept() {
        uncommitted = 0;
        unproven = false;
        committedMillis = clock.millis();
    }

    private Future<Boolean> begin(boolean requested) {
        return log.state()
                .compose(state -> index.clear().map(new Position(state.epoch(), state.tip())))
                .map(from -> {
                    if (rebuildsLost == 0) {
                        LOG.info("search index build started requested={}", requested);
                    }
                    position = null;
                    building = true;
                    rebuild = new Rebuild(from);
                    return true;
                });
    }

    /**
     * Every profile, then every list of comments, then the archive. The log is followed meanwhile, a page of it between
     * two steps, so that it does not leave this behind however long it takes.
     */
    private final class Rebuild {
        /** Up to where the log is in the index. */
        private Position at;

        private boolean logged;
        private boolean moreLogged;
        private long loggedMillis;

        /** Lists that are still to be read, of the accounts of a page of names. */
        private final Deque<String> lists = new ArrayDeque<>();

        private String name = "";
        private boolean named;
        private long below = Long.MAX_VALUE;
        private long archived;
        private long count;

        Rebuild(Position from) {
            this.at = from;
            this.loggedMillis = clock.millis();
        }

        Future<Boolean> step() {
            long waited = Math.abs(clock.millis() - loggedMillis);
            logged =
                    !logged && (moreLogged || waited >= settings.search().poll().toMillis());
            return logged ? log() : read();
        }

        private Future<Boolean> log() {
            loggedMillis = clock.millis();
            return log.read(at.seq(), PAGE).compose(page -> {
                if (!reaches(page, at)) {
                    LOG.info("event log does not reach back to the search index, whose build starts over");
                    rebuild = null;
                    return Future.succeededFuture(true);
                }
                return apply(changed(page)).map(applied -> {
                    at = after(at, page);
                    moreLogged = !page.whole();
                    return true;
                });
            });
        }

        private Future<Boolean> read() {
            if (!lists.isEmpty()) {
                return list(lists.peek());
            }
            if (!named) {
                return names();
            }
            return archive.isPresent() ? archive() : end();
        }

        private Future<Boolean> names() {
            return usernames.after(name, REBUILD_PAGE).map(page -> {
                for (UsernameIndex.Entry entry : page) {
                    lists.add(Keys.profile(entry.id()));
                    lists.add(Keys.commentsBy(entry.id()));
                    name = entry.member();
                }
                named = page.size() < REBUILD_PAGE;
                return true;
            });
        }

        private Future<Boolean> list(String key) {
            return redis.send(Statuses.older(key, below, REBUILD_PAGE))
                    .map(Statuses::longs)
                    .compose(ids -> put(ids).map(done -> {
                        boolean whole = ids.size() < REBUILD_PAGE;
                        below = whole ? Long.MAX_VALUE : ids.get(ids.size() - 1);
                        if (whole) {
                            lists.remove();
                        }
                        return true;
                    }));
        }

        private Future<Boolean> archive() {
            return archive.page(archived, REBUILD_PAGE).compose(rows -> {
                List<Long> ids = rows.stream()
                        .filter(row -> !row.deleted())
                        .map(Archive.Row::id)
                        .toList();
                return put(ids).compose(done -> {
                    if (rows.size() < REBUILD_PAGE) {
                        return end();
                    }
                    archived = rows.get(rows.size() - 1).id();
                    return Future.succeededFuture(true);
                });
            });
        }

        private Future<Void> put(List<Long> ids) {
            count += ids.size();
            return apply(ids);
        }

        private Future<Boolean> end() {
            return index.commit(at, clock.millis()).map(kept -> {
                LOG.info("search index is complete statuses={}", count);
                position = at;
                building = false;
                kept();
                rebuild = null;
                rebuildsLost = 0;
                return true;
            });
        }
    }
}
