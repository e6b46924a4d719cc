package io.fanfare.common.feed;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.TagHistory;
import io.fanfare.common.model.TagHistory.Day;
import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.redis.Reply;
import io.fanfare.common.redis.Script;
import io.fanfare.common.store.BatchedPipeline;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Owns {@code tag-day} keys and {@code {trends}}: how often each hashtag was used on the last {@value TagHistory#DAYS}
 * days, and which tags many use now. What counts are public statuses, under the day on which they were posted, each
 * once; what is deleted, or edited so that it lacks the tag, counts no more. Of a tag and a day the first
 * {@value #USES_MAX} count. Uses of a suspended account do not count as long as it is suspended.
 *
 * <p>The ranking of a day holds candidates only: what a tag has is read anew for each answer. All of it ends by itself.
 */
public final class TagTrends {
    /** Statuses that are counted of a tag and a day. */
    static final int USES_MAX = 10_000;

    /** Accounts that must have used a tag on one day for it to trend: one alone makes no trend. */
    static final int ACCOUNTS_MIN = 2;

    /** Tags that the ranking of a day keeps, those that most accounts have used. */
    static final int RANKED_MAX = 1000;

    /** Of each of two days, how many tags are looked at more closely. */
    static final int CANDIDATES_MAX = 60;

    /** A day longer than a status counts. */
    private static final long LIFE_SECONDS =
            Duration.ofDays(TagHistory.DAYS + 1L).toSeconds();

    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

    private static final Script USE = Script.load("tag_use");
    private static final Script UNUSE = Script.load("tag_unuse");
    private static final Script HISTORY = Script.load("tag_history");

    private final Redis redis;
    private final InstantSource clock;

    public TagTrends(Redis redis, InstantSource clock) {
        this.redis = redis;
        this.clock = clock;
    }

    /** A tag, folded, and how it was used. */
    public record Trend(String tag, TagHistory history) {}

    /** One status under one of its tags. */
    private record Use(String tag, long status, long author, long day) {}

    /** Counts these statuses, which must be public posts, under each of their tags. Again changes nothing. */
    Future<Void> count(Collection<Status> statuses) {
        List<Use> uses = new ArrayList<>();
        statuses.forEach(
                status -> uses.addAll(uses(status, status.post().content().tags())));
        return change(uses, true);
    }

    /** Counts them no more under the tags that are still known. */
    Future<Void> drop(Collection<Status> statuses) {
        List<Use> uses = new ArrayList<>();
        statuses.forEach(
                status -> uses.addAll(uses(status, status.post().content().tags())));
        return change(uses, false);
    }

    /** Counts one no more under these tags. */
    Future<Void> drop(Status status, Collection<String> tags) {
        return change(uses(status, tags), false);
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
                .compose(replies -> rank(uses, replies, counts).eventually(() -> BatchedPipeline.check(replies)));
    }

    /**
     * Puts tags into the ranking that enough accounts have used, and takes those out that they have not. A place may be
     * that of a moment before, or too high after something was dropped: no answer shows it.
     */
    private Future<Void> rank(List<Use> uses, List<Reply> replies, boolean counts) {
        Map<String, Map<String, Long>> rankings = new HashMap<>();
        for (int i = 0; i < uses.size(); i++) {
            Use use = uses.get(i);
            if (use.day() >= today() - 1 && !(replies.get(i) instanceof Reply.Failure)) {
                long accounts = replies.get(i).asLong();
                if (counts == (accounts >= ACCOUNTS_MIN)) {
                    Map<String, Long> tags =
                            rankings.computeIfAbsent(Keys.trendingTags(use.day()), absent -> new HashMap<>());
                    tags.merge(use.tag(), accounts, Math::max);
                }
            }
        }
        List<Command> commands = new ArrayList<>();
        rankings.forEach((key, tags) -> {
            if (counts) {
                enter(commands, key, tags);
            } else {
                commands.add(Command.of("ZREM", key, tags.keySet().toArray()));
            }
        });
        return BatchedPipeline.sendEach(redis, commands).compose(written -> BatchedPipeline.check(written));
    }

    private static void enter(List<Command> commands, String key, Map<String, Long> tags) {
        List<Object> ranked = new ArrayList<>(2 * tags.size());
        tags.forEach((tag, accounts) -> ranked.addAll(List.of(accounts, tag)));
        commands.add(Command.of("ZADD", key, ranked.toArray()));
        commands.add(Command.of("ZREMRANGEBYRANK", key, 0, -RANKED_MAX - 1));
        commands.add(Command.of("EXPIRE", key, LIFE_SECONDS));
    }

    /** How these tags, which must be folded, were used; one entry for each. Two round trips. */
    public Future<Map<String, TagHistory>> histories(Collection<String> tags) {
        return tags.isEmpty() ? Future.succeededFuture(Map.of()) : suspended().compose(some -> histories(tags, some));
    }

    private Future<Map<String, TagHistory>> histories(Collection<String> tags, Object[] suspended) {
        List<String> wanted = List.copyOf(new LinkedHashSet<>(tags));
        List<Long> days = LongStream.range(0, TagHistory.DAYS)
                .mapToObj(back -> today() - back)
                .toList();
        List<Command> commands = new ArrayList<>(wanted.size());
        for (String tag : wanted) {
            String digest = PublicTimelines.digest(tag);
            commands.add(HISTORY.call(
                    days.stream().map(day -> Keys.tagDay(digest, day)).toList(), suspended));
        }
        return BatchedPipeline.send(redis, commands).map(replies -> {
            Map<String, TagHistory> histories = new HashMap<>(wanted.size() * 2);
            for (int i = 0; i < wanted.size(); i++) {
                histories.put(wanted.get(i), history(days, replies.get(i).items()));
            }
            return histories;
        });
    }

    private static TagHistory history(List<Long> days, List<Reply> counts) {
        List<Day> history = new ArrayList<>(days.size());
        for (int i = 0; i < days.size(); i++) {
            history.add(new Day(
                    days.get(i),
                    counts.get(2 * i).asLong(),
                    counts.get(2 * i + 1).asLong()));
        }
        return new TagHistory(history);
    }

    /** Who was suspended longer ago has posted nothing since that would still count. */
    private Future<Object[]> suspended() {
        long since = clock.millis() - 1000 * LIFE_SECONDS;
        return redis.send(Command.of("ZRANGE", Keys.TREND_SUSPENDED, since, "+inf", "BYSCORE"))
                .map(reply -> reply.items().stream().map(Reply::asString).toArray());
    }

    /**
     * The tags that most accounts have used today and yesterday, at least {@value #ACCOUNTS_MIN} on one of the days;
     * among equal ones those with more uses, then by name. Three round trips, whatever there is.
     */
    public Future<List<Trend>> trending(int offset, int limit) {
        List<Command> commands = new ArrayList<>();
        for (long day : List.of(today(), today() - 1)) {
            commands.add(Command.of("ZRANGE", Keys.trendingTags(day), 0, CANDIDATES_MAX - 1, "REV"));
        }
        return BatchedPipeline.send(redis, commands)
                .compose(replies -> {
                    Set<String> candidates = new LinkedHashSet<>();
                    replies.forEach(reply -> reply.items().forEach(tag -> candidates.add(tag.asString())));
                    return histories(candidates);
                })
                .map(histories -> histories.entrySet().stream()
                        .map(entry -> new Trend(entry.getKey(), entry.getValue()))
                        .filter(TagTrends::isTrending)
                        .sorted(Comparator.comparingLong(TagTrends::accounts)
                                .thenComparingLong(TagTrends::uses)
                                .reversed()
                                .thenComparing(Trend::tag))
                        .skip(offset)
                        .limit(limit)
                        .toList());
    }

    private static boolean isTrending(Trend trend) {
        TagHistory history = trend.history();
        return Math.max(history.today().accounts(), history.yesterday().accounts()) >= ACCOUNTS_MIN;
    }

    private static long accounts(Trend trend) {
        return trend.history().today().accounts() + trend.history().yesterday().accounts();
    }

    private static long uses(Trend trend) {
        return trend.history().today().uses() + trend.history().yesterday().uses();
    }
}
