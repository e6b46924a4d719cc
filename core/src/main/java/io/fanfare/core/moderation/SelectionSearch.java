package io.fanfare.core.moderation;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.text.FoldedText;
import io.fanfare.core.account.SignUpNetworks;
import io.fanfare.core.account.SignUpNetworks.Network;
import io.fanfare.core.account.SignUpNetworks.SignedUp;
import io.fanfare.core.moderation.Selection.Found;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;

/**
 * Looks for the accounts that a moderator wants to select. Each criterion that is given makes a set of accounts, and
 * those in all of the sets are selected, the earliest sign-up first.
 *
 * <p>Everything is bounded: {@link SignUpNetworks#MAX} sign-ups, {@value #EVENTS_MAX} events of the log, and
 * {@link #TIME_MAX}. Sign-ups are those whose network was noted, and the newest accounts of the directory. A text is
 * looked for in the public and unlisted posts of the last 24 hours that the event log still has, in each version of an
 * edited one, as plain text in any case and spacing; content warnings, private posts, direct messages and posts that
 * were deleted are not seen.
 *
 * <p>One use; one event loop.
 */
public final class SelectionSearch {
    /** Events of the log that are looked through for a text, the newest. */
    public static final int EVENTS_MAX = 50_000;

    /** How far back a text is looked for. */
    public static final Duration POSTS_AGE_MAX = Duration.ofHours(24);

    /** After this time a search ends with what it has. */
    static final Duration TIME_MAX = Duration.ofSeconds(3);

    /** Events that are read and searched at once: about 5 ms. */
    private static final int EVENTS_PAGE = 500;

    private final Redis redis;
    private final SignUpNetworks networks;
    private final EventLog events;
    private final InstantSource clock;
    private final long endsMillis;
    private boolean complete = true;
    private long postsSinceMillis;

    public SelectionSearch(Redis redis, SignUpNetworks networks, EventLog events, InstantSource clock) {
        this.redis = redis;
        this.networks = networks;
        this.events = events;
        this.clock = clock;
        this.endsMillis = clock.millis() + TIME_MAX.toMillis();
    }

    /**
     * The wanted accounts: what is given must all hold.
     *
     * @param network of the sign-up; null = any
     * @param networkOf an account whose network of the sign-up it must be; 0 = any
     * @param wide see {@link SignUpNetworks#findLike}
     * @param sinceMillis the earliest sign-up, Unix time; 0 = any
     * @param untilMillis the latest sign-up, Unix time; 0 = any
     * @param text a part of a post of theirs; empty = any
     * @param accounts among which they must be; empty = any
     */
    public record Criteria(
            Network network,
            long networkOf,
            boolean wide,
            long sinceMillis,
            long untilMillis,
            String text,
            Set<Long> accounts) {
        public Criteria {
            text = FoldedText.of(text);
            accounts = Set.copyOf(accounts);
        }

        /** Whether nothing is given. */
        public boolean isEmpty() {
            return network == null
                    && networkOf == 0
                    && sinceMillis == 0
                    && untilMillis == 0
                    && text.isEmpty()
                    && accounts.isEmpty();
        }

        /** For people, and for the log of acts, which keeps no address: of a narrow network only the wide one. */
        public String words() {
            List<String> words = new ArrayList<>();
            if (network != null) {
                words.add("signed up from " + network.words());
            }
            if (networkOf != 0) {
                words.add("signed up from the " + (wide ? "network" : "address") + " of " + networkOf);
            }
            if (sinceMillis != 0) {
                words.add("signed up since " + Instant.ofEpochMilli(sinceMillis));
            }
            if (untilMillis != 0) {
                words.add("signed up until " + Instant.ofEpochMilli(untilMillis));
            }
            if (!accounts.isEmpty()) {
                words.add(accounts.size() + " names");
            }
            if (!text.isEmpty()) {
                words.add("wrote \"" + text + "\"");
            }
            return String.join(", ", words);
        }

        private boolean isOfTime(long millis) {
            return millis >= sinceMillis && (untilMillis == 0 || millis <= untilMillis);
        }
    }

    /**
     * The accounts that were found.
     *
     * @param accounts at most {@link Selection#MAX}, the earliest sign-up first
     */
    public record Result(List<Long> accounts, Found found) {}

    /** Runs the search. */
    public Future<Result> run(Criteria criteria) {
        List<Future<Set<Long>>> sets = new ArrayList<>();
        if (!criteria.accounts().isEmpty()) {
            sets.add(Future.succeededFuture(criteria.accounts()));
        }
        if (criteria.network() != null) {
            sets.add(signUps(criteria, since -> networks.find(criteria.network(), since)));
        }
        if (criteria.networkOf() != 0) {
            sets.add(signUps(criteria, since -> networks.findLike(criteria.networkOf(), criteria.wide(), since)));
        }
        if (!criteria.text().isEmpty()) {
            sets.add(posters(criteria.text()));
        }
        if (sets.isEmpty()) {
            sets.add(signUps(criteria, networks::findAll));
            sets.add(newest());
            return Future.all(sets).map(done -> {
                Set<Long> any = new HashSet<>(sets.get(0).result());
                any.addAll(sets.get(1).result());
                return result(criteria, any);
            });
        }
        return Future.all(sets).map(done -> {
            Set<Long> all = new HashSet<>(sets.get(0).result());
            sets.forEach(set -> all.retainAll(set.result()));
            return result(criteria, all);
        });
    }

    private Result result(Criteria criteria, Set<Long> found) {
        List<Long> accounts = new TreeSet<>(found)
                .stream().filter(id -> criteria.isOfTime(Id.epochMillis(id))).toList();
        boolean more = accounts.size() > Selection.MAX;
        return new Result(
                more ? accounts.subList(0, Selection.MAX) : accounts, new Found(more, complete, postsSinceMillis));
    }

    private boolean isOver() {
        if (clock.millis() > endsMillis) {
            complete = false;
        }
        return !complete;
    }

    private Future<Set<Long>> newest() {
        return redis.send(Command.of("ZRANGE", Keys.NEW_ACCOUNTS, 0, -1))
                .map(reply -> new HashSet<>(Statuses.longs(reply)));
    }

    private Future<Set<Long>> signUps(Criteria criteria, LongFunction<Future<SignUpNetworks.Page>> pages) {
        return signUps(criteria.sinceMillis(), criteria.untilMillis(), pages, new HashSet<>());
    }

    /** A chain of {@link SignUpNetworks#MAX} / 1000 pages, which end in time. */
    private Future<Set<Long>> signUps(
            long since, long until, LongFunction<Future<SignUpNetworks.Page>> pages, Set<Long> found) {
        return pages.apply(since).compose(page -> {
            page.matching().stream().map(SignedUp::account).forEach(found::add);
            // A page whose sign-ups are all of one millisecond leads nowhere.
            complete &= page.next() == 0 || page.next() > since;
            boolean ends = page.next() <= since || (until > 0 && page.next() > until);
            return ends || isOver() ? Future.succeededFuture(found) : signUps(page.next(), until, pages, found);
        });
    }

    private Future<Set<Long>> posters(String text) {
        return events.before(clock.millis() - POSTS_AGE_MAX.toMillis()).compose(day -> events.state()
                .compose(
                        state -> posters(text, Math.max(day, state.tip() - EVENTS_MAX), state.tip(), new HashSet<>())));
    }

    /** A chain of {@value #EVENTS_MAX} / {@value #EVENTS_PAGE} pages, which end in time. */
    private Future<Set<Long>> posters(String text, long after, long tip, Set<Long> found) {
        if (after >= tip) {
            return Future.succeededFuture(found);
        }
        return events.read(after, EVENTS_PAGE).compose(page -> {
            for (LoggedEvent logged : page.events()) {
                if (postsSinceMillis == 0) {
                    postsSinceMillis = logged.appendedAtMillis();
                }
                if (isPost(logged.event()) && has(logged.event(), text)) {
                    found.add(logged.event().actor());
                }
            }
            boolean ends = page.whole() || page.upTo() <= after;
            return ends || isOver() ? Future.succeededFuture(found) : posters(text, page.upTo(), tip, found);
        });
    }

    private static boolean isPost(Event event) {
        return (event.kind() == Event.Kind.STATUS || event.kind() == Event.Kind.EDIT)
                && (event.visibility() == Visibility.PUBLIC || event.visibility() == Visibility.UNLISTED);
    }

    private static boolean has(Event event, String text) {
        try {
            return FoldedText.of(MatchFields.decode(event.match()).text()).contains(text);
        } catch (IllegalArgumentException e) {
            return false; // Of a form that only newer versions know.
        }
    }
}
