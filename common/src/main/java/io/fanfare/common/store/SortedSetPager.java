package io.fanfare.common.store;

import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * One page of a sorted set of which not everything is shown: goes on until the page is full or the set has ended, so
 * that what is left out neither makes a page short nor ends the paging. Cursors are scores, which are unique: exact
 * whatever comes and goes meanwhile. One use per instance; one event loop.
 *
 * @param <T> what a member is shown as
 */
public final class SortedSetPager<T> {
    /** Most turns of one page; a page that needs more is handed out short, with the cursor to go on from. */
    private static final int TURNS_MAX = 16;

    /**
     * The same of a page that has nothing to show yet, some ten thousand members: clients fail at an empty page that
     * leads on, or take it for the end.
     */
    private static final int EMPTY_TURNS_MAX = 32;

    /**
     * Least members read in a turn, times the number of the turn: many that are left out do not cost a turn for each
     * few.
     */
    private static final int READ_MIN = 20;

    private final Redis redis;
    private final String key;
    private final PageRequest page;
    private final VisibilityCheck<T> visibilityCheck;
    private final boolean up;

    private final List<Found<T>> found = new ArrayList<>();
    private final Promise<Page<T>> answer = Promise.promise();
    private long cursor;
    private boolean ended;
    private int turns;

    /** Says what is shown of some members, by member. */
    @FunctionalInterface
    public interface VisibilityCheck<T> {
        Future<Map<String, T>> shown(List<Member> members);
    }

    public record Member(String name, long score) {
        public long id() {
            return Long.parseLong(name);
        }
    }

    private record Found<T>(T item, long score) {}

    private SortedSetPager(Redis redis, String key, PageRequest page, VisibilityCheck<T> visibilityCheck) {
        this.redis = redis;
        this.key = key;
        this.page = page;
        this.visibilityCheck = visibilityCheck;
        this.up = page.minId() > 0;
        this.cursor = up ? page.minId() : page.maxId();
    }

    /** Highest score first. */
    public static <T> Future<Page<T>> page(
            Redis redis, String key, PageRequest page, VisibilityCheck<T> visibilityCheck) {
        SortedSetPager<T> pager = new SortedSetPager<>(redis, key, page, visibilityCheck);
        pager.turn();
        return pager.answer.future();
    }

    private void turn() {
        if (found.size() >= wanted() || ended || turns++ >= turnsMax()) {
            answer.complete(up ? above() : below());
        } else {
            read().onComplete(done -> turn(), answer::fail);
        }
    }

    private int turnsMax() {
        return found.isEmpty() ? EMPTY_TURNS_MAX : TURNS_MAX;
    }

    /** Downward, one more than asked for tells whether there is more. */
    private int wanted() {
        return up ? page.limit() : page.limit() + 1;
    }

    private Future<Void> read() {
        int count = Math.max(wanted() - found.size(), READ_MIN * turns);
        Command range = up
                ? Command.of(
                        "ZRANGE", key, "(" + cursor, "(" + page.maxId(), "BYSCORE", "LIMIT", 0, count, "WITHSCORES")
                : Command.of(
                        "ZRANGE",
                        key,
                        "(" + cursor,
                        "(" + page.floor(),
                        "BYSCORE",
                        "REV",
                        "LIMIT",
                        0,
                        count,
                        "WITHSCORES");
        return redis.send(range).compose(reply -> sift(members(reply), count));
    }

    /** Reads the reply of a range with scores. */
    static List<Member> members(Reply reply) {
        List<Reply> pairs = reply.flat();
        List<Member> members = new ArrayList<>(pairs.size() / 2);
        for (int i = 0; i < pairs.size(); i += 2) {
            members.add(new Member(pairs.get(i).asString(), pairs.get(i + 1).asLong()));
        }
        return members;
    }

    private Future<Void> sift(List<Member> members, int requested) {
        ended = members.size() < requested;
        if (members.isEmpty()) {
            return Future.succeededFuture();
        }
        cursor = members.get(members.size() - 1).score();
        return visibilityCheck.shown(members).map(shown -> {
            for (Member member : members) {
                T item = shown.get(member.name());
                if (item != null) {
                    found.add(new Found<>(item, member.score()));
                }
            }
            return null;
        });
    }

    private Page<T> below() {
        boolean full = found.size() > page.limit();
        List<Found<T>> shown = found.subList(0, Math.min(found.size(), page.limit()));
        long prev = shown.isEmpty() ? 0 : shown.get(0).score();
        long next = full ? shown.get(shown.size() - 1).score() : cursor;
        if (!full && ended) {
            // Below a lower end that was asked for, older ones are to be expected.
            next = page.floor() == 0 ? 0 : page.floor() + 1;
        }
        return new Page<>(items(shown), next, prev);
    }

    private Page<T> above() {
        List<Found<T>> shown = new ArrayList<>(found.subList(0, Math.min(found.size(), page.limit())));
        Collections.reverse(shown);
        boolean cut = found.size() < page.limit() && !ended;
        long newest = shown.isEmpty() ? 0 : shown.get(0).score();
        return new Page<>(items(shown), page.minId() + 1, cut ? cursor : newest);
    }

    private static <T> List<T> items(List<Found<T>> shown) {
        return shown.stream().map(Found::item).toList();
    }
}
