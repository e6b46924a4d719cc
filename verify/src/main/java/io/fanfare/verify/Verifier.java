package io.fanfare.verify;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.ArchivedStatuses;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.UsernameIndex;
import io.fanfare.common.store.UsernameIndex.Entry;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.verify.Difference.Kind;
import io.fanfare.verify.Recheck.Place;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Walks accounts and keys of a data set, beside the running service, and compares what is kept twice: both sides of
 * edges, counters and sets, lists and statuses, homes and profiles, keys and their owners. A difference is reported
 * once it was confirmed, see {@link Recheck}. Memory is bounded by pages and by the differences in doubt, whatever the
 * data set has. One use per instance; belongs to the event loop of its link.
 */
public final class Verifier {
    private static final Logger LOG = LoggerFactory.getLogger(Verifier.class);

    private static final int NAMES_PAGE = 200;

    /** Accounts that are looked at beside each other. */
    private static final int AT_ONCE = 4;

    /** Attempts at sums of a whole shard, which have to be read while nobody posts there. */
    private static final int SUMS_MAX = 4;

    private static final long SUMS_PAUSE_MILLIS = 500;

    /**
     * The part of the data to verify.
     *
     * @param account one account by its id; 0 = more than one
     * @param sample so many accounts drawn at random; 0 = all, and the keys as well
     * @param seed of the drawing
     */
    public record Scope(long account, int sample, long seed) {
        /** Everything. */
        public static final Scope ALL = new Scope(0, 0, 0);

        boolean isAll() {
            return account == 0 && sample == 0;
        }
    }

    /** Receives the progress of a verification; called on the event loop. */
    public interface Watcher {
        /** Before the first account: how many there are to look at, about. */
        void begin(long accounts);

        /** One account was looked at. */
        void account();

        /** A difference was repaired. */
        void repaired(Difference difference);

        /** Ignores the progress. */
        Watcher SILENT = new Watcher() {
            @Override
            public void begin(long accounts) {}

            @Override
            public void account() {}

            @Override
            public void repaired(Difference difference) {}
        };
    }

    private final RedisLink redis;
    private final Shards shards;
    private final Archive archive;
    private final LongFunction<Future<Void>> pause;
    private final Watcher watcher;
    private final Scope scope;
    private final boolean repair;
    private final AccountCheck accounts;
    private final KeyScan keys;
    private final Repairer repairer;
    private final Recheck recheck;
    private final Report report = new Report();

    /** The same without the rows of an archive. */
    public Verifier(
            RedisLink redis,
            RedisLink lister,
            Shards shards,
            Settings settings,
            LongFunction<Future<Void>> pause,
            Watcher watcher,
            Scope scope,
            boolean repair) {
        this(redis, lister, shards, settings, Archive.none(), pause, watcher, scope, repair);
    }

    /**
     * @param lister a link as a user who may SCAN, which the service's user may not; may be {@code redis}
     * @param settings those of the service: {@code feeds.outbox-max}, {@code feeds.home-max} and
     *     {@code feeds.home-slack} are compared with what there is
     * @param archive whose rows are compared as well when everything is verified; none = they are left out
     * @param pause completes after so many milliseconds
     * @param repair whether to repair what is confirmed
     */
    public Verifier(
            RedisLink redis,
            RedisLink lister,
            Shards shards,
            Settings settings,
            Archive archive,
            LongFunction<Future<Void>> pause,
            Watcher watcher,
            Scope scope,
            boolean repair) {
        this.redis = redis;
        this.shards = shards;
        this.archive = archive;
        this.pause = pause;
        this.watcher = watcher;
        this.scope = scope;
        this.repair = repair;
        Graph graph = new Graph(redis, settings);
        StatusCheck statuses = new StatusCheck(redis, new ArchivedStatuses(redis, settings, Archive.none()));
        this.accounts = new AccountCheck(
                redis,
                statuses,
                new HomeAudit(redis, graph, settings.feeds()),
                settings.feeds().outboxMax(),
                !scope.isAll());
        this.keys = new KeyScan(redis, lister, shards, statuses);
        this.repairer =
                new Repairer(redis, settings, graph, new Statuses(redis, settings), new Homes(redis, settings.feeds()));
        JobQueue queue = new JobQueue(redis, shards, settings.queue());
        this.recheck = new Recheck(redis, pause, queue::stats, this::look);
    }

    /**
     * Looks at everything in the scope, and repairs if requested. Fails with a {@link RedisError} when Redis does not
     * answer; what was repaired by then stays repaired.
     */
    public Future<Report> run() {
        return walk().compose(done -> settle())
                .compose(done -> scope.isAll() ? listKeys() : Future.succeededFuture())
                .compose(done -> settle())
                .compose(done -> scope.isAll() ? sums() : Future.succeededFuture())
                .compose(done -> scope.isAll() && archive.isPresent() ? rows() : Future.succeededFuture())
                .map(report);
    }

    private Future<Findings> look(Place place) {
        if (place instanceof Place.Account account) {
            return accounts.look(account.id(), account.entry());
        }
        return keys.look(List.of(((Place.Key) place).name()));
    }

    // Accounts.

    private Future<Void> walk() {
        if (scope.account() != 0) {
            watcher.begin(1);
            return accounts(List.of(new Entry("", scope.account())));
        }
        return redis.send(Command.of("ZCARD", Keys.NAMES)).map(Reply::asLong).compose(count -> {
            if (scope.sample() == 0) {
                watcher.begin(count);
                return names(this::accounts);
            }
            return sample(count).compose(drawn -> {
                watcher.begin(drawn.size());
                return parts(drawn);
            });
        });
    }

    /** Every account that has a name, some hundred at a time. */
    private Future<Void> names(Function<List<Entry>, Future<Void>> step) {
        UsernameIndex names = new UsernameIndex(redis);
        String[] after = {""};
        return Pages.whileTrue(redis, () -> names.after(after[0], NAMES_PAGE).compose(page -> {
            if (page.isEmpty()) {
                return Future.succeededFuture(false);
            }
            after[0] = page.get(page.size() - 1).member();
            return step.apply(page).map(page.size() == NAMES_PAGE);
        }));
    }

    private Future<List<Entry>> sample(long count) {
        Random random = new Random(scope.seed());
        Set<Long> ranks = new LinkedHashSet<>();
        while (ranks.size() < Math.min(scope.sample(), count)) {
            ranks.add(random.nextLong(count));
        }
        List<Command> reads = ranks.stream()
                .map(rank -> Command.of("ZRANGE", Keys.NAMES, rank, rank))
                .toList();
        return BatchedPipeline.send(redis, reads).map(replies -> replies.stream()
                .filter(reply -> !reply.items().isEmpty())
                .map(reply -> Entry.of(reply.items().get(0).asString()))
                .toList());
    }

    /** Some hundred at a time, as names are, so that what is in doubt stays bounded. */
    private Future<Void> parts(List<Entry> entries) {
        int[] next = {0};
        return Pages.whileTrue(redis, () -> {
            List<Entry> part = entries.subList(next[0], Math.min(entries.size(), next[0] + NAMES_PAGE));
            next[0] += part.size();
            return accounts(part).map(done -> next[0] < entries.size());
        });
    }

    private Future<Void> accounts(List<Entry> entries) {
        int share = (entries.size() + AT_ONCE - 1) / AT_ONCE;
        List<Future<Void>> lanes = new ArrayList<>();
        for (int from = 0; from < entries.size(); from += share) {
            lanes.add(Pages.each(redis, entries.subList(from, Math.min(entries.size(), from + share)), this::account));
        }
        return Future.join(lanes).compose(done -> recheck.areMany() ? settle() : Future.succeededFuture());
    }

    private Future<Void> account(Entry entry) {
        Place place = new Place.Account(entry.id(), entry.member());
        return look(place).map(findings -> {
            report.looked("accounts", 1);
            report.looked(findings);
            recheck.add(place, findings.differences);
            watcher.account();
            return null;
        });
    }

    // Keys.

    private Future<Void> listKeys() {
        return keys.each(this::portion).recover(cause -> {
            if (cause instanceof RedisError error && error.getMessage().contains("NOPERM")) {
                report.keysNotRead("the user of redis.url may not list keys (SCAN)");
                return Future.succeededFuture();
            }
            return Future.failedFuture(cause);
        });
    }

    private Future<Void> portion(List<String> names) {
        return keys.look(names)
                .compose(findings -> {
                    report.looked(findings);
                    return findings.differences.isEmpty()
                            ? Future.succeededFuture()
                            : Pages.each(redis, names, this::key);
                })
                .compose(done -> recheck.areMany() ? settle() : Future.succeededFuture());
    }

    /** One at a time, so that each difference is known by its key. */
    private Future<Void> key(String name) {
        Place place = new Place.Key(name);
        return look(place).map(findings -> {
            recheck.add(place, findings.differences);
            return null;
        });
    }

    // Rows of the archive.

    /** Compares the rows of the archive. A database that is away holds up no other finding. */
    private Future<Void> rows() {
        return new ArchiveCheck(redis, shards, archive, pause)
                .run()
                .<Void>map(result -> {
                    report.looked(Report.ARCHIVED, result.rows());
                    for (String found : result.differences()) {
                        report.left(new Difference(Kind.ARCHIVE, 0, 0, 0, 0, found, found));
                    }
                    return null;
                })
                .recover(cause -> {
                    if (cause != Archive.AWAY) {
                        return Future.failedFuture(cause);
                    }
                    report.archiveNotRead("the database does not answer");
                    return Future.succeededFuture();
                });
    }

    // Confirming and repairing.

    private Future<Void> settle() {
        return recheck.settle().compose(settled -> {
            settled.inFlux().forEach(report::inFlux);
            if (!repair) {
                settled.confirmed().forEach(confirmed -> report.left(confirmed.difference()));
                return Future.succeededFuture();
            }
            Map<Place, List<Difference>> places = new LinkedHashMap<>();
            settled.confirmed().forEach(confirmed -> places.computeIfAbsent(confirmed.place(), p -> new ArrayList<>())
                    .add(confirmed.difference()));
            // Lists come before edges: what a list says of a status may decide over an edge.
            List<Difference> inOrder = settled.confirmed().stream()
                    .map(Recheck.Confirmed::difference)
                    .sorted(Comparator.comparing(Difference::kind))
                    .toList();
            return Pages.each(redis, inOrder, this::repair)
                    .compose(done -> Pages.each(
                            redis, List.copyOf(places.entrySet()), place -> judge(place.getKey(), place.getValue())));
        });
    }

    /** One that Redis refuses, since a key has another type, does not keep the others from being repaired. */
    private Future<Void> repair(Difference difference) {
        return repairer.repair(difference)
                .recover(cause -> cause instanceof RedisError error && error.kind() == RedisError.Kind.COMMAND
                        ? Future.succeededFuture()
                        : Future.failedFuture(cause));
    }

    /** A difference that is there no longer after the repairs counts as repaired. */
    private Future<Void> judge(Place place, List<Difference> differences) {
        return look(place).map(findings -> {
            Set<Difference.Identity> there = new HashSet<>();
            findings.differences.forEach(difference -> there.add(difference.identity()));
            for (Difference difference : differences) {
                if (there.contains(difference.identity())) {
                    report.left(difference);
                } else {
                    repaired(difference);
                }
            }
            return null;
        });
    }

    private void repaired(Difference difference) {
        LOG.info("repaired kind={} detail={}", difference.kind().wire(), difference.detail());
        report.repaired(difference);
        watcher.repaired(difference);
    }

    // Sums over shards.

    /**
     * The counter of each shard against the profiles of its accounts. They cannot be read at one instant: a sum counts
     * only if the counter stood still meanwhile, and a difference only if two such sums show it.
     */
    private Future<Void> sums() {
        Map<Integer, Difference> suspected = new HashMap<>();
        Set<Integer> open = new HashSet<>();
        for (int shard = 0; shard < shards.count(); shard++) {
            open.add(shard);
        }
        int[] attempt = {0};
        return Pages.whileTrue(
                        redis, () -> (attempt[0] == 0 ? Future.<Void>succeededFuture() : pause.apply(SUMS_PAUSE_MILLIS))
                                .compose(done -> sum(open, suspected))
                                .map(done -> !open.isEmpty() && ++attempt[0] < SUMS_MAX))
                .compose(done -> {
                    suspected.keySet().stream()
                            .filter(open::contains)
                            .forEach(shard -> report.inFlux(suspected.get(shard)));
                    return Pages.each(
                            redis,
                            suspected.values().stream()
                                    .filter(difference -> !open.contains((int) difference.account()))
                                    .toList(),
                            this::sumDiffers);
                });
    }

    /** Takes shards that are right, or certainly wrong, out of those that are open. */
    private Future<Void> sum(Set<Integer> open, Map<Integer, Difference> suspected) {
        long[] sums = new long[shards.count()];
        return counts().compose(
                        before -> names(page -> add(page.stream().map(Entry::id).toList(), sums))
                                .compose(done -> counts())
                                .map(after -> {
                                    open.removeIf(shard -> {
                                        if (!before.get(shard).equals(after.get(shard))) {
                                            return false;
                                        }
                                        Difference now = wrongSum(shard, sums[shard], after.get(shard));
                                        Difference last = suspected.put(shard, now);
                                        if (sums[shard] == after.get(shard)) {
                                            suspected.remove(shard);
                                            return true;
                                        }
                                        return last != null && last.near() - last.far() == now.near() - now.far();
                                    });
                                    return null;
                                }));
    }

    private static Difference wrongSum(int shard, long sum, long counted) {
        String detail = "shard " + shard + " counts " + counted + " statuses, the profiles of its accounts " + sum;
        return new Difference(Kind.SHARD_COUNTER, shard, 0, sum, counted, "statuses", detail);
    }

    private Future<List<Long>> counts() {
        List<Command> reads = new ArrayList<>();
        for (int shard = 0; shard < shards.count(); shard++) {
            reads.add(Command.of("HGET", Keys.counts(shard), "statuses"));
        }
        return BatchedPipeline.send(redis, reads)
                .map(replies -> replies.stream().map(StatusCheck::number).toList());
    }

    private Future<Void> add(List<Long> ids, long[] sums) {
        List<Command> reads = new ArrayList<>();
        for (long id : ids) {
            reads.add(Command.of("ZCARD", Keys.profile(id)));
            reads.add(Command.of("HGET", Keys.archived(Id.shard(id)), "n" + id));
        }
        return BatchedPipeline.send(redis, reads).map(replies -> {
            for (int i = 0; i < replies.size(); i++) {
                sums[Id.shard(ids.get(i / 2)) % sums.length] += StatusCheck.number(replies.get(i));
            }
            return null;
        });
    }

    private Future<Void> sumDiffers(Difference difference) {
        if (!repair) {
            report.left(difference);
            return Future.succeededFuture();
        }
        return repairer.repair(difference).map(done -> {
            repaired(difference);
            return null;
        });
    }
}
