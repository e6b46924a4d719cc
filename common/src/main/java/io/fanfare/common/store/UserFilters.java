package io.fanfare.common.store;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.model.UserFilter;
import io.fanfare.common.model.UserFilter.Action;
import io.fanfare.common.model.UserFilter.Context;
import io.fanfare.common.model.UserFilter.Keyword;
import io.fanfare.common.model.UserFilter.OfStatus;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Owns {@code filters} keys: which statuses accounts do not want to see as they are. A filter of another account is as
 * unknown as one that there is not. Each change is one script in one slot.
 */
public class UserFilters {
    /** Keywords, and statuses, that an account may have in all, for each filter that it may have. */
    static final int PARTS_EACH = 5;

    /** Bytes likewise. */
    static final int BYTES_EACH = 1 << 10;

    private static final Script SET = Script.load("filter_set");
    private static final Script ADD_STATUS = Script.load("filter_add_status");
    private static final Script REMOVE = Script.load("filter_remove");

    private static final String VERSION = "version";

    private final Redis redis;
    private final Settings settings;
    private final int filtersMax;

    public UserFilters(Redis redis, Settings settings) {
        this.redis = redis;
        this.settings = settings;
        this.filtersMax = settings.limits().filtersMax();
    }

    /** The kinds of ids. */
    public enum Kind {
        FILTER("f"),
        KEYWORD("k"),
        STATUS("s");

        private final String letter;

        Kind(String letter) {
            this.letter = letter;
        }
    }

    /**
     * A change of a keyword.
     *
     * @param id 0 = a new one
     * @param keyword null = as before
     * @param wholeWord null = as before, of a new one true
     * @param gone whether it is taken away
     */
    public record KeywordChange(long id, String keyword, Boolean wholeWord, boolean gone) {
        /** A new keyword. */
        public static KeywordChange add(String keyword, Boolean wholeWord) {
            return new KeywordChange(0, keyword, wholeWord, /* gone= */ false);
        }
    }

    /**
     * A change of a filter; null = as before.
     *
     * @param action of a new filter {@code WARN}
     * @param expiresAt Unix milliseconds, 0 = never
     * @param alone whether the filter's own fields may change only while it has one keyword
     */
    public record FilterChange(
            String title,
            List<Context> contexts,
            Action action,
            Long expiresAt,
            boolean alone,
            List<KeywordChange> keywords) {
        /** A change of keywords alone. */
        public static FilterChange ofKeyword(KeywordChange keyword) {
            return new FilterChange(null, null, null, null, /* alone= */ false, List.of(keyword));
        }
    }

    /**
     * A filter after a change.
     *
     * @param change id of the change, for its event; 0 = it was like that already
     * @param added id of the first keyword, or of the status, that was added; 0 = none
     */
    public record Changed(UserFilter filter, long change, long added) {}

    /**
     * All filters of an account.
     *
     * @param version changes with them; empty = there are none
     * @param filters the oldest first
     */
    public record All(String version, List<UserFilter> filters) {
        /** The filters of an account without any. */
        public static final All NONE = new All("", List.of());
    }

    /** All of them, as of one instant. */
    public Future<All> of(long owner) {
        return read(redis, owner);
    }

    /** The same for whoever reads and changes nothing. */
    public static Future<All> read(Redis redis, long owner) {
        return redis.send(Command.of("HGETALL", Keys.filters(owner))).map(UserFilters::all);
    }

    /** Their version alone, to be kept while Redis watches it; nil when there are none. */
    public static Command watch(long owner) {
        return Command.tracked("HGET", Keys.filters(owner), VERSION);
    }

    /** Makes a filter; refuses as {@link #change}, and an account that is not active ({@code FORBIDDEN}). */
    public Future<Changed> create(long owner, FilterChange wanted) {
        return set(owner, "", Kind.FILTER, wanted);
    }

    /**
     * Changes a filter of this account. Refuses ({@code NOT_FOUND}) what is none, and a keyword that is none of it;
     * ({@code INVALID}) more than {@code limits.filters-max} filters, or more keywords or bytes than that allows, and a
     * filter that is to be alone and is not; ({@code OVERLOADED}) when {@code queue.depth-max} jobs wait already.
     *
     * @param id of the filter, or of a keyword of it
     * @param kind which of them
     */
    public Future<Changed> change(long owner, long id, Kind kind, FilterChange wanted) {
        return set(owner, Long.toString(id), kind, wanted);
    }

    private Future<Changed> set(long owner, String id, Kind kind, FilterChange wanted) {
        int shard = Id.shard(owner);
        List<String> keys = List.of(
                Keys.user(owner),
                Keys.filters(owner),
                Keys.ids(shard),
                Keys.queueStats(shard),
                Keys.lane(shard, Lane.HIGH.key()));
        List<Object> arguments = new ArrayList<>(List.of(
                Script.CHECKED_NOW,
                shard,
                owner,
                id,
                kind.letter,
                wanted.title() == null ? "" : wanted.title(),
                wanted.contexts() == null ? "" : words(wanted.contexts()),
                wanted.action() == null ? "" : wanted.action().wire(),
                wanted.expiresAt() == null ? "" : wanted.expiresAt(),
                wanted.alone() ? "1" : "0",
                filtersMax,
                PARTS_EACH * filtersMax,
                BYTES_EACH * filtersMax,
                settings.queue().depthMax()));
        for (KeywordChange keyword : wanted.keywords()) {
            arguments.add(keyword.id() == 0 ? "" : keyword.id());
            arguments.add(keyword.keyword() == null ? "" : keyword.keyword());
            arguments.add(whole(keyword));
        }
        return redis.send(SET.call(keys, arguments.toArray())).map(this::changed);
    }

    private static String whole(KeywordChange keyword) {
        if (keyword.gone()) {
            return "-";
        }
        return keyword.wholeWord() == null ? "" : keyword.wholeWord() ? "1" : "0";
    }

    private static String words(List<Context> contexts) {
        return contexts.stream().map(Context::wire).distinct().collect(Collectors.joining(","));
    }

    /**
     * Puts a status under a filter of this account, which the caller has made sure exists. Refuses ({@code NOT_FOUND})
     * what is no such filter; ({@code INVALID}) a status that lies there already, and more statuses or bytes than
     * {@code limits.filters-max} allows; ({@code OVERLOADED}) when {@code queue.depth-max} jobs wait already.
     */
    public Future<Changed> addStatus(long owner, long filter, long status) {
        int shard = Id.shard(owner);
        List<String> keys = List.of(
                Keys.filters(owner), Keys.ids(shard), Keys.queueStats(shard), Keys.lane(shard, Lane.HIGH.key()));
        return redis.send(ADD_STATUS.call(
                        keys,
                        Script.CHECKED_NOW,
                        shard,
                        owner,
                        filter,
                        status,
                        PARTS_EACH * filtersMax,
                        BYTES_EACH * filtersMax,
                        settings.queue().depthMax()))
                .map(this::changed);
    }

    private Changed changed(Reply reply) {
        List<Reply> answer = reply.items();
        String outcome = answer.get(0).asString();
        if (!outcome.equals("set")) {
            throw refusal(outcome);
        }
        long id = answer.get(1).asLong();
        UserFilter filter = all(answer.get(3)).filters().stream()
                .filter(one -> one.id() == id)
                .findFirst()
                .orElseThrow();
        return new Changed(filter, answer.get(2).asLong(), answer.get(4).asLong());
    }

    private RuntimeException refusal(String outcome) {
        return switch (outcome) {
            case "unknown" -> Refusal.unknown();
            case "taken" -> invalid("Validation failed: Status has already been taken");
            case "shared" ->
                invalid("These parameters cannot be changed from this application because they apply to more than one"
                        + " filter keyword. Use a more recent application or the web interface.");
            case "filters" -> full(filtersMax + " filters", "delete one first");
            case "keywords" -> full(PARTS_EACH * filtersMax + " keywords in your filters", "delete some first");
            case "statuses" -> full(PARTS_EACH * filtersMax + " posts in your filters", "take some out first");
            case "bytes" ->
                invalid("Your filters would have more than " + BYTES_EACH / 1024 * filtersMax
                        + " KiB, which is the most that is allowed: delete some keywords first.");
            case "inactive" -> new Refusal(Reason.FORBIDDEN, "This account cannot have filters.");
            case "busy" ->
                new Refusal(Reason.OVERLOADED, "Too many changes are still on their way: try again in a few seconds.");
            default -> new IllegalStateException("the script answered " + outcome);
        };
    }

    private static Refusal full(String what, String remedy) {
        return invalid("You have " + what + ", which is the most that is allowed: " + remedy + ".");
    }

    private static Refusal invalid(String sentence) {
        return new Refusal(Reason.INVALID, sentence);
    }

    /**
     * Removes a filter of this account with all that lies under it, or a keyword or status of one; answers the id of
     * the change. Refuses ({@code NOT_FOUND}) what is none.
     */
    public Future<Long> remove(long owner, long id, Kind kind) {
        int shard = Id.shard(owner);
        List<String> keys = List.of(
                Keys.filters(owner), Keys.ids(shard), Keys.queueStats(shard), Keys.lane(shard, Lane.HIGH.key()));
        return redis.sendSafely(REMOVE.call(keys, Script.CHECKED_NOW, shard, owner, id, kind.letter))
                .map(change -> {
                    if (change.isNil()) {
                        throw Refusal.unknown();
                    }
                    return change.asLong();
                });
    }

    /** Reads the reply of {@code HGETALL}. */
    private static All all(Reply reply) {
        List<Reply> flat = reply.flat();
        String version = "";
        Map<Long, Head> heads = new TreeMap<>();
        Map<Long, String> parts = new TreeMap<>();
        for (int i = 0; i < flat.size(); i += 2) {
            String field = flat.get(i).asString();
            String line = flat.get(i + 1).asString();
            if (field.equals(VERSION)) {
                version = line;
            } else if (line.startsWith(Kind.FILTER.letter)) {
                heads.put(Long.parseLong(field), Head.of(line));
            } else {
                parts.put(Long.parseLong(field), line);
            }
        }
        parts.forEach((id, line) -> {
            String[] words = line.split(" ", 3);
            Optional.ofNullable(heads.get(Long.parseLong(words[1]))).ifPresent(head -> head.add(id, words));
        });
        List<UserFilter> filters = new ArrayList<>(heads.size());
        heads.forEach((id, head) -> filters.add(head.filter(id)));
        return new All(version, filters);
    }

    /** A filter while what lies under it is gathered. */
    private static final class Head {
        private final String[] words;
        private final List<Keyword> keywords = new ArrayList<>();
        private final List<OfStatus> statuses = new ArrayList<>();

        private Head(String[] words) {
            this.words = words;
        }

        static Head of(String line) {
            String[] words = line.split(" ", 5);
            if (words.length < 5) {
                throw new IllegalStateException("no filter");
            }
            return new Head(words);
        }

        void add(long id, String[] part) {
            if (part[0].equals(Kind.STATUS.letter)) {
                statuses.add(new OfStatus(id, Long.parseLong(part[2])));
            } else {
                String[] keyword = part[2].split(" ", 2);
                keywords.add(new Keyword(id, keyword[1], keyword[0].equals("1")));
            }
        }

        UserFilter filter(long id) {
            List<Context> contexts = Arrays.stream(words[2].split(",", -1))
                    .map(Context::of)
                    .filter(context -> context != null)
                    .toList();
            Action action = Optional.ofNullable(Action.of(words[1])).orElse(Action.WARN);
            return new UserFilter(id, words[4], contexts, action, Long.parseLong(words[3]), keywords, statuses);
        }
    }
}
