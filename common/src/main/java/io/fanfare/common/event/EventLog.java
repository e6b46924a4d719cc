package io.fanfare.common.event;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.Settings;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * The one ordered log of events: sequence number, XADD and SPUBLISH in one script, deduplicated by event id; a delete
 * never comes before its status. Confined to its link's event loop.
 */
public final class EventLog {
    /**
     * How long the ids of notifications are remembered, which are most of all events; those of others are for
     * {@code stream.log-age}. Their ids are as old as they are, and not as their subjects: they are sent a moment after
     * they are made, or when their job is tried again.
     */
    public static final Duration NOTIFICATION_RETENTION = Duration.ofHours(6);

    /**
     * The answer of an append that does nothing because the event contains the words of another status that was deleted
     * since they were read: the event must be rendered again.
     */
    public static final long STALE = -1;

    private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();

    private static final Script READ = Script.load("read_log");
    private static final Script LOOK = Script.load("look_log");
    private static final Script MISSING = Script.load("missing_events");
    private static final Script RENEW = Script.load("renew_epoch");
    private static final Script FORGET = Script.load("forget_subjects");

    private static final Script BEFORE = Script.load("log_before");

    private static final List<String> KEYS =
            List.of(Keys.BUS_SEQ, Keys.BUS_EPOCH, Keys.BUS_FLOOR, Keys.BUS_LOG, Keys.BUS_BATCHES);

    private final Redis redis;
    private final RandomGenerator random;
    private final Appender appender;
    private final Duration retention;

    /** @param random makes the names of epochs */
    public EventLog(Redis redis, RandomGenerator random, Settings.Stream settings) {
        this(redis, random, settings, new CompositeMeterRegistry().counter("repeats"));
    }

    /** @param repeats counts what {@link #append} answers with 0 */
    public EventLog(Redis redis, RandomGenerator random, Settings.Stream settings, Counter repeats) {
        this.redis = redis;
        this.random = random;
        this.retention = settings.logAge();
        this.appender = new Appender(redis, this::newEpoch, settings, repeats);
    }

    /**
     * Appends unless it is there already; answers the new event's seq, or 0 when it was there, came after its delete
     * (unfollow, unblock, unmute) or that of the status it is about, or is older than is remembered; or {@link #STALE}.
     * Running it twice is harmless; a delete or unfollow that is repeated after that time gets a second seq. Events
     * come into the log in the order of the calls, but for those that are lost on the way or have to be sent again;
     * those of one turn of the event loop, and those that come while others are on their way, share a call of the
     * script. Fails with a {@code RedisError}, OOM among them: a full Redis takes no events.
     */
    public Future<Long> append(Event event) {
        return append(event, "");
    }

    /** @param now Unix milliseconds; empty = the server's clock */
    Future<Long> append(Event event, String now) {
        if (event.body().indexOf('\n') >= 0 || event.body().indexOf('\r') >= 0) {
            throw new IllegalArgumentException("an event's body is one line: " + event.id());
        }
        return appender.append(event, now);
    }

    /**
     * Which of these are not in the log yet (and still may be appended); one round trip. Lets jobs skip the rendering
     * of what the API has appended.
     */
    public Future<List<EventKey>> missing(List<EventKey> events) {
        return unknown(events).map(Unknown::events);
    }

    /** Events that an epoch does not remember. */
    private record Unknown(String epoch, List<EventKey> events) {}

    private Future<Unknown> unknown(List<EventKey> events) {
        if (events.isEmpty()) {
            return Future.succeededFuture(new Unknown("", List.of()));
        }
        List<String> keys = new ArrayList<>(events.size() + 2);
        List<Object> args = new ArrayList<>(events.size() + 2);
        keys.add(Keys.BUS_EPOCH);
        keys.add(Keys.BUS_SUBJECTS_FROM);
        args.add(retention.toMillis());
        args.add(NOTIFICATION_RETENTION.toMillis());
        args.add("");
        for (EventKey event : events) {
            keys.add(subjectsKey(event.kind() == Event.Kind.NOTIFICATION, event.subject()));
            args.add(event.toString());
        }
        return redis.send(MISSING.call(keys, args.toArray()))
                .map(reply -> new Unknown(
                        reply.items().get(0).asString(),
                        pick(events, reply.items().get(1).items())));
    }

    /**
     * How many subjects the log remembers, some 90 bytes each, of those that were made within the retention before this
     * moment; one round trip. Older ones are remembered only when they are deleted.
     *
     * @param nowMillis Unix time
     */
    public Future<Long> remembered(long nowMillis) {
        return rememberedByHour(nowMillis)
                .map(hours -> hours.values().stream().mapToLong(Long::longValue).sum());
    }

    /** The same by the hour in which they were made, counted from 1970 on, the oldest first. */
    public Future<SortedMap<Long, Long>> rememberedByHour(long nowMillis) {
        long last = nowMillis / HOUR_MILLIS + 1; // Clocks differ a little.
        List<Command> counts = new ArrayList<>();
        List<Long> hours = new ArrayList<>();
        for (long hour = last - retention.toHours() - 2; hour <= last; hour++) {
            hours.add(hour);
            counts.add(Command.of("HLEN", Keys.busSubjects(hour)));
        }
        for (long hour = last - NOTIFICATION_RETENTION.toHours() - 2; hour <= last; hour++) {
            hours.add(hour);
            counts.add(Command.of("HLEN", Keys.busNotified(hour)));
        }
        return redis.pipeline(counts).compose(replies -> {
            SortedMap<Long, Long> sums = new TreeMap<>();
            for (int i = 0; i < hours.size(); i++) {
                if (replies.get(i) instanceof Reply.Failure failure) {
                    return Future.failedFuture(failure.error());
                }
                sums.merge(hours.get(i), replies.get(i).asLong(), Long::sum);
            }
            return Future.succeededFuture(sums);
        });
    }

    /**
     * One step of forgetting the subjects of an hour whose events have left the log: an event of one that is tried
     * again does not come any more, as if it were older than {@code stream.log-age}. What is deleted stays known as
     * such.
     *
     * @param next where the step before ended
     * @param forgotten how many are
     */
    public record Forgotten(String next, long forgotten) {
        /** Begins with an hour. */
        public static final String BEGIN = "0";

        public boolean isWhole() {
            return next.equals(BEGIN);
        }
    }

    /**
     * Forgets some of an hour, see {@link Forgotten}; one round trip.
     *
     * @param cursor {@link Forgotten#BEGIN}, or {@link Forgotten#next} of the step before
     */
    public Future<Forgotten> forget(long hour, boolean notifications, String cursor) {
        String subjects = notifications ? Keys.busNotified(hour) : Keys.busSubjects(hour);
        return redis.send(FORGET.call(
                        List.of(subjects, Keys.BUS_SUBJECTS_FROM, Keys.BUS_FLOOR),
                        cursor,
                        (hour + 1) * HOUR_MILLIS,
                        retention.toMillis()))
                .map(reply -> new Forgotten(
                        reply.items().get(0).asString(), reply.items().get(1).asLong()));
    }

    public Future<LogState> state() {
        return page(0, 0).map(LogPage::state);
    }

    /**
     * Events after {@code afterSeq} in order, and the state of the log: a number missing in the page from the floor on
     * is an event that was taken out because its status was deleted, or one that is {@link LogPage#skipped}. It covers
     * {@code max} numbers (at least 1) if there are as many, and of the rest of the batch that the last of them is in.
     */
    public Future<LogPage> read(long afterSeq, int max) {
        if (max < 1) {
            throw new IllegalArgumentException("max=" + max);
        }
        return page(afterSeq, max);
    }

    /**
     * The seq after which everything was appended at or after a moment; the one before the floor when that is the whole
     * log.
     *
     * @param millis by the Redis server's clock
     */
    public Future<Long> before(long millis) {
        return redis.send(BEFORE.call(KEYS, newEpoch(), millis)).map(Reply::asLong);
    }

    /**
     * Ends an epoch whose numbers were given out twice, unless somebody has done it already; answers the epoch that
     * holds now. The log keeps its events, see {@link LogState#inherited}.
     */
    public Future<String> renewEpoch(String ending) {
        return redis.send(RENEW.call(KEYS, ending, newEpoch())).map(Reply::asString);
    }

    /**
     * Receives every event from now on, on {@link Keys#BUS_CHANNEL} as {@link PublishedEvents} reads it, and of votes
     * on {@link Keys#VOTES_CHANNEL}; see {@link RedisLink#subscribe}.
     *
     * @param own a channel of the listener's own, {@link Keys#busBeat}: messages published there take the same way
     */
    public static RedisLink.Subscription subscribe(RedisLink link, String own, RedisLink.Listener listener) {
        return link.subscribe(
                new RedisLink.Channels(List.of(Keys.BUS_CHANNEL, own), List.of(Keys.VOTES_CHANNEL)),
                Keys.BUS_SEQ,
                listener);
    }

    private Future<LogPage> page(long afterSeq, int max) {
        return redis.send(READ.call(KEYS, newEpoch(), afterSeq, max))
                .recover(cause -> cause instanceof RedisError error && error.isOfReadingMaster()
                        ? redis.send(LOOK.call(KEYS, afterSeq, max))
                        : Future.failedFuture(cause))
                .map(reply -> page(reply.items(), afterSeq, max))
                .compose(page -> withoutDeleted(page, afterSeq, max));
    }

    /**
     * Removes deleted statuses from the page: a notification about one goes, anything else goes without it. If the log
     * has restarted since the page was read, nobody knows any more what had been deleted: the page becomes that of the
     * new log.
     */
    private Future<LogPage> withoutDeleted(LogPage page, long afterSeq, int max) {
        List<EventKey> deletes = page.events().stream()
                .flatMap(logged -> logged.event().embedded().stream())
                .distinct()
                .map(embedded -> new EventKey(Event.Kind.DELETE, embedded))
                .toList();
        if (deletes.isEmpty()) {
            return Future.succeededFuture(page);
        }
        return unknown(deletes)
                .compose(living -> living.epoch().equals(page.state().epoch())
                        ? Future.succeededFuture(without(page, deleted(deletes, living.events())))
                        : page(afterSeq, max));
    }

    private static Set<Long> deleted(List<EventKey> deletes, List<EventKey> notCome) {
        Set<EventKey> come = new HashSet<>(deletes);
        notCome.forEach(come::remove);
        return come.stream().map(EventKey::subject).collect(Collectors.toUnmodifiableSet());
    }

    private static LogPage without(LogPage page, Set<Long> deleted) {
        if (deleted.isEmpty()) {
            return page;
        }
        List<LoggedEvent> events = new ArrayList<>();
        List<LogPage.Skipped> skipped = new ArrayList<>(page.skipped());
        for (LoggedEvent logged : page.events()) {
            if (!deleted.contains(logged.event().subjectStatus())) {
                try {
                    events.add(logged.without(deleted));
                } catch (RuntimeException e) {
                    skipped.add(unreadable(logged.seq(), e));
                }
            }
        }
        return new LogPage(page.state(), events, skipped, page.upTo(), page.whole());
    }

    private static LogPage page(List<Reply> reply, long afterSeq, int max) {
        LogState state = new LogState(
                reply.get(0).asString(),
                reply.get(1).asLong(),
                reply.get(2).asLong(),
                reply.get(4).asLong());
        List<LoggedEvent> events = new ArrayList<>();
        List<LogPage.Skipped> skipped = new ArrayList<>();
        long upTo = afterSeq;
        for (Reply batch : reply.get(3).items()) {
            upTo = addBatch(events, skipped, state.epoch(), afterSeq, batch.items());
        }
        boolean whole = max > 0 && upTo >= state.tip();
        return new LogPage(state, events, skipped, upTo, whole);
    }

    /** Adds what comes after {@code afterSeq}; answers the seq of the last event, added or not. */
    private static long addBatch(
            List<LoggedEvent> events, List<LogPage.Skipped> skipped, String epoch, long afterSeq, List<Reply> batch) {
        long last = batch.get(0).asLong();
        long millis = batch.get(1).asLong();
        int count = (int) batch.get(2).asLong();
        String[] lines = batch.get(3).isNil()
                ? new String[0]
                : EventCodec.lines(batch.get(3).asString());
        if (lines.length != count) {
            // A damaged batch must not end every stream: it is left out.
            skipped.add(new LogPage.Skipped(last, "a batch of " + count + " events has " + lines.length + " lines"));
            return last;
        }
        for (int i = 0; i < count; i++) {
            long seq = last - count + 1 + i;
            if (seq > afterSeq && !lines[i].isEmpty()) {
                try {
                    events.add(new LoggedEvent(epoch, seq, millis, EventCodec.decode(lines[i])));
                } catch (EventCodec.UnknownKind unknown) {
                    skipped.add(new LogPage.Skipped(seq, null));
                } catch (RuntimeException e) {
                    skipped.add(unreadable(seq, e));
                }
            }
        }
        return last;
    }

    /** Messages of ours hold nothing of the event; others may. */
    private static LogPage.Skipped unreadable(long seq, RuntimeException cause) {
        boolean ours = cause.getClass() == IllegalArgumentException.class;
        return new LogPage.Skipped(
                seq, ours ? cause.getMessage() : cause.getClass().getName());
    }

    private static List<EventKey> pick(List<EventKey> events, List<Reply> flags) {
        List<EventKey> missing = new ArrayList<>();
        for (int i = 0; i < flags.size(); i++) {
            if (flags.get(i).asLong() == 1) {
                missing.add(events.get(i));
            }
        }
        return missing;
    }

    /** The hash that remembers this subject. */
    static String subjectsKey(boolean notification, long subject) {
        return notification ? Keys.busNotified(hour(subject)) : Keys.busSubjects(hour(subject));
    }

    /** In which it was made, counted from 1970 on. */
    static long hour(long subject) {
        return Id.epochMillis(subject) / HOUR_MILLIS;
    }

    private String newEpoch() {
        return HexFormat.of().toHexDigits(random.nextInt());
    }
}
