package io.fanfare.core.moderation;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Warning;
import io.fanfare.common.store.SortedSetPager;
import io.fanfare.common.store.SortedSetPager.Member;
import io.fanfare.common.store.Warnings;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Owns {@link Keys#APPEALS}: the appeals that wait for a decision, by account and warning. The appeal itself lies with
 * its warning, in another slot. An entry is added before the appeal is kept, and removed after all that follows from
 * the decision is done. So no appeal is unlisted; an entry without an appeal is shown to nobody, and one of a decided
 * appeal says that something of it is still to do.
 */
public final class Appeals {
    /** Appeals that wait at most. */
    public static final int MAX = 5000;

    private final Redis redis;
    private final Warnings warnings;
    private final InstantSource clock;
    private final int max;

    public Appeals(Redis redis, Warnings warnings, InstantSource clock) {
        this(redis, warnings, clock, MAX);
    }

    Appeals(Redis redis, Warnings warnings, InstantSource clock, int max) {
        this.redis = redis;
        this.warnings = warnings;
        this.clock = clock;
        this.max = max;
    }

    /**
     * Lists the appeal of an account against one of its warnings and keeps it. Doing it again with the same text
     * changes nothing. Fails as {@link Warnings#appeal} does, and with {@code Refusal(INVALID)} when too many wait.
     */
    public Future<Warning> make(long account, long warning, String text) {
        return require(account, warning)
                // One that was kept before was listed before, and may be decided by now.
                .compose(found -> found.appeal() == null ? list(account, warning) : Future.succeededFuture())
                .compose(listed -> warnings.appeal(account, warning, text))
                .recover(cause -> cause instanceof Refusal
                        ? removeUnlessMade(account, warning).compose(done -> Future.failedFuture(cause))
                        : Future.failedFuture(cause))
                .compose(made -> require(account, warning));
    }

    private Future<Warning> require(long account, long warning) {
        return warnings.find(account, warning).map(found -> found.orElseThrow(Refusal::unknown));
    }

    private Future<Void> list(long account, long warning) {
        return redis.send(Command.of("ZCARD", Keys.APPEALS)).compose(waiting -> {
            if (waiting.asLong() >= max) {
                throw new Refusal(
                        Refusal.Reason.INVALID,
                        "As many appeals wait as this server keeps: try again when its moderators have decided some.");
            }
            return redis.send(Command.of("ZADD", Keys.APPEALS, warning, member(account, warning)))
                    .mapEmpty();
        });
    }

    /** A refused appeal does not wait, unless another request has made it meanwhile. */
    private Future<Void> removeUnlessMade(long account, long warning) {
        return warnings.find(account, warning)
                .compose(found -> found.isPresent() && found.get().appeal() != null
                        ? Future.succeededFuture()
                        : remove(account, warning));
    }

    private static String member(long account, long warning) {
        return account + " " + warning;
    }

    /** Whether an appeal waits for a decision, or for what follows from one. */
    public Future<Boolean> waits(long account, long warning) {
        return redis.send(Command.of("ZSCORE", Keys.APPEALS, member(account, warning)))
                .map(score -> !score.isNil());
    }

    /** Ends the waiting of an appeal; harmless when it does not wait. */
    public Future<Void> remove(long account, long warning) {
        return redis.send(Command.of("ZREM", Keys.APPEALS, member(account, warning)))
                .mapEmpty();
    }

    /** The warnings of the appeals that wait, the newest warning first. Cursors are the ids of the warnings. */
    public Future<Page<Warning>> page(PageRequest page) {
        return SortedSetPager.page(redis, Keys.APPEALS, page, this::load);
    }

    /** Entries that can have no appeal any more are taken out. */
    private Future<Map<String, Warning>> load(List<Member> members) {
        Map<Long, List<Long>> byAccount = members.stream()
                .collect(Collectors.groupingBy(
                        Appeals::account, Collectors.mapping(Member::score, Collectors.toList())));
        List<Future<Map<Long, Warning>>> reads = new ArrayList<>();
        byAccount.forEach((account, ids) -> reads.add(warnings.load(account, ids)));
        return Future.all(reads).compose(done -> {
            Map<String, Warning> found = new HashMap<>();
            reads.forEach(
                    read -> read.result().forEach((id, warning) -> found.put(member(warning.account(), id), warning)));
            List<String> ended = members.stream()
                    .filter(member -> hasEnded(member, found.get(member.name())))
                    .map(Member::name)
                    .toList();
            found.values().removeIf(warning -> warning.appeal() == null);
            return ended.isEmpty()
                    ? Future.succeededFuture(found)
                    : redis.send(Command.of("ZREM", Keys.APPEALS, ended.toArray()))
                            .map(found);
        });
    }

    private boolean hasEnded(Member member, Warning warningOrNull) {
        long age = clock.millis() - Id.epochMillis(member.score());
        return warningOrNull == null || (warningOrNull.appeal() == null && age > 2 * Warnings.APPEAL_LIFE.toMillis());
    }

    private static long account(Member member) {
        return Id.parse(member.name().substring(0, member.name().indexOf(' ')));
    }

    /** The step of a deletion that takes the appeals of an account out; harmless when there are none. */
    public static Command left(long account, Collection<Warning> warned) {
        List<Object> members = new ArrayList<>(List.of(member(account, 0)));
        warned.forEach(warning -> members.add(member(account, warning.id())));
        return Command.of("ZREM", Keys.APPEALS, members.toArray());
    }
}
