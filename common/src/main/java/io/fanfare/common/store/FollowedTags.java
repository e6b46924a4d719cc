package io.fanfare.common.store;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Owns {@code followed-tags} keys: the hashtags whose public statuses stand in the homes of those who follow them.
 * Homes read them anew each time, so that a change counts at once; open streams hear of it by an event.
 */
public final class FollowedTags {
    /** Tags that an account may follow: each is a list that every page of its home reads. */
    public static final int MAX = 50;

    private static final Script FOLLOW = Script.load("follow_tag");
    private static final Script UNFOLLOW = Script.load("unfollow_tag");

    private final Redis redis;
    private final Settings settings;

    public FollowedTags(Redis redis, Settings settings) {
        this.redis = redis;
        this.settings = settings;
    }

    /** A tag that is followed; follows have ids, which rise. */
    public record Followed(long id, String tag) {}

    /**
     * Follows a tag; answers the id of the change, 0 when it is followed already. Refuses more than {@link #MAX}
     * ({@code INVALID}), an account that is not active ({@code FORBIDDEN}), and when {@code queue.depth-max} jobs wait
     * already ({@code OVERLOADED}).
     *
     * @param tag folded
     */
    public Future<Long> follow(long account, String tag) {
        int shard = Id.shard(account);
        List<String> keys = List.of(
                Keys.user(account),
                Keys.followedTags(account),
                Keys.ids(shard),
                Keys.queueStats(shard),
                Keys.lane(shard, Lane.HIGH.key()));
        return redis.send(FOLLOW.call(
                        keys,
                        Script.CHECKED_NOW,
                        shard,
                        account,
                        tag,
                        MAX,
                        settings.queue().depthMax()))
                .map(reply -> change(reply.items()));
    }

    private static long change(List<Reply> answer) {
        return switch (answer.get(0).asString()) {
            case "new" -> answer.get(1).asLong();
            case "same" -> 0;
            case "inactive" -> throw new Refusal(Reason.FORBIDDEN, "This account cannot do that.");
            case "full" ->
                throw new Refusal(
                        Reason.INVALID,
                        "Validation failed: You follow " + MAX
                                + " hashtags, which is the most that is allowed: unfollow one first.");
            case "busy" ->
                throw new Refusal(
                        Reason.OVERLOADED, "Too many changes are still on their way: try again in a few seconds.");
            default -> throw new IllegalStateException("follow_tag answered " + answer);
        };
    }

    /** Follows a tag no more; answers the id of the change, 0 when it was not followed. */
    public Future<Long> unfollow(long account, String tag) {
        int shard = Id.shard(account);
        List<String> keys = List.of(
                Keys.followedTags(account), Keys.ids(shard), Keys.queueStats(shard), Keys.lane(shard, Lane.HIGH.key()));
        return redis.sendSafely(UNFOLLOW.call(keys, Script.CHECKED_NOW, shard, account, tag))
                .map(Reply::asLong);
    }

    /** Reads all tags that an account follows; {@link #tags} understands the answer. */
    public static Command read(long account) {
        return Command.of("ZRANGE", Keys.followedTags(account), 0, MAX - 1);
    }

    /** The result of {@link #read}. */
    public static List<String> tags(Reply reply) {
        return reply.items().stream().map(Reply::asString).toList();
    }

    /** All tags that an account follows, the first one first. */
    public Future<List<String>> of(long account) {
        return redis.send(read(account)).map(FollowedTags::tags);
    }

    /** Some of them, newest first. */
    public Future<Page<Followed>> page(long account, PageRequest page) {
        return redis.send(Command.of("ZRANGE", Keys.followedTags(account), 0, MAX - 1, "WITHSCORES"))
                .map(reply -> page(followed(reply.flat()), page));
    }

    private static List<Followed> followed(List<Reply> pairs) {
        List<Followed> tags = new ArrayList<>(pairs.size() / 2);
        for (int i = 0; i < pairs.size(); i += 2) {
            tags.add(new Followed(pairs.get(i + 1).asLong(), pairs.get(i).asString()));
        }
        return tags;
    }

    private static Page<Followed> page(Collection<Followed> all, PageRequest page) {
        List<Followed> between = all.stream()
                .filter(tag -> tag.id() < page.maxId() && tag.id() > page.floor())
                .sorted(Comparator.comparingLong(Followed::id).reversed())
                .toList();
        int from = page.minId() > 0 ? Math.max(0, between.size() - page.limit()) : 0;
        List<Followed> items = between.subList(from, Math.min(between.size(), from + page.limit()));
        long oldest =
                items.isEmpty() ? page.floor() + 1 : items.get(items.size() - 1).id();
        boolean older = all.stream().anyMatch(tag -> tag.id() < oldest);
        return new Page<>(
                items, older ? oldest : 0, items.isEmpty() ? 0 : items.get(0).id());
    }
}
