package io.fanfare.common.store;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Warning;
import io.fanfare.common.model.Warning.Action;
import io.fanfare.common.model.Warning.Appeal;
import io.fanfare.common.settings.Settings;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Owns {@code warnings} keys: the warnings of an account, each with its appeal. A warning has the id of its
 * notification, and both are written in one step. The newest {@value #MAX} are kept.
 *
 * <p>Fields of a {@code warnings:{s}:u} HASH:
 *
 * <dl>
 *   <dt>{@code <id>}
 *   <dd>a warning as JSON: {@code action}, {@code text}, {@code statuses}, {@code same}
 *   <dt>{@code <id>.appeal}
 *   <dd>{@code <state> <made, ms> <text>}
 *   <dt>{@code =<same>}
 *   <dd>the id of the newest warning about the same act, by which a repetition is known
 * </dl>
 */
public final class Warnings {
    /** Warnings that are kept of an account. */
    public static final int MAX = 200;

    /** For how long after a warning it can be appealed. As in Mastodon. */
    public static final Duration APPEAL_LIFE = Duration.ofDays(20);

    /** In this time the same act on an account with the same message is a repetition. */
    static final Duration REPETITION = Duration.ofHours(1);

    private static final String APPEAL_FIELD = ".appeal";

    private static final Script WARN = Script.load("warn");
    private static final Script APPEAL = Script.load("appeal");
    private static final Script DECIDE = Script.load("appeal_decide");

    private final Redis redis;
    private final int notificationsMax;

    public Warnings(Redis redis, Settings settings) {
        this.redis = redis;
        this.notificationsMax = settings.limits().notificationsMax();
    }

    /**
     * Warns an account about an act on it, once within {@link #REPETITION}; the id of the warning and of its
     * notification. Fails with {@link Refusal#unknown} when there is no such account. Also when memory is full.
     *
     * @param statuses posts that the act is about; may be empty
     */
    public Future<Long> add(long account, Action action, String text, List<Long> statuses) {
        List<String> parts = new ArrayList<>(List.of(text));
        statuses.forEach(status -> parts.add(Long.toString(status)));
        return add(
                account, action, text, statuses, action.wire() + " " + Statuses.digest(parts), REPETITION.toMillis());
    }

    /** The same about one of its posts, once until the warning is overturned, with the message of the first time. */
    public Future<Long> addAbout(long account, Action action, String text, long status) {
        return add(account, action, text, List.of(status), about(action, status), /* lifeMillis= */ 0);
    }

    /**
     * Warns an account of an act on a selection of accounts that it belongs to, once.
     *
     * @param selection its number
     */
    public Future<Long> addSelected(long account, Action action, String text, long selection) {
        return add(account, action, text, List.of(), "selection " + selection, /* lifeMillis= */ 0);
    }

    /**
     * Warns an account about one of its posts that waited and is not published, once for each time for which it was
     * scheduled; the text says why.
     *
     * @param waited the id under which the post waited for a moderator or for its time
     * @param dueMillis that time, Unix ms; 0 = it waited for a moderator
     */
    public Future<Long> addUnpublished(long account, String text, long waited, long dueMillis) {
        return add(account, Action.NONE, text, List.of(), "held " + waited + " " + dueMillis, /* lifeMillis= */ 0);
    }

    private static String about(Action action, long status) {
        return action.wire() + " " + status;
    }

    private Future<Long> add(
            long account, Action action, String text, List<Long> statuses, String same, long lifeMillis) {
        int shard = Id.shard(account);
        String warning = new JsonObject()
                .put("action", action.wire())
                .put("text", text)
                .put("statuses", new JsonArray(statuses))
                .put("same", same)
                .encode();
        List<String> keys = List.of(
                Keys.warnings(account),
                Keys.notifications(account),
                Keys.notificationIds(shard),
                Keys.ids(shard),
                Keys.user(account));
        return redis.send(WARN.call(keys, "", shard, account, warning, same, lifeMillis, MAX, notificationsMax))
                .map(reply -> {
                    if (reply.items().get(0).asString().equals("absent")) {
                        throw Refusal.unknown();
                    }
                    return reply.items().get(1).asLong();
                });
    }

    /** Finds the standing warning about an act on a post; empty before the act, and after an approved appeal. */
    public Future<Optional<Warning>> about(long account, Action action, long status) {
        return redis.send(Command.of("HGET", Keys.warnings(account), "=" + about(action, status)))
                .compose(id -> id.isNil() ? Future.succeededFuture(Optional.empty()) : find(account, id.asLong()));
    }

    public Future<Optional<Warning>> find(long account, long id) {
        return load(account, List.of(id)).map(found -> Optional.ofNullable(found.get(id)));
    }

    /** Loads the warnings that are kept among these, by their ids. One command; none for no id. */
    public Future<Map<Long, Warning>> load(long account, Collection<Long> ids) {
        if (ids.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        List<Long> wanted = List.copyOf(ids);
        List<Object> fields = new ArrayList<>();
        for (long id : wanted) {
            fields.add(id);
            fields.add(id + APPEAL_FIELD);
        }
        return redis.send(Command.of("HMGET", Keys.warnings(account), fields.toArray()))
                .map(reply -> {
                    Map<Long, Warning> found = new HashMap<>();
                    for (int i = 0; i < wanted.size(); i++) {
                        String warning = text(reply.items().get(2 * i));
                        if (warning != null) {
                            long id = wanted.get(i);
                            found.put(
                                    id,
                                    warning(
                                            account,
                                            id,
                                            warning,
                                            text(reply.items().get(2 * i + 1))));
                        }
                    }
                    return found;
                });
    }

    private static String text(Reply field) {
        return field.isNil() ? null : field.asString();
    }

    /** The newest first; cursors are ids. */
    public Future<Page<Warning>> page(long account, PageRequest page) {
        return all(account).map(all -> MemoryPager.page(all, Warning::id, page));
    }

    /** All that are kept of an account, the newest first. */
    public Future<List<Warning>> all(long account) {
        return redis.send(Command.of("HGETALL", Keys.warnings(account))).map(reply -> {
            Map<String, String> fields = new HashMap<>();
            List<Reply> flat = reply.items();
            for (int i = 0; i < flat.size(); i += 2) {
                fields.put(flat.get(i).asString(), flat.get(i + 1).asString());
            }
            return fields.keySet().stream()
                    .map(Id::parse)
                    .filter(id -> id > 0)
                    .map(id -> warning(account, id, fields.get(id.toString()), fields.get(id + APPEAL_FIELD)))
                    .sorted(Comparator.comparingLong(Warning::id).reversed())
                    .toList();
        });
    }

    private static Warning warning(long account, long id, String warning, String appealOrNull) {
        JsonObject json = new JsonObject(warning);
        List<Long> statuses = new ArrayList<>();
        json.getJsonArray("statuses").forEach(status -> statuses.add(((Number) status).longValue()));
        return new Warning(
                id,
                account,
                Action.of(json.getString("action")),
                json.getString("text"),
                statuses,
                appealOrNull == null ? null : appeal(appealOrNull));
    }

    private static Appeal appeal(String line) {
        String[] parts = line.split(" ", 3);
        return new Appeal(Appeal.State.valueOf(parts[0].toUpperCase(Locale.ROOT)), Long.parseLong(parts[1]), parts[2]);
    }

    /**
     * Keeps the appeal against a warning, once; the same text again changes nothing. Fails with {@link Refusal#unknown}
     * when there is no such warning, and with {@code Refusal(INVALID)} for another text, and {@link #APPEAL_LIFE} after
     * the warning.
     */
    public Future<Void> appeal(long account, long id, String text) {
        return redis.send(APPEAL.call(List.of(Keys.warnings(account)), "", id, text, APPEAL_LIFE.toMillis()))
                .compose(answer -> switch (answer.asString()) {
                    case "new", "same" -> Future.<Void>succeededFuture();
                    case "other" -> refuse("You have appealed this warning before: each can be appealed once.");
                    case "late" ->
                        refuse("This warning is older than " + APPEAL_LIFE.toDays()
                                + " days: it cannot be appealed any more.");
                    default -> Future.failedFuture(Refusal.unknown());
                });
    }

    /**
     * Decides an appeal, once; the same decision again changes nothing. Fails with {@link Refusal#unknown} when there
     * is no such appeal, and with {@code Refusal(INVALID)} when it was decided otherwise. Also when memory is full.
     */
    public Future<Void> decide(long account, long id, Appeal.State decision) {
        return redis.send(DECIDE.call(List.of(Keys.warnings(account)), id, decision.wire()))
                .compose(answer -> switch (answer.asString()) {
                    case "decided", "same" -> Future.<Void>succeededFuture();
                    case "other" -> refuse("This appeal was decided otherwise before.");
                    default -> Future.failedFuture(Refusal.unknown());
                });
    }

    private static <T> Future<T> refuse(String sentence) {
        return Future.failedFuture(new Refusal(Refusal.Reason.INVALID, sentence));
    }
}
