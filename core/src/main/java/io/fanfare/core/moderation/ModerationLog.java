package io.fanfare.core.moderation;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.Act.Via;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Owns {@link Keys#MODERATION_LOG}: the newest acts of moderators and operators, who did what to whom, when and why.
 * Entries are only added; the oldest leave when there are more than the setting {@code log.audit-entries}. An act is
 * logged before it is done, and once more when it fails, so that none is done without its entry.
 */
public final class ModerationLog {
    /** Behind the action of an act that was logged and then failed. */
    static final String FAILED = ".failed";

    private static final Script ADD = Script.load("log_act");

    private static final int PAGE = 500;

    /** Reads per answer. When few entries match, the page is short and {@code next} continues it. */
    private static final int READS_MAX = 10;

    private static final Pattern PLACE = Pattern.compile("\\d{1,15}-\\d{1,15}");

    private final Redis redis;
    private final int max;

    /** @param max {@code log.audit-entries} */
    public ModerationLog(Redis redis, int max) {
        this.redis = redis;
        this.max = max;
    }

    int max() {
        return max;
    }

    /**
     * An act that was logged.
     *
     * @param id its place in the log, ascending with time
     * @param atMillis Unix time
     */
    public record Entry(String id, long atMillis, Act act) {}

    /**
     * Some entries, the newest first.
     *
     * @param next where the next page begins; empty = there is none
     */
    public record Page(List<Entry> entries, String next) {}

    /**
     * The wanted entries.
     *
     * @param by the account that acted; 0 = any
     * @param account the account concerned; 0 = any
     * @param action the beginning of the action; empty = any
     */
    public record Filter(long by, long account, String action) {
        public static final Filter ALL = new Filter(0, 0, "");

        private boolean wants(Act act) {
            return (by == 0 || act.actor().account() == by)
                    && (account == 0 || act.account() == account)
                    && act.action().startsWith(action);
        }
    }

    /** Adds an act, also when memory is full: then it must be possible to suspend an account. */
    public Future<Void> add(Act act) {
        List<Object> arguments = new ArrayList<>(List.of(max));
        arguments.addAll(act.fields());
        return redis.send(ADD.call(List.of(Keys.MODERATION_LOG), arguments.toArray()))
                .mapEmpty();
    }

    /** Logs an act, then does it. Logs a failure too, with which it fails. */
    public <T> Future<T> during(Act act, Supplier<Future<T>> work) {
        return add(act).compose(logged -> work.get())
                .recover(cause -> add(failed(act)).otherwiseEmpty().compose(noted -> Future.failedFuture(cause)));
    }

    private static Act failed(Act act) {
        return new Act(
                act.actor(), act.action() + FAILED, act.account(), act.report(), act.status(), act.detail(), act.why());
    }

    /** Whether a text is the id of an entry by its spelling. */
    public static boolean isPlace(String text) {
        return PLACE.matcher(text).matches();
    }

    /**
     * A page of the log. Reads at most {@value #READS_MAX} times {@value #PAGE} entries, so a page may be short and
     * lead on.
     *
     * @param before the id of the entry above; empty = from the newest
     */
    public Future<Page> page(Filter filter, String before, int limit) {
        return read(filter, before, limit, new ArrayList<>(), READS_MAX);
    }

    private Future<Page> read(Filter filter, String before, int limit, List<Entry> found, int reads) {
        String from = before.isEmpty() ? "+" : "(" + before;
        int count = filter.equals(Filter.ALL) ? Math.min(PAGE, limit - found.size()) : PAGE;
        return redis.send(Command.of("XREVRANGE", Keys.MODERATION_LOG, from, "-", "COUNT", count))
                .compose(reply -> {
                    List<Reply> raw = reply.items();
                    String last = before;
                    for (Reply one : raw) {
                        Entry entry = entry(one.items());
                        last = entry.id();
                        if (filter.wants(entry.act())) {
                            found.add(entry);
                        }
                        if (found.size() == limit) {
                            return Future.succeededFuture(new Page(found, last));
                        }
                    }
                    if (raw.size() < count) {
                        return Future.succeededFuture(new Page(found, ""));
                    }
                    return reads == 1
                            ? Future.succeededFuture(new Page(found, last))
                            : read(filter, last, limit, found, reads - 1);
                });
    }

    private static Entry entry(List<Reply> entry) {
        String id = entry.get(0).asString();
        Map<String, String> fields = new HashMap<>();
        List<Reply> flat = entry.get(1).items();
        for (int i = 0; i < flat.size(); i += 2) {
            fields.put(flat.get(i).asString(), flat.get(i + 1).asString());
        }
        Actor actor = new Actor(Via.of(fields.get("via")), number(fields, "by"), fields.getOrDefault("name", ""));
        Act act = new Act(
                actor,
                fields.get("action"),
                number(fields, "account"),
                number(fields, "report"),
                number(fields, "status"),
                fields.getOrDefault("detail", ""),
                fields.getOrDefault("why", ""));
        return new Entry(id, Long.parseLong(id.substring(0, id.indexOf('-'))), act);
    }

    private static long number(Map<String, String> fields, String name) {
        return Long.parseLong(fields.getOrDefault(name, "0"));
    }
}
