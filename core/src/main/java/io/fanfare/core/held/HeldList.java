package io.fanfare.core.held;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.SortedSetPager;
import io.fanfare.common.store.SortedSetPager.Member;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Owns {@link Keys#HELD_LIST}: the posts of all accounts that moderators find, without those of suspended accounts. A
 * hint in a slot of its own: the keys of the author decide, and a page drops what does not wait. Confined to the event
 * loop of its stores.
 */
final class HeldList {
    /** Posts of accounts in good standing that end a {@link #sweep}. */
    private static final int SWEEP = 40;

    private final Redis redis;
    private final Accounts accounts;
    private final HeldStatuses posts;

    /** The sweep that runs; null = none. */
    private Future<Void> sweep;

    /** The next sweep begins below this id. */
    private long sweptTo = Id.MAX;

    HeldList(Redis redis, Accounts accounts, HeldStatuses posts) {
        this.redis = redis;
        this.accounts = accounts;
        this.posts = posts;
    }

    Future<Void> add(long author, long id) {
        return redis.send(Command.of("ZADD", Keys.HELD_LIST, id, member(author, id)))
                .mapEmpty();
    }

    Future<Void> remove(long author, long id) {
        return redis.send(Command.of("ZREM", Keys.HELD_LIST, member(author, id)))
                .mapEmpty();
    }

    static Future<Long> count(Redis redis) {
        return redis.send(Command.of("ZCARD", Keys.HELD_LIST)).map(Reply::asLong);
    }

    /** The author of a post that is listed. */
    Future<Optional<Long>> author(long id) {
        return redis.send(Command.of("ZRANGE", Keys.HELD_LIST, id, id, "BYSCORE"))
                .map(members -> members.items().stream()
                        .findFirst()
                        .map(Reply::asString)
                        .map(HeldList::author));
    }

    private static String member(long author, long id) {
        return author + " " + id;
    }

    private static long author(String member) {
        return Id.parse(member.substring(0, member.indexOf(' ')));
    }

    /** See {@link HeldStatuses#page}. */
    Future<Page<HeldStatus>> page(PageRequest request) {
        return SortedSetPager.page(redis, Keys.HELD_LIST, request, this::shown);
    }

    /**
     * Removes posts of suspended accounts from a part of the list, the next time from the next part: one part at a
     * time, however many posts find the list full.
     */
    Future<Void> sweep() {
        if (sweep != null) {
            return sweep;
        }
        Future<Void> begun = page(PageRequest.olderThan(sweptTo, SWEEP)).map(page -> {
            sweptTo = page.next() == 0 ? Id.MAX : page.next();
            return null;
        });
        sweep = begun;
        return begun.onComplete(done -> sweep = null);
    }

    private Future<Map<String, HeldStatus>> shown(List<Member> members) {
        Map<Long, List<Long>> byAuthor = members.stream()
                .collect(Collectors.groupingBy(
                        member -> author(member.name()), Collectors.mapping(Member::score, Collectors.toList())));
        List<Future<List<HeldStatus>>> reads = new ArrayList<>();
        byAuthor.forEach((author, ids) -> reads.add(posts.load(author, ids)));
        return Future.all(reads)
                .compose(done -> accounts.inspect(byAuthor.keySet()))
                .compose(people -> {
                    Map<String, HeldStatus> shown = new HashMap<>();
                    Set<String> gone = members.stream().map(Member::name).collect(Collectors.toSet());
                    List<Future<Void>> aside = new ArrayList<>();
                    for (Future<List<HeldStatus>> read : reads) {
                        for (HeldStatus held : read.result()) {
                            if (isShown(people.get(held.author()))) {
                                gone.remove(member(held.author(), held.id()));
                                shown.put(member(held.author(), held.id()), held);
                            } else {
                                aside.add(posts.lookLater(held));
                            }
                        }
                    }
                    return gone.isEmpty()
                            ? Future.succeededFuture(shown)
                            : Future.all(aside)
                                    .compose(done -> redis.send(Command.of("ZREM", Keys.HELD_LIST, gone.toArray())))
                                    .otherwiseEmpty()
                                    .map(shown);
                });
    }

    /** Whether posts of this account are listed. */
    Future<Boolean> shows(long author) {
        return accounts.inspect(List.of(author)).map(people -> isShown(people.get(author)));
    }

    private static boolean isShown(Accounts.Inspected authorOrNull) {
        return authorOrNull != null && authorOrNull.suspendedAt() == 0 && authorOrNull.deletedAt() == 0;
    }
}
