package io.fanfare.common.siteblock;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.siteblock.SiteBlock.Kind;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Owns {@link Keys#SITE_BLOCKS} and {@link Keys#SITE_BLOCK_USES}: the blocks of the site, and how many sign-ups each
 * mail domain was refused. A change reads the list, decides, and writes if nothing has changed since. Each change
 * removes the blocks that have ended.
 */
public final class SiteBlocks {
    /** Days of {@link #uses}, as Mastodon shows them. */
    public static final int DAYS = 7;

    /** Blocks that one change adds or removes at most. */
    public static final int CHANGES_MAX = 1000;

    /** Stars of a {@link #namePattern}. */
    public static final int STARS_MAX = NamePattern.STARS_MAX;

    private static final String VERSION = "version";

    private static final Script CHANGE = Script.load("site_blocks_change");
    private static final Script USED = Script.load("site_block_used");

    /** Reads of the list for one change, while others change it. */
    private static final int TRIES = 10;

    /** Fields of {@link Keys#SITE_BLOCK_USES}; beyond it, blocks that were not used on a day are not counted. */
    private static final int USES_MAX = 10_000;

    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

    private final Redis redis;
    private final InstantSource clock;

    public SiteBlocks(Redis redis, InstantSource clock) {
        this.redis = redis;
        this.clock = clock;
    }

    /**
     * All blocks at one moment, those that have ended included.
     *
     * @param version ascends with each change; 0 = there never was a block
     * @param blocks by ascending ids
     */
    public record Snapshot(long version, List<SiteBlock> blocks) {
        static final Snapshot NONE = new Snapshot(0, List.of());

        /** The last id that may have been given out. Ids begin above the lowest cursor of a walk. */
        private long lastId() {
            return Math.max(PageRequest.BOTTOM, version);
        }

        /** The blocks of a kind that have not ended. */
        public List<SiteBlock> of(Kind kind, long nowMillis) {
            return blocks.stream()
                    .filter(block -> block.kind() == kind && !block.hasEnded(nowMillis))
                    .toList();
        }
    }

    /**
     * A change of the list.
     *
     * @param put blocks to write; one with the id 0 is new and gets an id
     * @param removed ids
     */
    public record Change(List<SiteBlock> put, Collection<Long> removed) {
        public static final Change NOTHING = new Change(List.of(), List.of());

        public static Change put(List<SiteBlock> blocks) {
            return new Change(blocks, List.of());
        }

        public static Change remove(Collection<Long> ids) {
            return new Change(List.of(), ids);
        }
    }

    /** The value of a block of a mail domain: ASCII, lower case; empty for a text that is no domain. */
    public static Optional<String> mailDomain(String text) {
        return MailDomain.of(text);
    }

    /**
     * The value of a block of user names: a name in lower case, with up to {@link #STARS_MAX} stars for any letters.
     * Empty if the text is neither a name nor a pattern.
     */
    public static Optional<String> namePattern(String text) {
        return Optional.of(text.toLowerCase(Locale.ROOT)).filter(NamePattern::isPattern);
    }

    /** The whole list, if its version is another one. One field is read, and the list only then. */
    Future<Optional<Snapshot>> news(long knownVersion) {
        return redis.send(Command.of("HGET", Keys.SITE_BLOCKS, VERSION))
                .compose(version -> (version.isNil() ? 0 : version.asLong()) == knownVersion
                        ? Future.succeededFuture(Optional.empty())
                        : read().map(Optional::of));
    }

    /** The whole list. */
    public Future<Snapshot> read() {
        return redis.send(Command.of("HGETALL", Keys.SITE_BLOCKS)).map(SiteBlocks::snapshot);
    }

    private static Snapshot snapshot(Reply reply) {
        List<Reply> flat = reply.flat();
        List<SiteBlock> blocks = new ArrayList<>(flat.size() / 2);
        long version = 0;
        for (int i = 0; i < flat.size(); i += 2) {
            String field = flat.get(i).asString();
            if (field.equals(VERSION)) {
                version = flat.get(i + 1).asLong();
            } else {
                SiteBlock.of(Long.parseLong(field), flat.get(i + 1).asString()).ifPresent(blocks::add);
            }
        }
        blocks.sort(Comparator.comparingLong(SiteBlock::id));
        return new Snapshot(version, List.copyOf(blocks));
    }

    /** A page of the blocks of a kind that have not ended. Cursors are ids. */
    public Future<Page<SiteBlock>> page(Kind kind, PageRequest request) {
        return read().map(all -> page(all.of(kind, clock.millis()), request));
    }

    private static Page<SiteBlock> page(List<SiteBlock> ascending, PageRequest request) {
        List<SiteBlock> wanted = new ArrayList<>(ascending.stream()
                .filter(block -> block.id() < request.maxId() && block.id() > request.floor())
                .toList());
        boolean up = request.minId() > 0;
        int size = Math.min(request.limit(), wanted.size());
        List<SiteBlock> page = up ? wanted.subList(0, size) : wanted.subList(wanted.size() - size, wanted.size());
        List<SiteBlock> newestFirst = page.stream()
                .sorted(Comparator.comparingLong(SiteBlock::id).reversed())
                .toList();
        long oldest = newestFirst.isEmpty() ? 0 : newestFirst.get(size - 1).id();
        boolean older = size > 0 && ascending.get(0).id() < oldest;
        return new Page<>(
                newestFirst, older ? oldest : 0, size > 0 ? newestFirst.get(0).id() : 0);
    }

    /** The block of a kind with an id. Fails with {@code Refusal(NOT_FOUND)} if it is unknown or has ended. */
    public Future<SiteBlock> require(Kind kind, long id) {
        return read().map(all -> require(all, kind, id, clock.millis()));
    }

    /** The same in a list that was read; throws. */
    @CanIgnoreReturnValue
    public static SiteBlock require(Snapshot all, Kind kind, long id, long nowMillis) {
        return all.of(kind, nowMillis).stream()
                .filter(block -> block.id() == id)
                .findFirst()
                .orElseThrow(Refusal::unknown);
    }

    /**
     * Changes the list; answers the blocks as they were written. The function may run several times, each time with the
     * list as it is then; a {@link Refusal} of it changes nothing. Fails with {@code Refusal(INVALID)} when there would
     * be too many of a kind, or two with one value.
     */
    public Future<List<SiteBlock>> change(Function<Snapshot, Change> decide) {
        return change(decide, TRIES);
    }

    private Future<List<SiteBlock>> change(Function<Snapshot, Change> decide, int tries) {
        return read().compose(all -> {
            long now = clock.millis();
            Change change = decide.apply(all);
            List<SiteBlock> put = numbered(change.put(), all.lastId());
            List<Long> removed = new ArrayList<>(change.removed());
            all.blocks().stream()
                    .filter(block -> block.hasEnded(now))
                    .limit(CHANGES_MAX)
                    .forEach(block -> removed.add(block.id()));
            removed.removeAll(put.stream().map(SiteBlock::id).toList());
            if (put.isEmpty() && removed.isEmpty()) {
                return Future.succeededFuture(put);
            }
            check(all, put, removed);
            return write(all, put, removed).compose(written -> {
                if (written) {
                    return Future.succeededFuture(put);
                }
                return tries == 1
                        ? Future.failedFuture(Refusal.overloaded(
                                "The list of blocks is being changed by others at this moment: try again.", 1))
                        : change(decide, tries - 1);
            });
        });
    }

    private static List<SiteBlock> numbered(List<SiteBlock> put, long lastId) {
        List<SiteBlock> numbered = new ArrayList<>(put.size());
        for (SiteBlock block : put) {
            long id = block.id() == 0 ? lastId + 1 + numbered.size() : block.id();
            numbered.add(new SiteBlock(
                    id,
                    block.kind(),
                    block.value(),
                    block.severity(),
                    block.comment(),
                    block.createdMillis(),
                    block.endMillis()));
        }
        return List.copyOf(numbered);
    }

    private static void check(Snapshot all, List<SiteBlock> put, Collection<Long> removed) {
        if (put.size() > CHANGES_MAX) {
            throw new Refusal(Refusal.Reason.INVALID, "At most " + CHANGES_MAX + " blocks at once: send fewer.");
        }
        Map<Long, SiteBlock> after = new HashMap<>();
        all.blocks().forEach(block -> after.put(block.id(), block));
        after.keySet().removeAll(removed);
        put.forEach(block -> after.put(block.id(), block));
        for (Kind kind : Kind.values()) {
            Map<String, SiteBlock> byValue = new HashMap<>();
            for (SiteBlock block : after.values()) {
                if (block.kind() == kind && byValue.put(block.value(), block) != null) {
                    throw new Refusal(
                            Refusal.Reason.INVALID,
                            "There is a block of " + block.text() + " already: change or remove that one.");
                }
            }
            if (byValue.size() > kind.max()) {
                throw new Refusal(
                        Refusal.Reason.INVALID,
                        "There may be " + kind.max() + " blocks of this kind: remove some, or block a wider network.");
            }
        }
    }

    /** Whether the list had this version, and is written. */
    private Future<Boolean> write(Snapshot read, List<SiteBlock> put, List<Long> removed) {
        long version = read.lastId() + Math.max(1, put.size());
        List<Object> arguments = new ArrayList<>(List.of(read.version(), version, removed.size()));
        arguments.addAll(removed);
        put.forEach(block -> arguments.addAll(List.of(block.id(), block.stored())));
        return redis.send(CHANGE.call(List.of(Keys.SITE_BLOCKS), arguments.toArray()))
                .map(reply -> reply.asLong() == 1);
    }

    /** Counts a sign-up that a block of a mail domain has refused. */
    public Future<Void> used(long id) {
        long day = clock.millis() / DAY_MILLIS;
        return redis.send(USED.call(List.of(Keys.SITE_BLOCK_USES), id, day, DAYS, USES_MAX))
                .mapEmpty();
    }

    /** How many sign-ups each of these blocks has refused on each of the last {@link #DAYS} days, today first. */
    public Future<Map<Long, long[]>> uses(List<Long> ids) {
        if (ids.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        long today = clock.millis() / DAY_MILLIS;
        List<Object> fields = new ArrayList<>();
        ids.forEach(id -> {
            for (int ago = 0; ago < DAYS; ago++) {
                fields.add(today - ago + " " + id);
            }
        });
        return redis.send(Command.of("HMGET", Keys.SITE_BLOCK_USES, fields.toArray()))
                .map(reply -> {
                    Map<Long, long[]> uses = new HashMap<>();
                    for (int i = 0; i < fields.size(); i++) {
                        Reply count = reply.items().get(i);
                        uses.computeIfAbsent(ids.get(i / DAYS), none -> new long[DAYS])[i % DAYS] =
                                count.isNil() ? 0 : count.asLong();
                    }
                    return uses;
                });
    }
}
