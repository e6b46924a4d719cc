package io.fanfare.common.store;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import java.util.List;

/**
 * Owns {@code {names}:index}: every user name in order, for those who know how a name begins. A name is there before
 * its account is active and until it is deleted, so what is found must still be loaded, which leaves out accounts that
 * are not active (yet).
 */
public final class UsernameIndex {
    /** Below every character of a name, so that of all names that begin with it a name itself comes first. */
    private static final char END = ' ';

    private final Redis redis;

    public UsernameIndex(Redis redis) {
        this.redis = redis;
    }

    /** The step of a sign-up that enters the name; harmless when it is there. */
    public static Command add(String username, long id) {
        return Command.of("ZADD", Keys.NAMES, 0, username + END + id);
    }

    /** The step of a deletion that takes the name out; harmless when it is not there. */
    public static Command remove(String username, long id) {
        return Command.of("ZREM", Keys.NAMES, username + END + id);
    }

    /**
     * Accounts whose names begin so, in the order of their names.
     *
     * @param prefix of letters, digits and underscores in lower case, as names are
     * @param offset how many to pass over
     */
    public Future<List<Long>> beginningWith(String prefix, int offset, int limit) {
        return redis.send(Command.of("ZRANGEBYLEX", Keys.NAMES, "[" + prefix, end(prefix), "LIMIT", offset, limit))
                .map(members -> members.items().stream()
                        .map(found -> Entry.of(found.asString()).id())
                        .toList());
    }

    /** The end of the names that begin so: nothing that a name may hold is above '~'. */
    private static String end(String prefix) {
        return "(" + prefix + "~";
    }

    /**
     * A name.
     *
     * @param member as it stands in the index
     */
    public record Entry(String member, long id) {
        /** The entry that stands so in the index. */
        public static Entry of(String member) {
            return new Entry(member, Long.parseLong(member.substring(member.indexOf(END) + 1)));
        }
    }

    /** The next names in their order; empty = from the first on. For who walks through all accounts. */
    public Future<List<Entry>> after(String member, int limit) {
        return after(member, "", limit);
    }

    /** The same of the names that begin so. */
    public Future<List<Entry>> after(String member, String prefix, int limit) {
        return redis.send(Command.of(
                        "ZRANGEBYLEX",
                        Keys.NAMES,
                        member.isEmpty() ? "-" : "(" + member,
                        prefix.isEmpty() ? "+" : end(prefix),
                        "LIMIT",
                        0,
                        limit))
                .map(members -> members.items().stream()
                        .map(found -> Entry.of(found.asString()))
                        .toList());
    }

    /** How many names there are. */
    public Future<Long> count() {
        return redis.send(Command.of("ZCARD", Keys.NAMES)).map(Reply::asLong);
    }
}
