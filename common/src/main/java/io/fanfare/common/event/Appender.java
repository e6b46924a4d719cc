package io.fanfare.common.event;

import io.fanfare.common.event.AppendScript.ArgName;
import io.fanfare.common.event.AppendScript.KeyName;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.Settings;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.Reply;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * Sends events to the log, many with one call: those of one turn of the event loop, and those that come while a call is
 * on its way. A full call does not wait for others: as many events leave as come, however long Redis takes. They come
 * into the log in the order in which they were given, unless a call is lost or has to be sent again. Lives on the event
 * loop of its link; {@link #append} may be called from anywhere.
 */
final class Appender {
    /** The script asks for all subjects of an hour with one command, and must not keep Redis from others for long. */
    private static final int EVENTS_MAX = 64;

    private static final Command.Named CHANNEL = new Command.Named(Keys.BUS_CHANNEL);

    /**
     * How many lie in the log together: each batch costs a little, and taking an event out writes all of its batch
     * again.
     */
    private static final int BATCH_EVENTS = 8;

    /** The most characters of one call; a longer event has one of its own. */
    private static final int CHARS_MAX = 256 << 10;

    /** Events without an answer. */
    private static final int WAITING_MAX = 4096;

    private static final int NAMED_KEYS = KeyName.values().length;

    private final Redis redis;
    private final Supplier<String> newEpoch;
    private final Settings.Stream bounds;
    private final Counter repeats;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private boolean due;
    /** Events that were sent and not answered yet. */
    private int onTheWay;

    Appender(Redis redis, Supplier<String> newEpoch, Settings.Stream bounds, Counter repeats) {
        this.repeats = repeats;
        this.redis = redis;
        this.newEpoch = newEpoch;
        this.bounds = bounds;
    }

    private record Waiting(Event event, String now, Promise<Long> seq) {}

    /** See {@link EventLog#append}. Fails as SATURATED when {@value #WAITING_MAX} events wait already. */
    Future<Long> append(Event event, String now) {
        Promise<Long> seq = Promise.promise();
        Waiting last = new Waiting(event, now, seq);
        redis.afterTurn(() -> add(last));
        return seq.future();
    }

    private void add(Waiting last) {
        if (waiting.size() + onTheWay >= WAITING_MAX) {
            last.seq()
                    .fail(new RedisError(RedisError.Kind.SATURATED, WAITING_MAX + " events wait for the log already"));
            return;
        }
        waiting.add(last);
        if (!due && maySend()) {
            due = true;
            redis.afterTurn(this::send);
        }
    }

    private boolean maySend() {
        return onTheWay == 0 ? !waiting.isEmpty() : waiting.size() >= EVENTS_MAX;
    }

    private void send() {
        due = false;
        while (maySend()) {
            send(next());
        }
    }

    private void send(List<Waiting> events) {
        onTheWay += events.size();
        redis.send(new Call().of(events)).onComplete(reply -> answer(events, reply), cause -> {
            onTheWay -= events.size();
            events.forEach(each -> each.seq().fail(cause));
            send();
        });
    }

    private void answer(List<Waiting> events, Reply reply) {
        onTheWay -= events.size();
        List<Long> seqs = AppendScript.seqs(reply);
        for (int i = 0; i < events.size(); i++) {
            if (seqs.get(i) == 0) {
                repeats.increment();
            }
            events.get(i).seq().complete(seqs.get(i));
        }
        send();
    }

    /** The events of the next call, all of it by the same clock; at least one event. */
    private List<Waiting> next() {
        List<Waiting> events = new ArrayList<>();
        int chars = 0;
        Waiting each = waiting.peek();
        while (each != null && events.size() < EVENTS_MAX && (events.isEmpty() || fits(each, events.get(0), chars))) {
            events.add(waiting.remove());
            chars += EventCodec.charsMax(each.event());
            each = waiting.peek();
        }
        return events;
    }

    private static int chars(List<Waiting> events) {
        return events.stream()
                .mapToInt(each -> EventCodec.charsMax(each.event()))
                .sum();
    }

    private static boolean fits(Waiting next, Waiting first, int chars) {
        return chars + EventCodec.charsMax(next.event()) <= CHARS_MAX
                && next.now().equals(first.now());
    }

    /** A call of the script as it is put together. */
    private final class Call {
        private final List<String> hashes = new ArrayList<>();
        private final StringBuilder kinds = new StringBuilder();
        private final List<Object> lines = new ArrayList<>();
        private final List<Long> subjects = new ArrayList<>();
        private final List<Object> names = new ArrayList<>();
        private final StringBuilder shownBy = new StringBuilder();
        private final List<Long> shown = new ArrayList<>();
        private final List<Object> runs = new ArrayList<>();

        Command of(List<Waiting> events) {
            for (int from = 0; from < events.size(); from += BATCH_EVENTS) {
                lines.add(batch(events.subList(from, Math.min(from + BATCH_EVENTS, events.size()))));
            }
            divide(subjects, at -> kinds.charAt(at) == Event.Kind.NOTIFICATION.letter());
            divide(shown, at -> false);
            List<Object> more = new ArrayList<>(runs);
            more.addAll(lines);
            more.addAll(names);
            more.addAll(shown);
            return AppendScript.APPEND
                    .call()
                    .key(KeyName.SEQ, Keys.BUS_SEQ)
                    .key(KeyName.EPOCH, Keys.BUS_EPOCH)
                    .key(KeyName.FLOOR, Keys.BUS_FLOOR)
                    .key(KeyName.LOG, Keys.BUS_LOG)
                    .key(KeyName.BATCHES, Keys.BUS_BATCHES)
                    .key(KeyName.SUBJECTS_FROM, Keys.BUS_SUBJECTS_FROM)
                    .moreKeys(hashes)
                    .arg(ArgName.CHANNEL, CHANNEL)
                    .arg(ArgName.EPOCH, newEpoch.get())
                    .arg(ArgName.EVENTS_MAX, bounds.logEvents())
                    .arg(ArgName.BYTES_MAX, bounds.logBytes())
                    .arg(ArgName.RETENTION, bounds.logAge().toMillis())
                    .arg(ArgName.OF_NOTIFICATIONS, EventLog.NOTIFICATION_RETENTION.toMillis())
                    .arg(ArgName.NOW, events.get(0).now())
                    .arg(ArgName.KINDS, kinds.toString())
                    .arg(ArgName.OF_A_BATCH, BATCH_EVENTS)
                    .arg(ArgName.SHOWN_BY, shown.isEmpty() ? "" : shownBy.toString())
                    .arg(ArgName.RUNS, runs.size() / 2)
                    .moreArgs(more)
                    .command();
        }

        private String batch(List<Waiting> events) {
            StringBuilder text = new StringBuilder(chars(events));
            for (Waiting each : events) {
                if (text.length() > 0) {
                    text.append('\n');
                }
                EventCodec.encode(text, each.event());
                add(each.event());
            }
            return text.toString();
        }

        private void add(Event event) {
            kinds.append(event.kind().letter());
            subjects.add(event.subject());
            names.add(event.kind() == Event.Kind.NOTIFICATION ? event.id() : (Object) event.subject());
            List<Long> inside = event.embedded();
            shownBy.append(inside.size());
            shown.addAll(inside);
        }

        /** Divides them into runs that one key remembers: nearly all that come together were made in the same hour. */
        private void divide(List<Long> ids, IntPredicate areNotifications) {
            int from = 0;
            for (int at = 1; at <= ids.size(); at++) {
                boolean notification = areNotifications.test(from);
                if (at == ids.size()
                        || areNotifications.test(at) != notification
                        || EventLog.hour(ids.get(at)) != EventLog.hour(ids.get(from))) {
                    runs.add(key(EventLog.subjectsKey(notification, ids.get(from))));
                    runs.add(at - from);
                    from = at;
                }
            }
        }

        /** Which of the keys this is, counted from 1. */
        private int key(String hash) {
            int at = hashes.lastIndexOf(hash);
            if (at < 0) {
                at = hashes.size();
                hashes.add(hash);
            }
            return NAMED_KEYS + at + 1;
        }
    }
}
