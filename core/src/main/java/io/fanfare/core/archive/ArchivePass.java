package io.fanfare.core.archive;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.archive.Archive.Entry;
import io.fanfare.common.archive.Archive.Row;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Article;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Articles;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.Statuses;
import io.fanfare.redis.ClockGuard;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Moves statuses from Redis into the archive (docs/archive.md, section 2): claims an author that is due, copies, and
 * when the archive has committed, removes. Each step may be the last one of a process, and may be done again, also by
 * another process at the same time: only the author's last pass removes anything, and of two rows that of the later
 * pass stays.
 */
public class ArchivePass {
    private static final Script CLAIM = Script.load("archive_claim");
    private static final Script MOVE = Script.load("archive_move");
    private static final Script DONE = Script.load("archive_done");

    /** How long a pass may take before others take its author: far longer than all its calls may. */
    private static final Duration LEASE = Duration.ofSeconds(60);

    /** After a pass that could not do what it should. */
    private static final Duration DELAY = Duration.ofSeconds(30);

    /** Statuses that one call moves: what Lua's patience allows. */
    private static final int MOVES_MAX = 100;

    private static final int DELETES_MAX = 500;

    /** How long an article stays after a look that found it in a list, or open to votes. */
    private static final Duration ARTICLE_STAYS = Duration.ofDays(1);

    private final Redis redis;
    private final Settings settings;
    private final Archive archive;

    public ArchivePass(Redis redis, Settings settings, Archive archive) {
        this.redis = redis;
        this.settings = settings;
        this.archive = archive;
    }

    /** An author that was claimed. */
    protected record Claim(long author, String pass, long now) {}

    /**
     * A status as it was read.
     *
     * @param stays of an article that stays in Redis, when to look again; 0 = none
     */
    protected record Copy(Row row, String digest, long stays) {}

    /**
     * One pass of a shard: the deletes that the archive has not noted, then one author. Answers whether there may be
     * more to do at once. Fails when Redis or the archive is away; then nothing is lost, and the pass is due again.
     */
    public Future<Boolean> run(int shard) {
        return deletes(shard).compose(noted -> claim(shard, LEASE)
                .compose(claim -> claim == null
                        ? Future.succeededFuture(noted == DELETES_MAX)
                        : pass(claim).map(true)));
    }

    /**
     * The shards in which a pass may have work, and those that do not answer; one round trip a node.
     *
     * @param nowMillis epoch ms by the caller's clock, which may differ by {@link ClockGuard#DIFFERENCE_MAX} from that
     *     of Redis
     */
    public Future<List<Integer>> due(int shards, long nowMillis) {
        List<Command> commands = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            commands.add(Command.of("ZRANGE", Keys.archiveDue(shard), 0, 0, "WITHSCORES"));
            commands.add(Command.of("EXISTS", Keys.archiveGone(shard)));
        }
        double until = (double) nowMillis + ClockGuard.DIFFERENCE_MAX.toMillis();
        return BatchedPipeline.sendEach(redis, commands).map(replies -> IntStream.range(0, shards)
                .filter(shard -> isDue(replies.get(2 * shard), until) || isThere(replies.get(2 * shard + 1)))
                .boxed()
                .toList());
    }

    private static boolean isDue(Reply first, double until) {
        return first.isFailure()
                || (!first.flat().isEmpty()
                        && Double.parseDouble(first.flat().get(1).asString()) <= until);
    }

    private static boolean isThere(Reply exists) {
        return exists.isFailure() || exists.asLong() > 0;
    }

    /** How many authors wait in all shards, and how many deletes. */
    public Future<long[]> waiting(int shards) {
        List<Command> commands = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            commands.add(Command.of("ZCARD", Keys.archiveDue(shard)));
            commands.add(Command.of("ZCARD", Keys.archiveGone(shard)));
        }
        return BatchedPipeline.send(redis, commands).map(replies -> {
            long[] waiting = new long[2];
            for (int i = 0; i < replies.size(); i++) {
                waiting[i % 2] += replies.get(i).asLong();
            }
            return waiting;
        });
    }

    /** Tells the archive what was deleted; only then the tombstones get an end. */
    protected Future<Integer> deletes(int shard) {
        String gone = Keys.archiveGone(shard);
        return redis.send(Command.of("ZRANGE", gone, 0, DELETES_MAX - 1, "WITHSCORES"))
                .compose(reply -> {
                    List<Reply> pairs = reply.flat();
                    List<Entry> entries = new ArrayList<>();
                    for (int i = 0; i < pairs.size(); i += 2) {
                        entries.add(new Entry(
                                pairs.get(i).asLong(), pairs.get(i + 1).asLong()));
                    }
                    if (entries.isEmpty()) {
                        return Future.succeededFuture(0);
                    }
                    return archive.delete(entries)
                            .compose(done -> forget(gone, entries))
                            .map(entries.size());
                });
    }

    private Future<Void> forget(String gone, List<Entry> entries) {
        long ttl = Duration.ofDays(settings.feeds().tombstoneDays()).toSeconds();
        List<Command> ends = new ArrayList<>();
        entries.forEach(entry -> ends.add(Command.of("EXPIRE", Keys.status(entry.id()), ttl)));
        Object[] ids = entries.stream().map(Entry::id).toArray();
        return BatchedPipeline.send(redis, ends)
                .compose(done -> redis.send(Command.of("ZREM", gone, ids)))
                .mapEmpty();
    }

    /** As scripts take it: the clock of the server. Tests have another one. */
    protected String now() {
        return "";
    }

    /** Null when none is due. */
    protected Future<Claim> claim(int shard, Duration lease) {
        return redis.send(CLAIM.call(List.of(Keys.archiveDue(shard), Keys.archived(shard)), now(), lease.toMillis()))
                .map(reply -> reply.isNil()
                        ? null
                        : new Claim(
                                reply.items().get(0).asLong(),
                                reply.items().get(1).asString(),
                                reply.items().get(2).asLong()));
    }

    private Future<Void> pass(Claim claim) {
        return read(claim)
                .compose(copies -> write(copies).compose(done -> move(claim, copies)))
                // Nothing was moved though something should have been: it changes too fast, or is broken.
                .compose(moved -> done(claim, moved == 0 ? DELAY : Duration.ZERO))
                .recover(cause -> done(claim, DELAY).transform(done -> Future.failedFuture(cause)));
    }

    /** The statuses to be moved, lowest id first, as they are now. */
    protected Future<List<Copy>> read(Claim claim) {
        long author = claim.author();
        int most = settings.archive().profileMax();
        List<Command> questions = new ArrayList<>(List.of(
                Command.of("ZCARD", Keys.profile(author)),
                Command.of("ZRANGE", Keys.thawed(author), "-inf", claim.now(), "BYSCORE", "LIMIT", 0, MOVES_MAX)));
        if (settings.archive().days() > 0) {
            questions.add(Command.of(
                    "ZRANGE",
                    Keys.profile(author),
                    "-inf",
                    "(" + young(claim.now()),
                    "BYSCORE",
                    "LIMIT",
                    0,
                    MOVES_MAX));
        }
        return BatchedPipeline.send(redis, questions)
                .compose(replies -> {
                    Set<Long> ids = new LinkedHashSet<>(Statuses.longs(replies.get(1)));
                    long over = most == 0 ? 0 : replies.get(0).asLong() - most;
                    long old = replies.size() == 2 ? 0 : replies.get(2).items().size();
                    int oldest = (int) Math.min(Math.max(over, old), MOVES_MAX - ids.size());
                    return oldest <= 0
                            ? Future.succeededFuture(ids)
                            : redis.send(Command.of("ZRANGE", Keys.profile(author), 0, oldest - 1))
                                    .map(profile -> {
                                        ids.addAll(Statuses.longs(profile));
                                        return ids;
                                    });
                })
                .compose(ids -> copies(claim, ids));
    }

    /** The lowest id that is too young to move for its age. */
    private long young(long now) {
        long oldMillis = now - settings.archive().age().toMillis();
        return Id.of(Math.max(oldMillis + 1, Id.EPOCH_MILLIS), 0, 0);
    }

    private Future<List<Copy>> copies(Claim claim, Collection<Long> ids) {
        List<Long> all = List.copyOf(ids);
        List<Command> reads =
                all.stream().map(id -> Command.of("HGETALL", Keys.status(id))).toList();
        return BatchedPipeline.send(redis, reads).compose(replies -> {
            Map<Long, Map<String, String>> found = new LinkedHashMap<>();
            for (int i = 0; i < all.size(); i++) {
                Map<String, String> fields = fields(replies.get(i));
                if (Long.toString(claim.author()).equals(fields.get("uid")) && !fields.containsKey("gone")) {
                    found.put(all.get(i), fields);
                }
            }
            List<Long> articles = found.keySet().stream()
                    .filter(id -> found.get(id).containsKey("title"))
                    .toList();
            return Articles.listed(redis, articles).map(listed -> found.entrySet().stream()
                    .map(one -> copy(claim, one.getKey(), one.getValue(), listed))
                    .toList());
        });
    }

    /**
     * Lists of articles are read often, so what they show stays in Redis, as does what can get into them. When the
     * voting is over and it has left the lists of all articles, nothing brings it back.
     */
    private long stays(Claim claim, long id, Map<String, String> fields, Set<Long> listed) {
        boolean open = fields.containsKey("title") && canBeVotedOn(id, claim.now());
        return open || listed.contains(id) ? claim.now() + ARTICLE_STAYS.toMillis() : 0;
    }

    /** Whether an article may still come into a list that it has left. */
    protected boolean canBeVotedOn(long id, long now) {
        return now < Article.votingEnds(id);
    }

    private Copy copy(Claim claim, long id, Map<String, String> fields, Set<Long> listed) {
        JsonObject json = new JsonObject();
        fields.forEach(json::put);
        Row row = new Row(id, claim.author(), false, Long.parseLong(claim.pass()), json.encode());
        return new Copy(row, digest(fields), stays(claim, id, fields, listed));
    }

    private static Map<String, String> fields(Reply reply) {
        Map<String, String> fields = new TreeMap<>();
        List<Reply> flat = reply.items();
        for (int i = 0; i < flat.size(); i += 2) {
            fields.put(flat.get(i).asString(), flat.get(i + 1).asString());
        }
        fields.remove("cold");
        return fields;
    }

    /** As lib/archived.lua computes it. The names of fields are ASCII, so that their order is the same there. */
    private static String digest(Map<String, String> sorted) {
        List<String> parts = new ArrayList<>();
        sorted.forEach((name, value) -> {
            parts.add(name);
            parts.add(value);
        });
        try {
            byte[] bytes = String.join("\0", parts).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Complete when the archive has committed. */
    protected Future<Void> write(List<Copy> copies) {
        return archive.put(copies.stream().map(Copy::row).toList());
    }

    /** How many have left Redis. */
    protected Future<Long> move(Claim claim, List<Copy> copies) {
        if (copies.isEmpty()) {
            return Future.succeededFuture(0L);
        }
        long author = claim.author();
        List<String> keys = new ArrayList<>(List.of(
                Keys.profile(author), Keys.archived(Id.shard(author)), Keys.thawed(author), Keys.outbox(author)));
        List<Object> args = new ArrayList<>(List.of(author, claim.pass()));
        for (Copy copy : copies) {
            keys.add(Keys.status(copy.row().id()));
            args.add(copy.row().id());
            args.add(copy.digest());
            args.add(copy.stays() == 0 ? "" : copy.stays());
        }
        return redis.send(MOVE.call(keys, args.toArray())).map(Reply::asLong);
    }

    private Future<Void> done(Claim claim, Duration delay) {
        long author = claim.author();
        int shard = Id.shard(author);
        List<String> keys =
                List.of(Keys.archiveDue(shard), Keys.archived(shard), Keys.profile(author), Keys.thawed(author));
        return redis.send(DONE.call(
                        keys,
                        now(),
                        author,
                        claim.pass(),
                        settings.archive().profileMax(),
                        delay.toMillis(),
                        settings.archive().age().toMillis()))
                .mapEmpty();
    }
}
