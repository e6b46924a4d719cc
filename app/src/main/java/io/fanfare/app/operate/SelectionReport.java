package io.fanfare.app.operate;

import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Shards;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Warning.Action;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Meta;
import io.fanfare.core.account.SignUpNetworks;
import io.fanfare.core.account.SignUpNetworks.Network;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.moderation.Selection;
import io.fanfare.core.moderation.Selection.SelectionAct;
import io.fanfare.core.moderation.SelectionSearch;
import io.fanfare.core.moderation.SelectionSearch.Criteria;
import io.fanfare.core.moderation.Selections;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.redis.RedisLink;
import io.fanfare.server.http.ClientAddress;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Selections of many accounts for an operator, who makes them, acts on them and undoes that. For a link's event loop.
 */
public final class SelectionReport {
    /** Accounts of a selection that are shown, the first. */
    public static final int SHOWN = 20;

    /** Names among which a selection can be made. */
    public static final int NAMES_MAX = 500;

    private static final int TEXT_CHARS_MIN = 3;
    private static final Pattern LENGTH = Pattern.compile("(\\d{1,5})([mhd])");
    private static final Map<String, Duration> UNITS =
            Map.of("m", Duration.ofMinutes(1), "h", Duration.ofHours(1), "d", Duration.ofDays(1));

    private final RedisLink redis;
    private final Settings settings;
    private final SecureRandom random;
    private final InstantSource clock;
    private final Accounts accounts;
    private final Selections selections;
    private final JobQueue queue;

    public SelectionReport(
            RedisLink redis, Shards shards, Settings settings, SecureRandom random, InstantSource clock) {
        this.redis = redis;
        this.settings = settings;
        this.random = random;
        this.clock = clock;
        this.accounts = new Accounts(redis, shards, random);
        this.selections =
                new Selections(redis, new ModerationLog(redis, settings.log().auditEntries()));
        this.queue = new JobQueue(redis, shards, settings.queue());
    }

    /** The acts, by the words of {@code admin accounts}. */
    public enum Kind {
        LIMIT(Action.SILENCE),
        SENSITIVE(Action.SENSITIVE),
        SUSPEND(Action.SUSPEND);

        private final Action action;

        Kind(Action action) {
            this.action = action;
        }

        private static String of(Action action) {
            return Stream.of(values())
                    .filter(kind -> kind.action == action)
                    .findFirst()
                    .map(kind -> kind.name().toLowerCase(Locale.ROOT))
                    .orElseGet(action::wire);
        }
    }

    /**
     * The criteria as an operator writes them; an account must meet all that are given.
     *
     * @param names accounts by name or id; empty = any
     * @param from a network of sign-ups; empty = any
     * @param like an account by name or id, whose network of the sign-up it must be; empty = any
     * @param wide see {@link SignUpNetworks#findLike}
     * @param since see {@link #millis}; empty = any
     * @param until likewise
     * @param text a part of a post; empty = any
     */
    public record Wanted(
            List<String> names, String from, String like, boolean wide, String since, String until, String text) {
        /** Throws a {@link Refusal} with a sentence for criteria that cannot be read. */
        public Wanted {
            names = List.copyOf(names);
            if (names.size() > NAMES_MAX) {
                throw malformed("Give at most " + NAMES_MAX + " names.");
            }
            if (!from.isEmpty() && SelectionReport.network(from) == null) {
                throw malformed(
                        "signed-up-from must be an address or a network: IPv4 from /16 to /32, IPv6 from /40 to /64.");
            }
            requireMoment("since", since);
            requireMoment("until", until);
            Criteria alone = new Criteria(null, 0, false, 0, 0, text, Set.of());
            boolean none = Stream.of(from, like, since, until, text).allMatch(String::isEmpty) && names.isEmpty();
            if (none || (!text.isEmpty() && alone.text().length() < TEXT_CHARS_MIN)) {
                throw malformed(
                        "Give names or another criterion; a text needs " + TEXT_CHARS_MIN + " characters or more.");
            }
        }

        private static void requireMoment(String name, String text) {
            if (!text.isEmpty() && SelectionReport.millis(text, InstantSource.fixed(Instant.EPOCH)) < 0) {
                throw malformed(name + " must be a moment such as 2026-01-02T03:04:05Z, or a time such as 90m, 24h or"
                        + " 7d.");
            }
        }
    }

    private static Refusal malformed(String sentence) {
        return new Refusal(Refusal.Reason.MALFORMED, sentence);
    }

    /** The network that a text names; null = none that can be looked for. */
    public static Network network(String text) {
        return ClientAddress.CidrBlock.of(text)
                .map(block -> new Network(block.digits(), block.bits()))
                .filter(network -> network.bits() >= network.bitsMin())
                .orElse(null);
    }

    /**
     * A moment, or so long ago as {@code 90m}, {@code 24h} or {@code 7d}, epoch ms; -1 = the text is neither. At least
     * 1, since criteria have 0 for no bound.
     */
    public static long millis(String text, InstantSource clock) {
        Matcher length = LENGTH.matcher(text);
        if (length.matches()) {
            Duration unit = UNITS.get(length.group(2));
            return Math.max(1, clock.millis() - unit.toMillis() * Long.parseLong(length.group(1)));
        }
        try {
            return Math.max(1, Instant.parse(text).toEpochMilli());
        } catch (DateTimeParseException | ArithmeticException e) { // The latter for a year that ms cannot have.
            return -1;
        }
    }

    /** Makes a selection and changes nothing, for programs: as {@link #show}. */
    public Future<JsonObject> make(Wanted wanted) {
        return criteria(wanted)
                .compose(criteria -> search(criteria)
                        .compose(found -> selections.add(0, criteria.words(), found.accounts(), found.found())))
                .compose(this::show);
    }

    private Future<Criteria> criteria(Wanted wanted) {
        List<Future<Long>> named = wanted.names().stream()
                .map(name -> AccountReport.id(accounts, name))
                .toList();
        Future<Long> like =
                wanted.like().isEmpty() ? Future.succeededFuture(0L) : AccountReport.id(accounts, wanted.like());
        return Future.all(Stream.concat(named.stream(), Stream.of(like)).toList())
                .map(all -> {
                    Set<Long> ids = new HashSet<>();
                    named.forEach(one -> ids.add(one.result()));
                    return new Criteria(
                            wanted.from().isEmpty() ? null : network(wanted.from()),
                            like.result(),
                            wanted.wide(),
                            wanted.since().isEmpty() ? 0 : millis(wanted.since(), clock),
                            wanted.until().isEmpty() ? 0 : millis(wanted.until(), clock),
                            wanted.text(),
                            ids);
                });
    }

    private Future<SelectionSearch.Result> search(Criteria criteria) {
        Future<SignUpNetworks> networks = criteria.network() == null
                ? Future.succeededFuture(SignUpNetworks.withoutKeys(redis))
                : new Meta(redis, random)
                        .signingKeys(settings.auth())
                        .map(keys ->
                                new SignUpNetworks(redis, keys, settings.auth().signUpAddressDays()));
        return networks.recover(cause -> cause instanceof IllegalStateException
                        ? Future.failedFuture(new Refusal(Refusal.Reason.INVALID, cause.getMessage()))
                        : Future.failedFuture(cause))
                .compose(found -> new SelectionSearch(
                                redis, found, new EventLog(redis, random, settings.stream()), clock)
                        .run(criteria));
    }

    /** One with its first accounts and the act on it, for programs. Fails with a {@link Refusal} for no selection. */
    public Future<JsonObject> show(long number) {
        return selections.find(number).compose(found -> {
            if (found.isEmpty()) {
                throw new Refusal(Refusal.Reason.NOT_FOUND, "There is no selection " + number + ".");
            }
            return shown(List.of(found.get())).map(all -> all.getJsonObject(0));
        });
    }

    /**
     * The newest selections, for programs: {@code selections}, and {@code next}, the cursor of the next page, where
     * there are more.
     *
     * @param before a number, exclusive
     */
    public Future<JsonObject> page(long before, int max) {
        return selections.list().compose(all -> {
            List<Selection> older =
                    all.stream().filter(one -> one.number() < before).toList();
            List<Selection> page = older.subList(0, Math.min(max, older.size()));
            long next = page.size() == older.size() ? 0 : page.get(max - 1).number();
            return shown(page).map(found -> ReportPage.of("selections", found, next));
        });
    }

    private Future<JsonArray> shown(List<Selection> page) {
        List<Future<List<Long>>> first =
                page.stream().map(one -> selections.first(one.number(), SHOWN)).toList();
        return (first.isEmpty() ? Future.succeededFuture() : Future.all(first))
                .compose(read -> accounts.load(first.stream()
                                .flatMap(ids -> ids.result().stream())
                                .distinct()
                                .toList())
                        .map(people -> {
                            JsonArray all = new JsonArray();
                            for (int i = 0; i < page.size(); i++) {
                                all.add(json(page.get(i), first.get(i).result(), people));
                            }
                            return all;
                        }));
    }

    /** Begins an act on a selection, for programs: as {@link #show}. See {@link Selections#act}. */
    public Future<JsonObject> act(Actor by, long number, Kind kind, String text, String why) {
        return selections.act(number, kind.action, by, text, why, queue).compose(begun -> show(number));
    }

    /** Begins the undo of the act on a selection, for programs: as {@link #show}. See {@link Selections#undo}. */
    public Future<JsonObject> undo(Actor by, long number, String why) {
        return selections.undo(number, by, why, queue).compose(begun -> show(number));
    }

    private static JsonObject json(Selection selection, List<Long> first, Map<Long, Account> people) {
        List<String> shown = first.stream()
                .map(id -> id
                        + (people.containsKey(id)
                                ? " @" + Terminal.printable(people.get(id).username())
                                : ""))
                .toList();
        JsonObject json = new JsonObject()
                .put("number", selection.number())
                .put("created_at", Terminal.time(selection.madeMillis()))
                .put("criteria", selection.criteria())
                .put("count", selection.count())
                .put("more", selection.found().more())
                .put("complete", selection.found().complete())
                .put("accounts", new JsonArray(shown));
        return selection.act() == null ? json.putNull("act") : json.put("act", json(selection.act()));
    }

    private static JsonObject json(SelectionAct act) {
        return new JsonObject()
                .put("kind", Kind.of(act.action()))
                .put("undo", act.undo())
                .put("undo_until", Terminal.time(act.undoUntilMillis()))
                .put("phase", act.phase().name().toLowerCase(Locale.ROOT))
                .put("settled", act.settled())
                .put("changed", act.changed())
                .put("gone", act.gone())
                .put("skipped", act.skipped())
                .put("restored", act.restored());
    }
}
