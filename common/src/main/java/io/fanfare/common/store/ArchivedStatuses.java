package io.fanfare.common.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.archive.Archive.Row;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Status;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.view.RenderCache;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The statuses that Redis does not have: those up to the border of their author are in the archive (docs/archive.md).
 * Owns {@code archived} keys together with {@code ArchivePass}.
 */
public final class ArchivedStatuses {
    private static final Script THAW = Script.load("thaw");

    /** How often a row is read anew because its author's statuses moved meanwhile. */
    private static final int THAWS_MAX = 5;

    /** For how long it is remembered that there is no such status, and of how many. */
    private static final Duration UNKNOWN_LIFE = Duration.ofSeconds(60);

    private static final int UNKNOWN_MAX = 20_000;

    private final Redis redis;
    private final Settings.Archive settings;
    private final Archive archive;
    private final Cache<Long, Boolean> unknown = Caffeine.newBuilder()
            .maximumSize(UNKNOWN_MAX)
            .expireAfterWrite(UNKNOWN_LIFE)
            .build();

    public ArchivedStatuses(Redis redis, Settings settings, Archive archive) {
        this.redis = redis;
        this.settings = settings.archive();
        this.archive = archive;
    }

    /**
     * The archived ones of some statuses.
     *
     * @param found those that live
     * @param unreachable those that may live, while the archive does not answer
     */
    public record Loaded(Map<Long, Status> found, Set<Long> unreachable) {
        static final Loaded NOTHING = new Loaded(Map.of(), Set.of());
    }

    /** Loads the archived ones of these statuses, none of which is in Redis. One round trip if none can be archived. */
    public Future<Loaded> load(Collection<Long> missing) {
        List<Long> candidates = missing.stream()
                .filter(id -> unknown.getIfPresent(RenderCache.key(id)) == null)
                .toList();
        if (candidates.isEmpty()) {
            return Future.succeededFuture(Loaded.NOTHING);
        }
        return maybe(candidates)
                .compose(archived -> archived.isEmpty()
                        ? Future.succeededFuture(Loaded.NOTHING)
                        : archive.find(archived)
                                .map(rows -> loaded(archived, rows))
                                .recover(cause -> cause == Archive.AWAY
                                        ? Future.succeededFuture(new Loaded(Map.of(), archived))
                                        : Future.failedFuture(cause)));
    }

    private Loaded loaded(Set<Long> ids, Map<Long, Row> rows) {
        Map<Long, Status> found = new HashMap<>();
        for (long id : ids) {
            Row row = rows.get(id);
            if (row == null || row.deleted()) {
                unknown.put(RenderCache.key(id), true);
            } else {
                found.put(id, StatusCodec.status(id, fields(row)));
            }
        }
        return new Loaded(found, Set.of());
    }

    /** The ids, of these, that are not above the highest border of their shard. */
    public Future<Set<Long>> maybe(Collection<Long> ids) {
        List<Integer> shards = ids.stream().map(Id::shard).distinct().toList();
        List<Command> commands = new ArrayList<>();
        shards.forEach(shard -> commands.add(Command.of("HGET", Keys.archived(shard), "max")));
        return BatchedPipeline.send(redis, commands).map(replies -> {
            Set<Long> found = new HashSet<>();
            for (long id : ids) {
                Reply max = replies.get(shards.indexOf(Id.shard(id)));
                if (!max.isNil() && id <= max.asLong()) {
                    found.add(id);
                }
            }
            return found;
        });
    }

    /**
     * The borders of these authors, in their order: what is up to a border is in the archive. Right for what was read
     * of their profiles before this was called: a status leaves a profile with the rise of the border.
     */
    public Future<List<Long>> borders(List<Long> authors) {
        Map<Integer, List<Long>> byShard = new TreeMap<>();
        authors.forEach(author -> byShard.computeIfAbsent(Id.shard(author), shard -> new ArrayList<>())
                .add(author));
        List<Command> commands = new ArrayList<>();
        byShard.forEach((shard, ofShard) -> commands.add(Command.of("HMGET", Keys.archived(shard), ofShard.toArray())));
        return BatchedPipeline.send(redis, commands).map(replies -> {
            Map<Long, Long> borders = new HashMap<>();
            List<List<Long>> groups = List.copyOf(byShard.values());
            for (int i = 0; i < groups.size(); i++) {
                for (int k = 0; k < groups.get(i).size(); k++) {
                    Reply border = replies.get(i).items().get(k);
                    borders.put(groups.get(i).get(k), border.isNil() ? 0 : border.asLong());
                }
            }
            return authors.stream().map(borders::get).toList();
        });
    }

    /** Archived ids of these authors below an id: complete down to the bound. */
    public Future<IdRange> older(Collection<Long> authors, long below, int limit) {
        return archive.older(authors, below, limit).map(entries -> {
            List<Long> ids = entries.stream().map(Archive.Entry::id).toList();
            return new IdRange(ids, ids.size() == limit ? ids.get(limit - 1) - 1 : 0);
        });
    }

    /** Archived ids of these authors between two ids, both exclusive, the oldest first. */
    public Future<List<Long>> newer(Collection<Long> authors, long above, long below, int limit) {
        return archive.newer(authors, above, below, limit)
                .map(entries -> entries.stream().map(Archive.Entry::id).toList());
    }

    /**
     * Writes to a status that may be archived: once more each time that the status has been put back into Redis, since
     * the next pass may take it away before the write comes. Answers what the last write answered; that the status was
     * absent means that it is neither here nor there.
     *
     * @param write one call, whenever it is asked
     * @param isAbsent whether an answer says that Redis does not have the status
     */
    public <T> Future<T> write(long id, Supplier<Future<T>> write, Predicate<T> isAbsent) {
        return write(id, write, isAbsent, THAWS_MAX);
    }

    private <T> Future<T> write(long id, Supplier<Future<T>> write, Predicate<T> isAbsent, int tries) {
        return write.get().compose(answer -> {
            if (!isAbsent.test(answer)) {
                return Future.succeededFuture(answer);
            }
            if (tries == 0) {
                return Future.failedFuture(Archive.AWAY);
            }
            return thaw(id).compose(
                            thawed -> thawed ? write(id, write, isAbsent, tries - 1) : Future.succeededFuture(answer));
        });
    }

    /**
     * Makes sure that Redis has a status that somebody is going to write to. False when it is not archived, or deleted
     * there.
     */
    public Future<Boolean> thaw(long id) {
        return maybe(List.of(id))
                .compose(archived -> archived.isEmpty()
                        ? Future.succeededFuture(false)
                        : archive.find(archived).compose(rows -> thaw(rows.get(id), THAWS_MAX)));
    }

    private Future<Boolean> thaw(Row rowOrNull, int tries) {
        if (rowOrNull == null || rowOrNull.deleted()) {
            return Future.succeededFuture(false);
        }
        long id = rowOrNull.id();
        long author = rowOrNull.author();
        int shard = Id.shard(author);
        // The author is known now: what has moved by now is in the row that is read next.
        return redis.send(Command.of("HGET", Keys.archived(shard), "f" + author))
                .map(moves -> moves.isNil() ? "0" : moves.asString())
                .compose(moves -> archive.find(List.of(id)).compose(rows -> thaw(rows.get(id), moves)))
                .compose(done -> done < 0 && tries > 1
                        ? thaw(rowOrNull, tries - 1)
                        : done < 0 ? Future.failedFuture(Archive.AWAY) : Future.succeededFuture(done == 1));
    }

    private Future<Long> thaw(Row rowOrNull, String moves) {
        if (rowOrNull == null || rowOrNull.deleted()) {
            return Future.succeededFuture(0L);
        }
        long author = rowOrNull.author();
        int shard = Id.shard(author);
        List<String> keys =
                List.of(Keys.status(rowOrNull.id()), Keys.archived(shard), Keys.thawed(author), Keys.archiveDue(shard));
        List<Object> args = new ArrayList<>(
                List.of("", author, rowOrNull.id(), moves, settings.thawFor().toMillis()));
        args.addAll(fields(rowOrNull));
        return redis.send(THAW.call(keys, args.toArray())).map(Reply::asLong);
    }

    /** Fields and values in turn. */
    private static List<String> fields(Row row) {
        List<String> fields = new ArrayList<>();
        new JsonObject(row.fields()).forEach(field -> {
            fields.add(field.getKey());
            fields.add((String) field.getValue());
        });
        return fields;
    }
}
