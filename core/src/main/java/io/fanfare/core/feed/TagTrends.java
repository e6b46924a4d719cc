package io.fanfare.core.feed;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.TagHistory;
import io.fanfare.common.model.TagHistory.Day;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns {@code tag-day} keys and {@code {trends}}: how often each hashtag was used on the last {@value TagHistory#DAYS}
 * days, and which tags many use now. What counts are public statuses, under the day on which they were posted, each
 * once; what is deleted, or edited so that it lacks the tag, counts no more. Of a tag and a day the first
 * {@value #USES_MAX} count. Uses of a suspended account do not count as long as it is suspended.
 *
 * <p>The ranking of a day holds candidates only: the uses of a tag are read for each answer. All of it ends by itself.
 * Confined to one event loop.
 */
public final class TagTrends {
    private static final Logger LOG = LoggerFactory.getLogger(TagTrends.class);

    /** Statuses that are counted of a tag and a day. */
    static final int USES_MAX = 10_000;

    /** Accounts that must have used a tag on one day for it to trend: one alone makes no trend. */
    static final int ACCOUNTS_MIN = 2;

    /** Tags that the ranking of a day keeps, those that most accounts have used. */
    static final int RANKED_MAX = 1000;

    /** How many tags of each of two days are looked at more closely at a time. */
    static final int CANDIDATES_MAX = 60;

    /** For how long a ranking is kept: anybody may ask for it, as often as they like. */
    static final int RANKED_MILLIS = 5000;

    /** A day longer than a status counts. */
    private static final long LIFE_SECONDS =
            Duration.ofDays(TagHistory.DAYS + 1L).toSeconds();

    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

    private static final Script USE = Script.load("tag_use");
    private static final Script UNUSE = Script.load("tag_unuse");
    private static final Script HISTORY = Script.load("tag_history");

    private final Redis redis;
    private final InstantSource clock;
    private final TagNames names;

    /** Null = none yet. */
    private Ranking ranking;

    /** Accounts whose uses did not count at the last reading; never changed in place. */
    private Object[] suspended = {};

    public TagTrends(Redis redis, InstantSource clock, Duration tagLife) {
        this.redis = redis;
        this.clock = clock;
        this.names = new TagNames(redis, tagLife);
    }

    /** A tag, folded, and how it was used. */
    public record Trend(String tag, TagHistory history) {}

    /** One status under one of its tags. */
    private record Use(String tag, long status, long author, long day) {}

    /** Counts these statuses, which must be public posts, under each of their tags. Again changes nothing. */
    Future<Void> count(Collection<Status> statuses) {
        return change(uses(statuses), true);
    }

    /** Counts them no more under the tags that are still known. */
    Future<Void> drop(Collection<Status> statuses) {
        return change(uses(statuses), false);
    }

    /** Counts one no more under these tags. */
    Future<Void> drop(Status status, Collection<String> tags) {
        return change(uses(status, tags), false);
    }

    private static List<Use> uses(Collection<Status> statuses) {
        return statuses.stream()
                .flatMap(status -> uses(status, status.post().content().tags()).stream())
                .toList();
    }

    private static List<Use> uses(Status status, Collection<String> tags) {
        return tags.stream()
                .distinct()
                .map(tag -> new Use(tag, status.id(), status.authorId(), day(Id.epochMillis(status.id()))))
                .toList();
    }

    private static long day(long millis) {
        return Math.floorDiv(millis, DAY_MILLIS);
    }

    private long today() {
        return day(clock.millis());
    }

    private Future<Void> change(List<Use> all, boolean counts) {
        long oldest = today() - TagHistory.DAYS + 1;
        List<Use> uses = all.stream().filter(use -> use.day() >= oldest).toList();
        List<Command> commands = new ArrayList<>(uses.size());
        for (Use use : uses) {
            List<String> keys = List.of(Keys.tagDay(PublicTimelines.digest(use.tag()), use.day()));
            commands.add(
                    counts
                            ? USE.call(keys, use.status(), use.author(), USES_MAX, LIFE_SECONDS)
                            : UNUSE.call(keys, use.status()));
        }
        return BatchedPipeline.sendEach(redis, commands)
                .compose(replies -> counts
                        ? Future.join(enter(uses, replies), names.note(used(uses, replies), today()))
                                .<Void>mapEmpty()
                                .eventually(() -> BatchedPipeline.check(replies))
                        : BatchedPipeline.check(replies));
    }

    /** Names of tags, see {@link TagNames}. */
    TagNames names() {
        return names;
    }

    private static List<TagNames.Used> used(List<Use> uses, List<Reply> replies) {
        List<TagNames.Used> used = new ArrayList<>();
        for (int i = 0; i < uses.size(); i++) {
            if (!(replies.get(i) instanceof Reply.Failure)) {
                Use use = uses.get(i);
                used.add(new TagNames.Used(use.tag(), use.day(), replies.get(i).asLong()));
            }
        }
        return used;
    }

    /**
     * Puts tags into the ranking that enough accounts have used. What is dropped later takes none out: a place may be
     * too high, or that of a moment before, and no answer shows it.
     */
    private Future<Void> enter(List<Use> uses, List<Reply> replies) {
        Map<String, Map<String, Long>> rankings = new HashMap<>();
        for (int i = 0; i < uses.size(); i++) {
            Use use = uses.get(i);
            if (use.day() >= today() - 1 && !(replies.get(i) instanceof Reply.Failure)) {
                long accounts = replies.get(i).asLong();
                if (accounts >= ACCOUNTS_MIN) {
                    Map<String, Long> tags =
                            rankings.computeIfAbsent(Keys.trendingTags(use.day()), absent -> new HashMap<>());
                    tags.merge(use.tag(), accounts, Math::max);
                }
            }
        }
        List<Command> commands = new ArrayList<>();
        rankings.forEach((key, tags) -> enter(commands, key, tags));
        return BatchedPipeline.sendEach(redis, commands).compose(written -> BatchedPipeline.check(written));
    }

    private static void enter(List<Command> commands, String key, Map<String, Long> tags) {
        List<Object> ranked = new ArrayList<>(2 * tags.size());
        tags.forEach((tag, accounts) -> ranked.addAll(List.of(accounts, tag)));
        commands.add(Command.of("ZADD", key, ranked.toArray()));
        commands.add(Command.of("ZREMRANGEBYRANK", key, 0, -RANKED_MAX - 1));
        commands.add(Command.of("EXPIRE", key, LIFE_SECONDS));
    }

    /**
     * How these tags, which must be folded, were used; one entry for each. One round trip, and a second one when other
     * accounts are suspended than the last time. Never fails: what cannot be read is 0, so that nobody has to do
     * without the tags for it.
     */
    public Future<Map<String, TagHistory>> histories(Collection<String> tags) {
        if (tags.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        List<String> wanted = List.copyOf(new LinkedHashSet<>(tags));
        List<Long> days = lastDays(TagHistory.DAYS);
        Object[] assumed = suspended;
        Future<List<Reply>> early = read(wanted, days, assumed);
        Future<Object[]> now = suspended();
        return Future.join(early, now)
                .compose(both -> Arrays.equals(now.result(), assumed) ? early : read(wanted, days, now.result()))
                .onFailure(cause -> LOG.debug("histories of {} hashtags not read", wanted.size(), cause))
                .otherwise(List.of())
                .map(replies -> {
                    Map<String, TagHistory> histories = new HashMap<>(wanted.size() * 2);
                    for (int i = 0; i < wanted.size(); i++) {
                        boolean isRead = i < replies.size() && !(replies.get(i) instanceof Reply.Failure);
                        histories.put(
                                wanted.get(i),
                                new TagHistory(
                                        isRead ? counted(days, replies.get(i).items()) : unused(days)));
                    }
                    return histories;
                });
    }

    /** Today first. */
    private List<Long> lastDays(int count) {
        long today = today();
        return LongStream.range(0, count).mapToObj(back -> today - back).toList();
    }

    /** Uses on some days, of one tag each; {@link #counted} understands the answers, among which errors may be. */
    private Future<List<Reply>> read(List<String> tags, List<Long> days, Object[] suspended) {
        List<Command> commands = new ArrayList<>(tags.size());
        for (String tag : tags) {
            String digest = PublicTimelines.digest(tag);
            commands.add(HISTORY.call(
                    days.stream().map(day -> Keys.tagDay(digest, day)).toList(), suspended));
        }
        return BatchedPipeline.sendEach(redis, commands);
    }

    private static List<Day> counted(List<Long> days, List<Reply> counts) {
        List<Day> counted = new ArrayList<>(days.size());
        for (int i = 0; i < days.size(); i++) {
            counted.add(new Day(
                    days.get(i),
                    counts.get(2 * i).asLong(),
                    counts.get(2 * i + 1).asLong()));
        }
        return counted;
    }

    private static List<Day> unused(List<Long> days) {
        return days.stream().map(day -> new Day(day, 0, 0)).toList();
    }

    /** Accounts suspended lately. One that was suspended longer ago has posted nothing since that would still count. */
    private Future<Object[]> suspended() {
        long since = clock.millis() - 1000 * LIFE_SECONDS;
        return redis.send(Command.of("ZRANGE", Keys.TREND_SUSPENDED, since, "+inf", "BYSCORE"))
                .map(reply -> reply.items().stream().map(Reply::asString).toArray())
                .onSuccess(now -> suspended = now);
    }

    /**
     * The tags that most accounts have used today and yesterday, at least {@value #ACCOUNTS_MIN} on one of the days;
     * among equal ones those with more uses, then by name. Their order may be {@value #RANKED_MILLIS} ms old; their
     * uses are read each time, and a tag that no longer trends by them is left out.
     */
    public Future<List<Trend>> trending(int offset, int limit) {
        return ranked(offset + limit).compose(ranked -> {
            List<String> tags = ranked.stream().skip(offset).limit(limit).toList();
            return histories(tags).map(histories -> tags.stream()
                    .map(tag -> new Trend(tag, histories.get(tag)))
                    .filter(trend -> isTrending(trend.history().days()))
                    .toList());
        });
    }

    /** So many tags at least, if there are as many. */
    private Future<List<String>> ranked(int wanted) {
        long now = clock.millis();
        if (ranking == null || !ranking.holds(wanted, now)) {
            // In steps: whoever asks for one more each time does not have all of them ranked each time.
            int count = (wanted + CANDIDATES_MAX - 1) / CANDIDATES_MAX * CANDIDATES_MAX;
            List<Long> days = lastDays(2);
            Future<List<String>> tags = suspended().compose(suspended -> new Selection(days, suspended, count).from(0));
            ranking = new Ranking(now, count, tags);
        }
        return ranking.tags();
    }

    /**
     * A ranking at a moment.
     *
     * @param wanted how many tags at least, if there were as many
     */
    private record Ranking(long at, int wanted, Future<List<String>> tags) {
        boolean holds(int requested, long now) {
            return requested <= wanted && Math.abs(now - at) < RANKED_MILLIS && !tags.failed();
        }
    }

    /** Looks for tags that trend among the candidates of two days, further down until enough are found. */
    private final class Selection {
        private final List<Long> days;
        private final Object[] suspended;
        private final int wanted;
        private final Set<String> seen = new HashSet<>();
        private final List<Candidate> found = new ArrayList<>();

        Selection(List<Long> days, Object[] suspended, int wanted) {
            this.days = days;
            this.suspended = suspended;
            this.wanted = wanted;
        }

        Future<List<String>> from(int place) {
            List<Command> commands = new ArrayList<>();
            for (long day : days) {
                commands.add(Command.of("ZRANGE", Keys.trendingTags(day), place, place + CANDIDATES_MAX - 1, "REV"));
            }
            return BatchedPipeline.send(redis, commands).compose(replies -> {
                List<String> fresh = new ArrayList<>();
                replies.forEach(reply -> reply.items().stream()
                        .map(Reply::asString)
                        .filter(seen::add)
                        .forEach(fresh::add));
                int next = place + CANDIDATES_MAX;
                boolean isLast = next >= RANKED_MAX
                        || replies.stream().allMatch(reply -> reply.items().size() < CANDIDATES_MAX);
                return take(fresh).compose(taken -> {
                    boolean isDone = isLast || found.size() >= wanted;
                    return isDone ? Future.succeededFuture(sorted()) : from(next);
                });
            });
        }

        private Future<Void> take(List<String> tags) {
            return read(tags, days, suspended).map(replies -> {
                for (int i = 0; i < tags.size(); i++) {
                    if (!(replies.get(i) instanceof Reply.Failure)) {
                        List<Day> used = counted(days, replies.get(i).items());
                        if (isTrending(used)) {
                            found.add(new Candidate(tags.get(i), used));
                        }
                    }
                }
                return null;
            });
        }

        private List<String> sorted() {
            return found.stream()
                    .sorted(Comparator.comparingLong(Candidate::accounts)
                            .thenComparingLong(Candidate::uses)
                            .reversed()
                            .thenComparing(Candidate::tag))
                    .map(Candidate::tag)
                    .toList();
        }
    }

    /** A tag that trends, and how it was used on two days. */
    private record Candidate(String tag, List<Day> days) {
        long accounts() {
            return days.stream().mapToLong(Day::accounts).sum();
        }

        long uses() {
            return days.stream().mapToLong(Day::uses).sum();
        }
    }

    /** Today and yesterday come first. */
    private static boolean isTrending(List<Day> days) {
        return days.subList(0, 2).stream().anyMatch(day -> day.accounts() >= ACCOUNTS_MIN);
    }
}
