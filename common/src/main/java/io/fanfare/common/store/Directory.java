package io.fanfare.common.store;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Owns {@code {directory}}: the {@value #MAX} accounts that have signed up last, and those that have posted or reposted
 * last. An entry proves nothing: what is listed is active, wants to be found
 * ({@link io.fanfare.common.model.ProfileSettings#discoverable}), is not limited, and is neither blocked nor muted by
 * the viewer nor blocks the viewer. An account that had signed up before there was a directory enters it when it posts.
 */
public final class Directory {
    /** Accounts that each order keeps. */
    public static final int MAX = 1000;

    /** Accounts that are loaded at a time. */
    private static final int PORTION = 100;

    private final Redis redis;
    private final Accounts accounts;
    private final ViewerRelationshipsReader viewerRelationships;

    public Directory(Redis redis, Accounts accounts, ViewerRelationshipsReader viewerRelationships) {
        this.redis = redis;
        this.accounts = accounts;
        this.viewerRelationships = viewerRelationships;
    }

    /** In which order accounts are listed. */
    public enum Order {
        /** The latest poster comes first. */
        ACTIVE(Keys.ACTIVE_ACCOUNTS),
        /** The latest sign-up comes first. */
        NEW(Keys.NEW_ACCOUNTS);

        private final String key;

        Order(String key) {
            this.key = key;
        }
    }

    /** The step of a sign-up that enters accounts; harmless when they are there. */
    static List<Command> joined(Collection<Long> ids) {
        if (ids.isEmpty()) {
            return List.of();
        }
        List<Object> entries = new ArrayList<>(2 * ids.size());
        ids.forEach(id -> entries.addAll(List.of(id, id)));
        return List.of(Command.of("ZADD", Keys.NEW_ACCOUNTS, entries.toArray()), trim(Keys.NEW_ACCOUNTS));
    }

    /** The steps of a deletion that take an account out; harmless when it is not there. */
    public static List<Command> left(long id) {
        return List.of(Command.of("ZREM", Keys.NEW_ACCOUNTS, id), Command.of("ZREM", Keys.ACTIVE_ACCOUNTS, id));
    }

    private static Command trim(String key) {
        return Command.of("ZREMRANGEBYRANK", key, 0, -MAX - 1);
    }

    /** Notes who has posted or reposted, in one pipelined round trip. Doing it again changes nothing. */
    public Future<Void> posted(Collection<Status> fresh) {
        Map<Long, Long> newest = new HashMap<>();
        for (Status status : fresh) {
            if (status.kind().isListed()) {
                newest.merge(status.authorId(), status.id(), Math::max);
            }
        }
        if (newest.isEmpty()) {
            return Future.succeededFuture();
        }
        List<Object> entries = new ArrayList<>(List.of("GT"));
        newest.forEach((author, status) -> entries.addAll(List.of(status, author)));
        List<Command> commands = new ArrayList<>();
        commands.add(Command.of("ZADD", Keys.ACTIVE_ACCOUNTS, entries.toArray()));
        commands.add(trim(Keys.ACTIVE_ACCOUNTS));
        commands.addAll(joined(newest.keySet()));
        return BatchedPipeline.sendEach(redis, commands).compose(replies -> BatchedPipeline.check(replies));
    }

    /**
     * Some of those that are listed. Reads as far down as it must, {@value #MAX} accounts at most.
     *
     * @param viewer 0 = anonymous
     */
    public Future<List<Account>> page(Order order, long viewer, int offset, int limit) {
        return redis.send(Command.of("ZRANGE", order.key, 0, MAX - 1, "REV"))
                .map(Statuses::longs)
                .compose(ids -> take(ids, viewer, offset + limit, new ArrayList<>()))
                .map(found -> found.stream().skip(offset).limit(limit).toList());
    }

    private Future<List<Account>> take(List<Long> ids, long viewer, int wanted, List<Account> found) {
        if (ids.isEmpty() || found.size() >= wanted) {
            return Future.succeededFuture(found);
        }
        List<Long> portion = ids.subList(0, Math.min(PORTION, ids.size()));
        Future<Map<Long, Account>> loaded = accounts.load(portion);
        Future<ViewerRelationships> relationships = viewerRelationships.of(viewer, portion);
        return Future.all(loaded, relationships).compose(both -> {
            portion.stream()
                    .map(loaded.result()::get)
                    .filter(Objects::nonNull)
                    .filter(account -> account.profileSettings().discoverable()
                            && !account.profileSettings().limited())
                    .filter(account -> relationships.result().shows(account.id()))
                    .forEach(found::add);
            return take(ids.subList(portion.size(), ids.size()), viewer, wanted, found);
        });
    }
}
