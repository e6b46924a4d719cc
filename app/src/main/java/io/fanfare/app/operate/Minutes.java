package io.fanfare.app.operate;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Owns {@code minutes:<hour>}: what each process did in each minute of the last {@link #KEPT}. A minute of a process is
 * kept as often as somebody likes and is there once. An hour has up to {@link #PROCESSES_MAX} processes, each with all
 * of its minutes; what further ones do is left out. Confined to the event loop of its link.
 */
public final class Minutes {
    public static final Duration KEPT = Duration.ofDays(3);

    /** In each hour. One that is started again counts twice: this is 32 that are restarted once. */
    public static final int PROCESSES_MAX = 64;

    /** The place, among the figures of a process, of the MiB that files may still take; see {@link DiskForecast}. */
    public static final int ROOM = 10;

    private static final int PER_HOUR = 60;

    /** Begins the fields that say which processes an hour has, and how many. */
    private static final String PROCESS = "process";

    private static final Script KEEP = Script.load("keep_minute");

    private final RedisLink redis;

    public Minutes(RedisLink redis) {
        this.redis = redis;
    }

    /**
     * The figures of a process in a minute.
     *
     * @param minute since the Unix epoch
     * @param process a name without spaces
     * @param figures whole numbers, in an order of the caller's
     */
    public record Minute(long minute, String process, List<Long> figures) {
        public Minute {
            figures = List.copyOf(figures);
        }
    }

    /**
     * Keeps some; how many of them were left out, since their hours have too many processes. Fails as a whole when
     * Redis did not take one of them, and can then be repeated.
     */
    public Future<Integer> keep(List<Minute> minutes) {
        List<Command> commands =
                minutes.stream().map(Minutes::command).collect(Collectors.toCollection(ArrayList::new));
        return redis.pipeline(commands).compose(replies -> replies.stream()
                .filter(Reply::isFailure)
                .findFirst()
                .map(reply -> Future.<Integer>failedFuture(((Reply.Failure) reply).error()))
                .orElseGet(() -> Future.succeededFuture((int)
                        replies.stream().filter(reply -> reply.asLong() == 0).count())));
    }

    private static Command command(Minute one) {
        return KEEP.call(
                List.of(Keys.minutes(one.minute() / PER_HOUR)),
                String.format(Locale.ROOT, "%02d", one.minute() % PER_HOUR),
                one.process(),
                one.figures().stream().map(String::valueOf).collect(Collectors.joining(" ")),
                PROCESSES_MAX,
                KEPT.plusHours(1).toMillis());
    }

    /** All of these hours since the Unix epoch, in no order. Fails when one of them cannot be read. */
    public Future<List<Minute>> read(long firstHour, long lastHour) {
        List<Long> hours = LongStream.rangeClosed(firstHour, lastHour).boxed().toList();
        return redis.pipeline(hours.stream()
                        .map(hour -> Command.of("HGETALL", Keys.minutes(hour)))
                        .toList())
                .compose(replies -> {
                    List<Minute> found = new ArrayList<>();
                    for (int i = 0; i < hours.size(); i++) {
                        if (replies.get(i) instanceof Reply.Failure failure) {
                            return Future.failedFuture(failure.error());
                        }
                        add(hours.get(i), replies.get(i).flat(), found);
                    }
                    return Future.succeededFuture(found);
                });
    }

    private static void add(long hour, List<Reply> flat, List<Minute> found) {
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            String name = flat.get(i).asString();
            if (name.startsWith(PROCESS)) {
                continue;
            }
            String[] field = name.split(" ", 2);
            List<Long> figures = new ArrayList<>();
            for (String figure : flat.get(i + 1).asString().split(" ", -1)) {
                figures.add(Long.parseLong(figure));
            }
            found.add(new Minute(hour * PER_HOUR + Long.parseLong(field[0]), field[1], figures));
        }
    }
}
