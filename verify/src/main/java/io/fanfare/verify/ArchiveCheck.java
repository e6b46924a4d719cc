package io.fanfare.verify;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.archive.Archive.Row;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Walks the rows of the archive and compares them with Redis: every status is in exactly one place, and what is deleted
 * in one is deleted in the other. Rows and keys are not read at one instant, so what is found is looked at once more
 * after a pause. One use per instance; one event loop.
 */
public final class ArchiveCheck {
    private static final int PAGE = 500;
    private static final long PAUSE_MILLIS = 1_000;

    /** Sentences that are kept. */
    private static final int KEPT_MAX = 1000;

    private final Redis redis;
    private final Shards shards;
    private final Archive archive;
    private final LongFunction<Future<Void>> pause;
    private final List<String> differences = new ArrayList<>();
    private long rows;

    /** @param pause completes after so many milliseconds */
    public ArchiveCheck(Redis redis, Shards shards, Archive archive, LongFunction<Future<Void>> pause) {
        this.redis = redis;
        this.shards = shards;
        this.archive = archive;
        this.pause = pause;
    }

    /** The findings: one sentence for each difference. */
    public record Result(long rows, List<String> differences) {}

    public Future<Result> run() {
        return page(0).compose(done -> shard(0)).map(done -> new Result(rows, List.copyOf(differences)));
    }

    private Future<Void> page(long after) {
        return archive.page(after, PAGE).compose(page -> {
            if (page.isEmpty()) {
                return Future.succeededFuture();
            }
            rows += page.size();
            return compare(page)
                    .compose(doubtful -> doubtful.isEmpty()
                            ? Future.succeededFuture()
                            : pause.apply(PAUSE_MILLIS)
                                    .compose(done -> archive.find(doubtful.keySet()))
                                    .compose(again -> compare(List.copyOf(again.values())))
                                    .map(this::keep))
                    .compose(done -> page(page.get(page.size() - 1).id()));
        });
    }

    private Void keep(Map<Long, String> confirmed) {
        confirmed.values().stream().limit(KEPT_MAX - differences.size()).forEach(differences::add);
        return null;
    }

    /** The differences of these rows, by id. */
    private Future<Map<Long, String>> compare(List<Row> rows) {
        List<Command> reads = new ArrayList<>();
        for (Row row : rows) {
            int shard = Id.shard(row.author());
            reads.add(Command.of("HGET", Keys.archived(shard), row.author()));
            reads.add(Command.of("ZSCORE", Keys.profile(row.author()), row.id()));
            reads.add(Command.of("HMGET", Keys.status(row.id()), "uid", "gone"));
            reads.add(Command.of("ZSCORE", Keys.archiveGone(shard), row.id()));
        }
        return BatchedPipeline.send(redis, reads).map(replies -> {
            Map<Long, String> wrong = new HashMap<>();
            for (int i = 0; i < rows.size(); i++) {
                Row row = rows.get(i);
                judge(row, replies.subList(4 * i, 4 * i + 4))
                        .ifPresent(why ->
                                wrong.put(row.id(), "status " + row.id() + " of account " + row.author() + " " + why));
            }
            return wrong;
        });
    }

    private static Optional<String> judge(Row row, List<Reply> facts) {
        long border = StatusCheck.number(facts.get(0));
        boolean listed = !facts.get(1).isNil();
        boolean here = StatusCheck.lives(facts.get(2));
        boolean gone = !facts.get(2).items().get(1).isNil();
        boolean noted = !facts.get(3).isNil();
        if (row.deleted()) {
            return here ? Optional.of("is deleted in the archive and lives in Redis") : Optional.empty();
        }
        if (gone) {
            return noted
                    ? Optional.empty()
                    : Optional.of("is deleted in Redis, and no job removes it from the archive");
        }
        if (row.id() <= border) {
            return listed ? Optional.of("is in the archive and in its author's profile") : Optional.empty();
        }
        return listed ? Optional.empty() : Optional.of("is above the border of its author and in no profile");
    }

    // Numbers.

    private Future<Void> shard(int shard) {
        if (shard == shards.count()) {
            return Future.succeededFuture();
        }
        return redis.send(Command.of("HGETALL", Keys.archived(shard)))
                .compose(reply -> {
                    List<Long> authors = new ArrayList<>();
                    List<Reply> flat = reply.items();
                    for (int i = 0; i < flat.size(); i += 2) {
                        long author = Id.parse(flat.get(i).asString());
                        if (author > 0) {
                            authors.add(author);
                        }
                    }
                    return Pages.each(redis, authors, author -> count(author, true));
                })
                .compose(done -> shard(shard + 1));
    }

    private Future<Void> count(long author, boolean again) {
        int shard = Id.shard(author);
        return BatchedPipeline.send(
                        redis,
                        List.of(
                                Command.of("HGET", Keys.archived(shard), "n" + author),
                                Command.of("ZRANGE", Keys.archiveGone(shard), author, author, "BYSCORE"),
                                Command.of("HGET", Keys.archived(shard), author)))
                .compose(replies -> live(author, StatusCheck.number(replies.get(2)), replies.get(1))
                        .compose(live -> {
                            long counted = StatusCheck.number(replies.get(0));
                            if (live == counted) {
                                return Future.<Void>succeededFuture();
                            }
                            if (again) {
                                return pause.apply(PAUSE_MILLIS).compose(done -> count(author, false));
                            }
                            if (differences.size() < KEPT_MAX) {
                                differences.add("account " + author + " counts " + counted
                                        + " archived statuses, the archive has " + live);
                            }
                            return Future.<Void>succeededFuture();
                        }));
    }

    /** Live rows up to the border, without those whose delete is on its way. */
    private Future<Long> live(long author, long border, Reply gone) {
        return archive.count(author, border).compose(count -> {
            List<Long> ids = new ArrayList<>();
            gone.items().forEach(id -> ids.add(id.asLong()));
            ids.removeIf(id -> id > border);
            return archive.find(ids)
                    .map(found -> count
                            - found.values().stream()
                                    .filter(row -> !row.deleted())
                                    .count());
        });
    }
}
