package io.fanfare.core.feed;

import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Edge;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.IdRange;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.redis.ClockGuard;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the {@code home} keys and their layout: a LIST whose head is {@code f<floor>/<count>} (complete above the floor)
 * or {@code b<floor>:<token>} (being built), with {@code @<generation>} behind it after a failover and
 * {@code ~<pulled>} once posts of pulled authors have come in, up to that id; then ids as they came, newest at the
 * tail; the first {@code count} are sorted, which lets readers of the newest page read the tail alone. Readers sort,
 * drop duplicates and ignore ids at or below the floor. The key exists while its reader is active. Nothing outside this
 * class, {@link HomeReading}, {@code HomeAudit} and the {@code home} scripts (with {@code post} and {@code delete}, for
 * the author's own home) knows this.
 *
 * <p>The protocol is in docs/feeds.md: in whatever order its steps run, and whichever process crashes between them,
 * what {@link Timelines} shows is right.
 */
public class Homes {
    private static final Logger LOG = LoggerFactory.getLogger(Homes.class);

    /** How far the clocks of two masters may be apart: each may differ by that of {@link ClockGuard} from a process. */
    public static final Duration CLOCKS_APART = ClockGuard.DIFFERENCE_MAX.multipliedBy(2);

    /** Homes that one script takes an id out of: it holds up Redis for a tenth of a millisecond, at worst for one. */
    private static final int TAKE_OUT_MAX = 16;

    /** Ids that a home over its limit takes before a push asks for its trim again. */
    public static final int TRIM_AGAIN = 32;

    private final Redis redis;
    private final Scripts scripts;
    private final Settings.Feeds settings;
    private final Duration clocksApart;
    private final Counter repeats;

    /** The scripts that change a home. Tests put broken ones in their place, to see that they notice. */
    record Scripts(
            Script create,
            Script merge,
            Script trim,
            Script sort,
            Script backfill,
            Script clean,
            Script takeOut,
            Script read,
            Script pull,
            Script raise) {
        static final Scripts STANDARD = new Scripts(
                Script.load("home_create"),
                Script.load("home_merge"),
                Script.load("home_trim"),
                Script.load("home_sort"),
                Script.load("home_backfill"),
                Script.load("home_clean"),
                Script.load("home_take_out"),
                Script.load("home_read"),
                Script.load("home_pull"),
                Script.load("home_raise"));
    }

    public Homes(Redis redis, Settings.Feeds settings) {
        this(redis, settings, Scripts.STANDARD, CLOCKS_APART);
    }

    /** @param repeats counts ids that trims and sorts have left out, since the home had them */
    public Homes(Redis redis, Settings.Feeds settings, Counter repeats) {
        this(redis, settings, Scripts.STANDARD, CLOCKS_APART, repeats);
    }

    Homes(Redis redis, Settings.Feeds settings, Scripts scripts, Duration clocksApart) {
        this(redis, settings, scripts, clocksApart, new CompositeMeterRegistry().counter("repeats"));
    }

    private Homes(Redis redis, Settings.Feeds settings, Scripts scripts, Duration clocksApart, Counter repeats) {
        this.repeats = repeats;
        this.clocksApart = clocksApart;
        this.redis = redis;
        this.settings = settings;
        this.scripts = scripts;
    }

    /** One delivery: these ids into the home of this reader. */
    public record Delivery(long reader, List<Long> ids) {}

    /**
     * Pushes onto those homes that exist, pipelined per node, and trims the ones that have grown over their limit.
     * Answers the readers whose homes could not be reached, since Redis was away there; fails with the first failure
     * when that is all of them. A home that is no list is dropped, and is rebuilt when it is read. The same call again
     * is harmless.
     */
    public Future<Set<Long>> push(List<Delivery> deliveries) {
        List<Command> pushes = new ArrayList<>(deliveries.size());
        for (Delivery delivery : deliveries) {
            pushes.add(Command.of(
                    "RPUSHX", Keys.home(delivery.reader()), delivery.ids().toArray()));
        }
        return BatchedPipeline.sendEach(redis, pushes)
                .compose(lengths -> Future.join(trim(deliveries, lengths), drop(broken(deliveries, lengths)))
                        .compose(done -> missed(i -> deliveries.get(i).reader(), lengths)));
    }

    /** The readers whose homes were not reached. A home that was not trimmed is trimmed with one of the next pushes. */
    private static Future<Set<Long>> missed(IntToLongFunction readers, List<Reply> replies) {
        Set<Long> missed = new HashSet<>();
        RedisError first = null;
        for (int i = 0; i < replies.size(); i++) {
            RedisError error = errorOf(replies.get(i));
            if (error != null && !isBroken(error)) {
                if (!error.passing()) {
                    return Future.failedFuture(error);
                }
                first = first == null ? error : first;
                missed.add(readers.applyAsLong(i));
            }
        }
        return first != null && missed.size() == replies.size()
                ? Future.failedFuture(first)
                : Future.succeededFuture(missed);
    }

    private static Set<Long> broken(List<Delivery> deliveries, List<Reply> replies) {
        Set<Long> broken = new HashSet<>();
        for (int i = 0; i < replies.size(); i++) {
            if (isBroken(errorOf(replies.get(i)))) {
                broken.add(deliveries.get(i).reader());
            }
        }
        return broken;
    }

    private static RedisError errorOf(Reply reply) {
        return reply instanceof Reply.Failure failure ? failure.error() : null;
    }

    /** Whether the key of a home holds something else. */
    private static boolean isBroken(RedisError errorOrNull) {
        return errorOrNull != null && errorOrNull.isWrongType();
    }

    /** Drops these homes. One that cannot be dropped now is met again by the next delivery. */
    private Future<Void> drop(Set<Long> readers) {
        List<Command> drops = new ArrayList<>();
        for (long reader : readers) {
            LOG.error("home is not a list and is dropped, the next read rebuilds it account={}", reader);
            drops.add(Command.of("DEL", Keys.home(reader)));
        }
        return BatchedPipeline.sendEach(redis, drops).mapEmpty();
    }

    private Future<List<Reply>> trim(List<Delivery> deliveries, List<Reply> lengths) {
        List<Command> trims = new ArrayList<>();
        for (int i = 0; i < lengths.size(); i++) {
            if (!(lengths.get(i) instanceof Reply.Failure)
                    && isToBeTrimmed(
                            lengths.get(i).asLong(), deliveries.get(i).ids().size())) {
                String home = Keys.home(deliveries.get(i).reader());
                trims.add(scripts.trim().call(List.of(home), settings.homeMax(), settings.homeSlack()));
            }
        }
        return BatchedPipeline.sendEach(redis, trims).onSuccess(replies -> replies.forEach(this::countRepeats));
    }

    /**
     * Whether a push that led to this length is to trim the home: one that took it over its limit. Of further ones that
     * arrive before the trim does, or after a trim was lost, only one in {@link #TRIM_AGAIN} ids asks again.
     */
    private boolean isToBeTrimmed(long length, int pushed) {
        long over = length - settings.homeMax() - settings.homeSlack() - 1; // The head is an element too.
        return over > 0 && (over <= pushed || over / TRIM_AGAIN > (over - pushed) / TRIM_AGAIN);
    }

    private void countRepeats(Reply reply) {
        if (reply.isFailure()) {
            LOG.debug("home not trimmed cause={}", errorOf(reply).getMessage());
        } else {
            repeats.increment((double) reply.asLong());
        }
    }

    /** One id to be taken out of the home of this reader. */
    public record Removal(long reader, long id) {}

    /**
     * Takes ids out of homes; only saves space, since reads filter. Any number of them in one call, which keeps what is
     * on the way bounded; a script takes one id out of many homes of a shard. Homes that fail do not keep the others
     * from being cleaned; the future then fails with the first failure, unless the homes were no lists and have been
     * dropped. Running it twice is harmless.
     */
    public Future<Void> takeOut(List<Removal> removals) {
        Map<ShardId, List<Long>> readers = new LinkedHashMap<>();
        removals.forEach(removal -> readers.computeIfAbsent(
                        new ShardId(Id.shard(removal.reader()), removal.id()), first -> new ArrayList<>())
                .add(removal.reader()));
        List<List<Long>> groups = new ArrayList<>();
        List<Command> commands = new ArrayList<>();
        readers.forEach((of, all) -> {
            for (int from = 0; from < all.size(); from += TAKE_OUT_MAX) {
                List<Long> group = all.subList(from, Math.min(all.size(), from + TAKE_OUT_MAX));
                groups.add(group);
                commands.add(
                        scripts.takeOut().call(group.stream().map(Keys::home).toList(), of.id()));
            }
        });
        return BatchedPipeline.sendEach(redis, commands).compose(replies -> {
            Set<Long> broken = new HashSet<>();
            for (int i = 0; i < replies.size(); i++) {
                if (!(replies.get(i) instanceof Reply.Failure)) {
                    for (Reply place : replies.get(i).items()) {
                        broken.add(groups.get(i).get((int) place.asLong() - 1));
                    }
                }
            }
            return drop(broken).compose(dropped -> BatchedPipeline.check(replies));
        });
    }

    /** An id that is to be taken out of homes of one shard. */
    private record ShardId(int shard, long id) {}

    /**
     * docs/feeds.md, section 6, step 4 of a follow: merges ids into the home if it exists and the reader still follows
     * by this edge; raises the floor to {@code bound}.
     */
    public Future<Void> backfill(long reader, long author, long edge, List<Long> ids, long bound) {
        return backfill(reader, List.of(new Edge(author, edge)), ids, bound).mapEmpty();
    }

    /**
     * The same of several authors, with one rewrite of the home. False, and nothing is done, when the reader does not
     * follow all of them by these edges.
     */
    public Future<Boolean> backfillAll(long reader, List<Edge> followees, IdRange posts) {
        IdRange newest = posts.newest(settings.homeMax());
        return backfill(reader, followees, newest.ids(), newest.bound());
    }

    private Future<Boolean> backfill(long reader, List<Edge> followees, List<Long> ids, long bound) {
        List<Object> args = new ArrayList<>(List.of(bound, settings.homeMax(), followees.size()));
        for (Edge followee : followees) {
            args.add(followee.accountId());
            args.add(followee.edgeId());
        }
        args.addAll(ids);
        return redis.send(scripts.backfill().call(List.of(Keys.home(reader), Keys.following(reader)), args.toArray()))
                .map(reply -> reply.asLong() >= 0);
    }

    /**
     * docs/feeds.md, section 6, step 3 of an unfollow: takes these ids of an author out if the reader still does not
     * follow the author.
     */
    public Future<Void> clean(long reader, long author, List<Long> ids) {
        return cleanAll(reader, List.of(author), ids).mapEmpty();
    }

    /**
     * The same of several authors, with one rewrite of the home. False, and nothing is done, when the reader follows
     * one of them.
     */
    public Future<Boolean> cleanAll(long reader, List<Long> authors, Collection<Long> ids) {
        List<Object> args = new ArrayList<>(List.of(settings.homeMax(), authors.size()));
        args.addAll(authors);
        args.addAll(ids);
        return redis.send(scripts.clean().call(List.of(Keys.home(reader), Keys.following(reader)), args.toArray()))
                .map(reply -> reply.asLong() >= 0);
    }

    /**
     * The newest posts of these authors together, as many as a home holds: complete above the bound of the answer.
     * Reads about that many ids, and a few of each author.
     *
     * @param above no further down than this id
     */
    public Future<IdRange> newest(Statuses statuses, List<Long> authors, long above) {
        return new NewestPosts(redis, statuses, authors, above, Id.MAX, settings.homeMax())
                .read()
                .map(IdRange::merged);
    }

    /**
     * The home as it is stored, for verification: ids sorted descending without repeats, or null when it does not exist
     * or is being built.
     */
    public Future<List<Long>> raw(long reader) {
        return stored(reader).map(home -> home.map(IdRange::ids).orElse(null));
    }

    /** The same with the floor above which it is complete; empty when it does not exist or is being built. */
    public Future<Optional<IdRange>> stored(long reader) {
        return redis.send(read(reader)).map(Homes::complete);
    }

    /** How many of these readers have a home: the others have not read for long. */
    public Future<Long> existing(List<Long> readers) {
        List<Command> questions = readers.stream()
                .map(reader -> Command.of("EXISTS", Keys.home(reader)))
                .toList();
        return BatchedPipeline.send(redis, questions)
                .map(replies -> replies.stream().mapToLong(Reply::asLong).sum());
    }

    /**
     * Which of these readers' homes do not hold the id, or do not exist; for verification and measurements, looks from
     * the newest entry on.
     */
    public Future<List<Long>> lacking(List<Long> readers, long id) {
        List<Command> searches = new ArrayList<>(readers.size());
        for (long reader : readers) {
            searches.add(Command.of("LPOS", Keys.home(reader), id, "RANK", -1));
        }
        return BatchedPipeline.send(redis, searches).map(positions -> {
            List<Long> lacking = new ArrayList<>();
            for (int i = 0; i < positions.size(); i++) {
                if (positions.get(i).isNil()) {
                    lacking.add(readers.get(i));
                }
            }
            return lacking;
        });
    }

    /** How many homes were ever built or rebuilt, by whichever process. */
    public Future<Long> built(Shards shards) {
        return sum(shards, shard -> Command.of("GET", Keys.homesBuilt(shard)));
    }

    /** How many authors readers pull, or may pull soon. */
    public Future<Long> pulledAuthors(Shards shards) {
        return sum(shards, shard -> Command.of("ZCARD", Keys.pulledAuthors(shard)));
    }

    private Future<Long> sum(Shards shards, IntFunction<Command> read) {
        List<Command> reads = new ArrayList<>(shards.count());
        for (int shard = 0; shard < shards.count(); shard++) {
            reads.add(read.apply(shard));
        }
        return BatchedPipeline.send(redis, reads).map(counts -> {
            long sum = 0;
            for (Reply count : counts) {
                sum += count.isNil() ? 0 : count.asLong();
            }
            return sum;
        });
    }

    /**
     * Reads the newest entries of a home and its reader's policy; {@link HomeReading} understands the answer.
     *
     * @param entries how many entries of those that are sorted
     * @param version of the following set that is known already, empty = none; if it is outdated, the answer is nothing
     *     else ({@link #isOfOtherVersion})
     * @param timed whether to read the time
     * @param above when the home has nothing above this id, the answer is a {@link NothingNew}; 0 = never
     */
    Command read(long reader, int entries, String version, boolean timed, long above) {
        List<String> keys = new ArrayList<>(List.of(
                Keys.home(reader),
                Keys.user(reader),
                Keys.blocks(reader),
                Keys.blockedBy(reader),
                Keys.mutes(reader),
                Keys.muteEnds(reader),
                Keys.followedTags(reader),
                Keys.homeGeneration(Id.shard(reader))));
        if (version.isEmpty()) {
            keys.addAll(List.of(
                    Keys.following(reader),
                    Keys.noReposts(reader),
                    Keys.lists(reader),
                    Keys.listed(reader),
                    Keys.languages(reader)));
        }
        return scripts.read().call(keys, entries, version, ViewerRelationshipsReader.HELD_MAX, timed ? 1 : 0, above);
    }

    /** Whether the answer is only that the version of the following set that the caller has named is outdated. */
    static boolean isOfOtherVersion(Reply reply) {
        return reply.items().size() == 1;
    }

    /**
     * The answer to a poll of a home without news.
     *
     * @param secondsLeft until the home goes
     * @param unsorted how many entries have come since the home was last sorted
     */
    record NothingNew(long secondsLeft, int unsorted) {
        private static final int PARTS = 2;

        static Optional<NothingNew> of(Reply reply) {
            List<Reply> parts = reply.items();
            return parts.size() == PARTS
                    ? Optional.of(new NothingNew(
                            parts.get(0).asLong(), (int) parts.get(1).asLong()))
                    : Optional.empty();
        }
    }

    /** Reads a whole home; {@link #complete} understands the answer. */
    public static Command read(long reader) {
        return Command.of("LRANGE", Keys.home(reader), 0, -1);
    }

    /** The ids and the floor of a complete home; empty if the home is absent or being built. */
    public static Optional<IdRange> complete(Reply reply) {
        List<Reply> elements = reply.items();
        if (elements.isEmpty() || elements.get(0).asString().charAt(0) != 'f') {
            return Optional.empty();
        }
        long floor = Head.of(elements.get(0).asString()).floor();
        return Optional.of(new IdRange(newestFirst(elements.subList(1, elements.size()), floor), floor));
    }

    /**
     * The first element of a complete home.
     *
     * @param count how many entries are sorted
     * @param pulled 0 = none
     */
    record Head(long floor, int count, long pulled) {
        static Head of(String text) {
            return new Head(number(text, 0), (int) number(text, text.indexOf('/')), number(text, text.indexOf('~')));
        }

        /** The digits after a mark; 0 without the mark. */
        private static long number(String text, int mark) {
            int end = mark + 1;
            while (end < text.length() && Character.isDigit(text.charAt(end))) {
                end++;
            }
            return mark < 0 ? 0 : Long.parseLong(text, mark + 1, end, 10);
        }
    }

    /** The entries above the floor, without repeats. */
    static List<Long> newestFirst(List<Reply> entries, long floor) {
        long[] sorted = new long[entries.size()];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = entries.get(i).asLong();
        }
        Arrays.sort(sorted); // Nearly in order already, which costs this sort next to nothing.
        List<Long> ids = new ArrayList<>(sorted.length);
        for (int i = sorted.length - 1; i >= 0 && sorted[i] > floor; i--) {
            if (i == sorted.length - 1 || sorted[i] != sorted[i + 1]) {
                ids.add(sorted[i]);
            }
        }
        return ids;
    }

    /**
     * Gives a home its full time to live again once an eighth of it has passed. Not at each read: with an append-only
     * file that is synced always, a write would make every read wait for the disk.
     */
    Future<Void> renew(long reader, long secondsLeft) {
        long full = inactiveSeconds();
        if (secondsLeft < 0 || secondsLeft > full - full / 8) {
            return Future.succeededFuture();
        }
        return redis.send(Command.of("EXPIRE", Keys.home(reader), full)).mapEmpty();
    }

    /**
     * Sorts a home when more has been pushed onto it than a reader of its newest page should have to read. A sort costs
     * what has been pushed and is a write, so a fifth of the slack is left alone.
     */
    public Future<Void> sort(long reader, int unsorted) {
        int most = Math.max(1, settings.homeSlack() / 5);
        if (unsorted <= most) {
            return Future.succeededFuture();
        }
        return redis.send(scripts.sort().call(List.of(Keys.home(reader)), most))
                .onSuccess(this::countRepeats)
                .mapEmpty();
    }

    /**
     * docs/feeds.md, section 5, step 1: the token to merge with, this one or that of a rebuild under way; empty when
     * the home is complete.
     *
     * @param pulls whether any author is known to be pulled: the home then notes that it holds theirs as well
     */
    Future<Optional<String>> create(long reader, String token, boolean pulls) {
        return create(reader, token, "", pulls);
    }

    /** The same of a home that is complete above this floor, and too short; empty when it is another home by now. */
    Future<Optional<String>> recreate(long reader, String token, long floor, boolean pulls) {
        return create(reader, token, Long.toString(floor), pulls);
    }

    private Future<Optional<String>> create(long reader, String token, String floor, boolean pulls) {
        int shard = Id.shard(reader);
        List<String> keys = List.of(Keys.home(reader), Keys.homesBuilt(shard), Keys.homeGeneration(shard));
        Object margin = pulls ? clocksApart.toMillis() : "";
        return redis.send(scripts.create().call(keys, token, inactiveSeconds(), floor, margin))
                .map(Reply::asString)
                .map(Optional::ofNullable);
    }

    /**
     * docs/feeds.md, section 5, step 3: adds what a rebuild has read to the home, and marks it complete above the bound
     * if the mark is still {@code token}.
     */
    Future<Void> merge(long reader, String token, IdRange read) {
        IdRange newest = read.newest(settings.homeMax());
        List<Object> args = new ArrayList<>(List.of(token, newest.bound(), settings.homeMax()));
        args.addAll(newest.ids());
        return redis.send(scripts.merge().call(List.of(Keys.home(reader)), args.toArray()))
                .mapEmpty();
    }

    /**
     * docs/feeds.md, section 4: puts what a read has pulled into the home, unless that is being built or holds less of
     * pulled authors than the read went by.
     *
     * @param from up to which id it held their posts; 0 = not known to hold any
     * @param readAt when the reading began, by the clock of the home's master: what comes later has an id above that of
     *     {@link #CLOCKS_APART} before
     * @param held ids that need not be added
     */
    Future<Void> pull(long reader, long from, long readAt, IdRange read, Collection<Long> held) {
        IdRange newest = read.newest(settings.homeMax());
        long to = Id.of(Math.max(readAt - clocksApart.toMillis(), Id.EPOCH_MILLIS + 1), 0, 0) - 1;
        List<Object> args = new ArrayList<>(List.of(
                Script.CHECKED_NOW,
                from,
                Math.max(from, to),
                newest.bound(),
                settings.homeMax(),
                settings.homeSlack()));
        List<Long> ids = newest.ids();
        for (int i = ids.size() - 1; i >= 0; i--) {
            if (!held.contains(ids.get(i))) {
                args.add(ids.get(i));
            }
        }
        return redis.send(scripts.pull().call(List.of(Keys.home(reader)), args.toArray()))
                .mapEmpty();
    }

    /**
     * Delivers what an author has posted while readers pulled to some of the followers, and raises the floors of their
     * homes where that is not all of it. Answers whose homes could not be reached, as {@link #push}. Running it twice
     * is harmless.
     */
    public Future<Set<Long>> catchUp(List<Long> readers, IdRange pulled) {
        List<Long> ids = new ArrayList<>(pulled.ids());
        Collections.reverse(ids);
        List<Delivery> deliveries = ids.isEmpty()
                ? List.of()
                : readers.stream().map(reader -> new Delivery(reader, ids)).toList();
        List<Command> raises = new ArrayList<>();
        if (pulled.bound() > 0) {
            for (long reader : readers) {
                raises.add(scripts.raise().call(List.of(Keys.home(reader)), pulled.bound()));
            }
        }
        return BatchedPipeline.sendEach(redis, raises)
                .compose(raised -> missed(readers::get, raised))
                .compose(missed -> push(deliveries).map(more -> {
                    Set<Long> all = new HashSet<>(missed);
                    all.addAll(more);
                    return all;
                }));
    }

    private long inactiveSeconds() {
        return Duration.ofDays(settings.inactiveDays()).toSeconds();
    }
}
