package io.fanfare.api.tag;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Statuses;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Owns {@code featured-tags} keys: the hashtags that accounts show on their profiles. How often an author uses a tag is
 * not kept; it is counted among the newest {@value #COUNTED} entries of the profile.
 */
public final class FeaturedTags {
    /** Tags that an account may feature, as many as in Mastodon. */
    public static final int MAX = 10;

    /** Entries of a profile among which uses of tags are counted. */
    public static final int COUNTED = 200;

    private static final int SUGGESTED_MAX = 10;

    private static final Script FEATURE = Script.load("feature_tag");

    private final Redis redis;
    private final Statuses statuses;

    public FeaturedTags(Redis redis, Statuses statuses) {
        this.redis = redis;
        this.statuses = statuses;
    }

    /** A tag on a profile; {@code id} names it to its owner. */
    public record Featured(long id, String tag) {}

    /**
     * How often an author has used a tag lately, in posts for everybody.
     *
     * @param last id of the newest of these posts; 0 = there is none
     */
    public record Use(int count, long last) {
        public static final Use NONE = new Use(0, 0);

        private Use and(long status) {
            return new Use(count + 1, Math.max(last, status));
        }
    }

    /**
     * Puts a tag on the profile; one that is there stays as it is. Refuses more than {@link #MAX} ({@code INVALID}, in
     * the words of Mastodon) and an account that is not active ({@code FORBIDDEN}).
     *
     * @param tag folded
     */
    public Future<Featured> feature(long account, String tag) {
        int shard = Id.shard(account);
        List<String> keys = List.of(Keys.user(account), Keys.featuredTags(account), Keys.ids(shard));
        return redis.send(FEATURE.call(keys, Script.CHECKED_NOW, shard, tag, MAX))
                .compose(reply -> featured(tag, reply.items()));
    }

    private static Future<Featured> featured(String tag, List<Reply> answer) {
        return switch (answer.get(0).asString()) {
            case "new", "same" ->
                Future.succeededFuture(new Featured(answer.get(1).asLong(), tag));
            case "inactive" -> Future.failedFuture(new Refusal(Reason.FORBIDDEN, "This account cannot do that."));
            case "full" ->
                Future.failedFuture(new Refusal(
                        Reason.INVALID,
                        "Validation failed: You have already featured the maximum number of hashtags: take one of the "
                                + MAX + " off first."));
            default -> throw new IllegalStateException("feature_tag answered " + answer);
        };
    }

    /** Takes the tag of that id off; whether it was there. */
    public Future<Boolean> remove(long account, long id) {
        return redis.sendSafely(Command.of("ZREMRANGEBYSCORE", Keys.featuredTags(account), id, id))
                .map(removed -> removed.asLong() > 0);
    }

    /** Takes a tag off; does nothing when it is not there. */
    public Future<Void> remove(long account, String tag) {
        return redis.sendSafely(Command.of("ZREM", Keys.featuredTags(account), tag))
                .mapEmpty();
    }

    /** The tags on a profile, the first one first. */
    public Future<List<Featured>> of(long account) {
        return redis.send(Command.of("ZRANGE", Keys.featuredTags(account), 0, MAX - 1, "WITHSCORES"))
                .map(reply -> {
                    List<Reply> pairs = reply.flat();
                    List<Featured> tags = new ArrayList<>();
                    for (int i = 0; i < pairs.size(); i += 2) {
                        tags.add(new Featured(
                                pairs.get(i + 1).asLong(), pairs.get(i).asString()));
                    }
                    return tags;
                });
    }

    /** Whether a profile shows this tag. */
    public Future<Boolean> has(long account, String tag) {
        return redis.send(Command.of("ZSCORE", Keys.featuredTags(account), tag)).map(id -> !id.isNil());
    }

    /**
     * The tags that an author has used in the newest {@value #COUNTED} entries of the profile: in posts that are public
     * or unlisted, and no reposts. Two round trips.
     */
    public Future<Map<String, Use>> uses(long author) {
        return redis.send(Statuses.older(author, Id.MAX, COUNTED))
                .map(Statuses::longs)
                .compose(statuses::load)
                .map(posts -> {
                    Map<String, Use> uses = new HashMap<>();
                    posts.values().stream().filter(FeaturedTags::counts).forEach(post -> post.post()
                            .content()
                            .tags()
                            .forEach(tag -> uses.put(
                                    tag, uses.getOrDefault(tag, Use.NONE).and(post.id()))));
                    return uses;
                });
    }

    private static boolean counts(Status status) {
        boolean forAll = status.visibility() == Visibility.PUBLIC || status.visibility() == Visibility.UNLISTED;
        return forAll && status.kind() != Post.Kind.REPOST;
    }

    /** The tags that an author has used most lately and does not feature: ten at most, the most used first. */
    public Future<List<String>> suggestions(long author) {
        Future<List<Featured>> featured = of(author);
        Future<Map<String, Use>> uses = uses(author);
        return Future.all(featured, uses).map(both -> {
            Set<String> taken = new HashSet<>();
            featured.result().forEach(tag -> taken.add(tag.tag()));
            Comparator<Map.Entry<String, Use>> order = Comparator.comparing(
                            (Map.Entry<String, Use> use) -> use.getValue().count())
                    .thenComparing(use -> use.getValue().last())
                    .reversed()
                    .thenComparing(Map.Entry::getKey);
            return uses.result().entrySet().stream()
                    .filter(use -> !taken.contains(use.getKey()))
                    .sorted(order)
                    .limit(SUGGESTED_MAX)
                    .map(Map.Entry::getKey)
                    .toList();
        });
    }
}
