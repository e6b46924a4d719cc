package io.fanfare.common.store;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.model.UserList;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Owns {@code lists} and {@code listed} keys: the lists of accounts that an account has put together, and who is on
 * them. Nobody else hears of a list; one of another account is as unknown as one that there is not.
 */
public class UserLists {
    private static final Script SET = Script.load("list_set");
    private static final Script ADD = Script.load("list_add");
    private static final Script REMOVE = Script.load("list_remove");
    private static final Script WITH = Script.load("lists_with");
    private static final Script EXCLUSIVE = Script.load("lists_exclusive");
    private static final Script READ = Script.load("list_read");

    /** The start of the account in a member of a {@code listed} key. */
    private static final int ACCOUNT_AT = 17;

    private final Redis redis;
    private final Settings settings;

    public UserLists(Redis redis, Settings settings) {
        this.redis = redis;
        this.settings = settings;
    }

    /**
     * A list and what has been done to it.
     *
     * @param change id of the change, for its event; 0 = its timeline shows what it has shown before
     */
    public record Change(UserList list, long change) {}

    /** All lists of an account, the oldest first. */
    public Future<List<UserList>> of(long owner) {
        return redis.send(Command.of("HGETALL", Keys.lists(owner))).map(UserLists::lists);
    }

    /** The lists that an account is on. */
    public Future<List<UserList>> with(long owner, long account) {
        return redis.send(WITH.call(List.of(Keys.lists(owner), Keys.listed(owner)), account))
                .map(UserLists::lists);
    }

    private static List<UserList> lists(Reply reply) {
        List<Reply> flat = reply.flat();
        List<UserList> lists = new ArrayList<>();
        for (int i = 0; i < flat.size(); i += 2) {
            lists.add(list(flat.get(i).asLong(), flat.get(i + 1).asString()));
        }
        lists.sort(Comparator.comparingLong(UserList::id));
        return lists;
    }

    private static UserList list(long id, String line) {
        String[] words = line.split(" ", 3);
        UserList.Replies replies = UserList.Replies.of(words[0]);
        if (words.length < 3 || replies == null) {
            throw new IllegalStateException("no list: " + id);
        }
        return new UserList(id, words[2], replies, words[1].equals("1"));
    }

    /** A list of this account; refuses ({@code NOT_FOUND}) what is none. */
    public Future<UserList> require(long owner, long id) {
        return redis.send(Command.of("HGET", Keys.lists(owner), id))
                .map(line -> list(id, Optional.ofNullable(line.asString()).orElseThrow(Refusal::unknown)));
    }

    /**
     * Makes a list. Refuses more than {@code limits.lists-max} ({@code INVALID}), and an account that is not active
     * ({@code FORBIDDEN}).
     */
    public Future<UserList> create(long owner, String title, UserList.Replies replies, boolean exclusive) {
        return set(owner, "", title, replies, exclusive).map(Change::list);
    }

    /**
     * Changes a list of this account; null = as before. Refuses ({@code NOT_FOUND}) what is none, and
     * ({@code OVERLOADED}) when {@code queue.depth-max} jobs wait already.
     */
    public Future<Change> change(long owner, long id, String title, UserList.Replies replies, Boolean exclusive) {
        return set(owner, Long.toString(id), title, replies, exclusive);
    }

    private Future<Change> set(long owner, String id, String title, UserList.Replies replies, Boolean exclusive) {
        int shard = Id.shard(owner);
        List<String> keys = List.of(
                Keys.user(owner),
                Keys.lists(owner),
                Keys.ids(shard),
                Keys.queueStats(shard),
                Keys.lane(shard, Lane.HIGH.key()));
        return redis.send(SET.call(
                        keys,
                        Script.CHECKED_NOW,
                        shard,
                        owner,
                        id,
                        replies == null ? "" : replies.wire(),
                        exclusive == null ? "" : exclusive ? "1" : "0",
                        title == null ? "" : title,
                        settings.limits().listsMax(),
                        settings.queue().depthMax()))
                .map(reply -> {
                    List<Reply> answer = reply.items();
                    require(
                            answer.get(0).asString(),
                            "set",
                            "You have " + settings.limits().listsMax()
                                    + " lists, which is the most that is allowed: delete one first.");
                    return new Change(
                            list(answer.get(1).asLong(), answer.get(2).asString()),
                            answer.get(3).asLong());
                });
    }

    /**
     * Puts accounts on a list of this account, all or none; answers the id of the change, 0 when there are none.
     * Refuses ({@code NOT_FOUND}) what is no such list, and an account that the owner neither is nor follows;
     * ({@code INVALID}) one that is on it already, and more than {@code limits.list-accounts-max}; ({@code OVERLOADED})
     * when {@code queue.depth-max} jobs wait already.
     */
    public Future<Long> add(long owner, long id, Collection<Long> accounts) {
        if (accounts.isEmpty()) {
            return require(owner, id).map(0L);
        }
        int shard = Id.shard(owner);
        List<String> keys = List.of(
                Keys.lists(owner),
                Keys.listed(owner),
                Keys.following(owner),
                Keys.ids(shard),
                Keys.queueStats(shard),
                Keys.lane(shard, Lane.HIGH.key()),
                Keys.user(owner));
        List<Object> arguments = new ArrayList<>(List.of(
                Script.CHECKED_NOW,
                shard,
                owner,
                id,
                settings.limits().listAccountsMax(),
                settings.queue().depthMax()));
        accounts.stream().distinct().forEach(arguments::add);
        return redis.send(ADD.call(keys, arguments.toArray())).map(reply -> {
            require(
                    reply.items().get(0).asString(),
                    "added",
                    "A list has at most " + settings.limits().listAccountsMax()
                            + " accounts: take some off it first, or make another list.");
            return reply.items().get(1).asLong();
        });
    }

    private static void require(String answer, String done, String full) {
        if (answer.equals(done)) {
            return;
        }
        throw switch (answer) {
            case "unknown" -> Refusal.unknown();
            case "taken" -> new Refusal(Reason.INVALID, "Validation failed: Account has already been taken");
            case "full" -> new Refusal(Reason.INVALID, full);
            case "inactive" -> new Refusal(Reason.FORBIDDEN, "This account cannot have lists.");
            case "busy" ->
                new Refusal(Reason.OVERLOADED, "Too many changes are still on their way: try again in a few seconds.");
            default -> new IllegalStateException("the script answered " + answer);
        };
    }

    /**
     * Takes accounts off a list of this account; answers the id of the change, 0 when none was on it. Refuses
     * ({@code NOT_FOUND}) what is no such list.
     */
    public Future<Long> remove(long owner, long id, Collection<Long> accounts) {
        return accounts.isEmpty() ? require(owner, id).map(0L) : end(owner, id, accounts);
    }

    /**
     * Removes a list of this account with all that is on it; answers the id of the change, 0 when nothing was on it.
     * Refuses ({@code NOT_FOUND}) what is none.
     */
    public Future<Long> delete(long owner, long id) {
        return end(owner, id, List.of());
    }

    private Future<Long> end(long owner, long id, Collection<Long> accounts) {
        int shard = Id.shard(owner);
        List<String> keys = List.of(
                Keys.lists(owner),
                Keys.listed(owner),
                Keys.ids(shard),
                Keys.queueStats(shard),
                Keys.lane(shard, Lane.HIGH.key()),
                Keys.user(owner));
        List<Object> arguments = new ArrayList<>(List.of(Script.CHECKED_NOW, shard, owner, id));
        arguments.addAll(accounts);
        return redis.sendSafely(REMOVE.call(keys, arguments.toArray())).map(change -> {
            if (change.isNil()) {
                throw Refusal.unknown();
            }
            return change.asLong();
        });
    }

    /**
     * The accounts on a list, by account id, the highest first; cursors are account ids, and so are the edges of the
     * page. Refuses ({@code NOT_FOUND}) an id of no list.
     */
    public Future<Page<Edge>> accounts(long owner, long id, PageRequest page) {
        boolean up = page.minId() > 0;
        String top = page.maxId() > Id.MAX - 1 ? "(" + head(id) + "!" : "(" + member(id, page.maxId());
        String bottom = "(" + member(id, page.floor());
        Command range = up
                ? Command.of("ZRANGE", Keys.listed(owner), bottom, top, "BYLEX", "LIMIT", 0, page.limit())
                : Command.of("ZRANGE", Keys.listed(owner), top, bottom, "BYLEX", "REV", "LIMIT", 0, page.limit() + 1);
        return BatchedPipeline.send(redis, List.of(Command.of("HGET", Keys.lists(owner), id), range))
                .map(replies -> {
                    if (replies.get(0).isNil()) {
                        throw Refusal.unknown();
                    }
                    List<Long> found = new ArrayList<>(replies.get(1).items().stream()
                            .map(member -> Long.parseLong(member.asString().substring(ACCOUNT_AT)))
                            .toList());
                    return up ? above(found, page) : below(found, page);
                });
    }

    private static Page<Edge> above(List<Long> found, PageRequest page) {
        Collections.reverse(found);
        return found.isEmpty()
                ? new Page<>(List.of(), page.minId() + 1, 0)
                : new Page<>(edges(found), found.get(found.size() - 1), found.get(0));
    }

    private static Page<Edge> below(List<Long> found, PageRequest page) {
        boolean more = found.size() > page.limit();
        List<Long> shown = more ? found.subList(0, page.limit()) : found;
        return shown.isEmpty()
                ? new Page<>(List.of(), 0, 0)
                : new Page<>(edges(shown), more ? shown.get(shown.size() - 1) : 0, shown.get(0));
    }

    private static List<Edge> edges(List<Long> accounts) {
        return accounts.stream().map(account -> new Edge(account, account)).toList();
    }

    private static String head(long list) {
        return String.format(Locale.ROOT, "%016d", list);
    }

    private static String member(long list, long account) {
        return head(list) + " " + String.format(Locale.ROOT, "%016d", account);
    }

    /**
     * The state of a list for its stream, as of one instant.
     *
     * @param accounts on the list: followees of its owner, or the owner
     * @param followed all followees of the owner; empty unless the policy of replies is {@code FOLLOWED}
     * @param withoutReposts those of {@code accounts} whose reposts the owner does not want
     * @param languages of the posts that the owner wants of some of {@code accounts}
     * @param foldsReposts whether the owner wants reposts folded
     */
    public record Contents(
            UserList list,
            List<Long> accounts,
            List<Long> followed,
            List<Long> withoutReposts,
            Map<Long, List<String>> languages,
            boolean foldsReposts) {}

    /** All of that; empty when there is no such list of this account. */
    public Future<Optional<Contents>> contents(long owner, long id) {
        return redis.send(read(owner, id, "", "")).map(reply -> {
            List<Reply> parts = reply.items();
            return parts.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Contents(
                            list(id, parts.get(0).asString()),
                            Statuses.longs(parts.get(1)),
                            Statuses.longs(parts.get(3)),
                            Statuses.longs(parts.get(4)),
                            FollowedLanguages.of(parts.get(7).items()),
                            Accounts.foldsReposts(parts.get(8))));
        });
    }

    /**
     * The accounts that the exclusive lists of an account take out of its home, perhaps the account itself, whose own
     * posts stay.
     */
    public Future<List<Long>> leftOut(long owner) {
        return redis.send(EXCLUSIVE.call(List.of(Keys.lists(owner), Keys.listed(owner))))
                .map(Statuses::longs);
    }

    /**
     * How one account stands to the owner of a list, and to the list.
     *
     * @param listed whether it is on the list, and is followed by the owner
     * @param reposts whether the owner wants its reposts
     * @param languages of its posts that the owner wants; empty = all
     */
    public record Standing(boolean listed, boolean followed, boolean reposts, List<String> languages) {
        /** The standing of an account whose posts are wanted in all languages. */
        public Standing(boolean listed, boolean followed, boolean reposts) {
            this(listed, followed, reposts, List.of());
        }
    }

    /** That of another account than the owner. It is on no list that there is not. */
    public Future<Standing> standing(long owner, long id, long account) {
        List<Command> scores = List.of(
                Command.of("ZSCORE", Keys.listed(owner), member(id, account)),
                Command.of("ZSCORE", Keys.following(owner), account),
                Command.of("ZSCORE", Keys.noReposts(owner), account),
                Command.of("HGET", Keys.languages(owner), account));
        return BatchedPipeline.send(redis, scores).map(found -> {
            boolean followed = !found.get(1).isNil();
            return new Standing(
                    followed && !found.get(0).isNil(),
                    followed,
                    found.get(2).isNil(),
                    FollowedLanguages.codes(found.get(3), found.get(1)));
        });
    }

    /**
     * The state of a list for a reader of its timeline, as of one instant.
     *
     * @param version of the following set
     * @param followed nothing is read of it where the caller's version is right: null
     * @param withoutReposts likewise
     * @param leftOut likewise: accounts that exclusive lists take out of the home
     * @param hidden accounts of which the owner is shown nothing, see {@link ViewerRelationshipsReader#held}; empty =
     *     too many to hold
     * @param languages as {@code followed}: see {@link FollowedLanguages#of}
     * @param foldsReposts whether the owner wants reposts folded
     */
    public record Reading(
            UserList list,
            List<Long> accounts,
            String version,
            List<Reply> followed,
            List<Reply> withoutReposts,
            List<Reply> leftOut,
            Optional<Set<Long>> hidden,
            List<Reply> languages,
            boolean foldsReposts) {
        /** The answer to {@link #read}; refuses ({@code NOT_FOUND}) when there is no such list. */
        public static Reading of(long id, Reply reply) {
            List<Reply> parts = reply.items();
            if (parts.isEmpty()) {
                throw Refusal.unknown();
            }
            boolean known = parts.get(3).isNil();
            return new Reading(
                    UserLists.list(id, parts.get(0).asString()),
                    Statuses.longs(parts.get(1)),
                    parts.get(2).asString(),
                    known ? null : parts.get(3).items(),
                    known ? null : parts.get(4).items(),
                    known ? null : parts.get(6).items(),
                    parts.get(5).isNil()
                            ? Optional.of(Set.of())
                            : ViewerRelationshipsReader.held(parts.get(5).items()),
                    known ? null : parts.get(7).items(),
                    Accounts.foldsReposts(parts.get(8)));
        }
    }

    /**
     * Reads a list for its timeline; what it answers goes to {@link Reading#of}.
     *
     * @param version of the following set that is known; empty = none
     */
    public static Command read(long owner, long id, String version) {
        return read(owner, id, version, ViewerRelationshipsReader.HELD_MAX);
    }

    private static Command read(long owner, long id, String version, Object held) {
        return READ.call(
                List.of(
                        Keys.lists(owner),
                        Keys.listed(owner),
                        Keys.user(owner),
                        Keys.following(owner),
                        Keys.noReposts(owner),
                        Keys.blocks(owner),
                        Keys.blockedBy(owner),
                        Keys.mutes(owner),
                        Keys.muteEnds(owner),
                        Keys.languages(owner)),
                id,
                version,
                held,
                owner);
    }
}
