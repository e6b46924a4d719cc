package io.fanfare.app.migrate;

import io.fanfare.common.keyspace.Key;
import io.fanfare.common.keyspace.KeyShape;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.store.Moves;
import io.fanfare.common.store.Moves.Mark;
import io.fanfare.common.store.Moves.Marks;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.RedisOptions;
import io.fanfare.redis.Reply;
import io.fanfare.server.runtime.EventLoop;
import io.fanfare.server.runtime.StartFailed;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Moves a data set that is in use from one Redis to another.
 *
 * <ol>
 *   <li>It checks both sides, and marks the target as incomplete, so that no process starts on it.
 *   <li>While the site runs it copies every key, then those that have changed meanwhile, and compares all keys.
 *   <li>It closes the source for writes, and copies and compares what has changed last.
 *   <li>It marks the source as moved. The source stays closed, so that no write is acknowledged which nobody will find.
 *   <li>It makes the target complete: only now does a process start on it.
 * </ol>
 *
 * Until the last step the source is the data set: whatever fails, its mark is removed and it is opened again, and the
 * same command goes on with what is copied. The target is never complete while the source takes writes. For one thread,
 * but for {@link #abort}.
 */
public final class MigrateRun implements AutoCloseable {
    /** Keys of one look at a server. */
    private static final int PAGE = 500;

    /** Changed keys are copied in between when there are so many. */
    private static final int CHANGED_MANY = 20_000;

    /** The source is closed when so few keys are left, or after so many turns that have left more. */
    private static final int CHANGED_FEW = 500;

    private static final int TURNS_MAX = 20;

    /** Behind the gate nothing but the end of keys that expire changes. */
    private static final int CLOSED_TURNS_MAX = 20;

    /** A large key takes its time on both sides. */
    private static final Duration ANSWER_MAX = Duration.ofMinutes(1);

    /** The keys of a database other than the first, in {@code INFO keyspace}. */
    private static final Pattern DATABASE = Pattern.compile("(?m)^db[1-9]\\d*:keys=(\\d+)");

    private static final long PROGRESS_NANOS = Duration.ofSeconds(2).toNanos();

    /** The names of the servers of one side, and the claim of a process. */
    private static final Set<Key> LEFT_BEHIND = Set.of(Key.META, Key.MASTER, Key.BUS_MASTER, Key.BUS_REPAIR);

    private final RedisOptions from;
    private final RedisOptions to;
    private final Wishes wishes;
    private final Consumer<String> progress;
    private final EventLoop loop = new EventLoop();

    /** Held while the source is closed, marked or opened again. */
    private final Object closing = new Object();

    private final Map<Key.Type, Long> types = new EnumMap<>(Key.Type.class);
    private final List<String> notes = new ArrayList<>();

    private RedisLink source;
    private RedisLink target;
    private volatile WriteGate gate;
    private KeyCopier copier;
    private ChangedKeys changed;
    private Map<String, String> slots = Map.of();
    private String token = "";
    private long copied;
    private long reportedNanos = System.nanoTime();

    /**
     * {@code min-replicas-to-write} of the source from before its writes were closed; -1 = they are open, or the move
     * cannot be undone any more.
     */
    private volatile int closedFrom = -1;

    /** Whether the target may be complete, so that the source must not be opened. */
    private volatile boolean completing;

    /** From then on the source is neither closed nor marked. */
    private volatile boolean aborted;

    /**
     * The choices of the operator.
     *
     * @param replace whether keys of the namespace that the target has already are replaced and removed
     * @param closeOthers whether others, whose keys are on the servers of the source too, may be without writes
     * @param readOnlyMax after which the source is opened again
     */
    public record Wishes(boolean replace, boolean closeOthers, Duration readOnlyMax) {}

    /**
     * The result of a move.
     *
     * @param types keys that were compared, by type
     * @param copied keys that were copied, some more than once
     * @param readOnly from the first refused write until the copy was complete
     */
    public record Outcome(
            String place,
            Map<Key.Type, Long> types,
            long copied,
            long bytes,
            int lastKeys,
            Duration readOnly,
            Instant moment,
            List<String> notes) {
        public Outcome {
            types = Collections.unmodifiableMap(new EnumMap<>(types));
            notes = List.copyOf(notes);
        }

        /** All keys. */
        public long keys() {
            return types.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /** @param progress receives sentences while it goes on */
    public MigrateRun(RedisOptions from, RedisOptions to, Wishes wishes, Consumer<String> progress) {
        this.from = from.patient(ANSWER_MAX);
        this.to = to.patient(ANSWER_MAX);
        this.wishes = wishes;
        this.progress = progress;
    }

    /** Moves the data. Fails with {@link StartFailed} or {@link RedisError}; then the source is as before. */
    public Outcome run() {
        try {
            return moved();
        } catch (RuntimeException e) {
            throw undone(unwrapped(e));
        }
    }

    /** Undoes the mark of a source that the data have left. Answers where they had moved, or were moving. */
    public static String reopen(RedisOptions options) {
        try (EventLoop loop = new EventLoop()) {
            RedisLink redis = loop.await(() -> RedisLink.open(loop.vertx(), options.patient(ANSWER_MAX)));
            Marks marks = loop.await(() -> Moves.read(redis));
            Mark mark = marks.moved()
                    .or(marks::moving)
                    .orElseThrow(() -> new StartFailed("the data at " + TargetUrl.shown(options)
                            + " have not moved and are not moving: there is nothing to open again"));
            if (mark.isClosed()) {
                new WriteGate(loop, redis).open(mark.replicas());
            }
            loop.run(() -> redis.send(Command.of("HDEL", Keys.META, Moves.MOVED, Moves.MOVING)));
            loop.run(redis::close);
            return mark.place();
        } catch (EventLoop.StepFailed e) {
            throw unwrapped(e);
        }
    }

    private static RuntimeException unwrapped(RuntimeException e) {
        RuntimeException cause =
                e instanceof EventLoop.StepFailed && e.getCause() instanceof RuntimeException unchecked ? unchecked : e;
        return cause instanceof RedisError error && error.isOfRights()
                ? new StartFailed(
                        "a right is missing: " + error.getMessage() + ". At both servers name the administrator:"
                                + " FANFARE_REDIS_URL=redis://default:PASSWORD@HOST for the source, --to redis://default@HOST"
                                + " with FANFARE_TARGET_PASSWORD for the target")
                : cause;
    }

    private Outcome moved() {
        source = open(from, "source");
        gate = new WriteGate(loop, source);
        openCutOff();
        target = open(to, "target");
        begin();
        slots = slots();
        try (ChangedKeys changes = ChangedKeys.watch(loop, source, MigrateRun::isCopied)) {
            changed = changes;
            long others = eachPage("copied", source, this::copy);
            requireAlone(others);
            catchUp();
            compareAll();
            catchUp();
            return finish();
        }
    }

    private RedisLink open(RedisOptions options, String side) {
        try {
            return loop.await(() -> RedisLink.open(loop.vertx(), options));
        } catch (EventLoop.StepFailed e) {
            throw new StartFailed("the " + side + " cannot be used: "
                    + e.getMessage().replace("redis.url", side.equals("target") ? "--to" : "redis.url"));
        }
    }

    /** Opens a source that a killed run has left closed, whatever the target is like now. */
    private void openCutOff() {
        Marks here = loop.await(() -> Moves.read(source));
        if (here.moved().isEmpty()) {
            here.moving().filter(Mark::isClosed).filter(mark -> gate.isClosed()).ifPresent(this::reopened);
        }
    }

    private void reopened(Mark mark) {
        gate.open(mark.replicas());
        loop.run(() -> source.send(Command.of("HDEL", Keys.META, Moves.MOVED)));
        progress.accept("an earlier run was cut off and had left the source closed for writes: it is open again");
    }

    /** Checks both sides and marks them. */
    private void begin() {
        byte[] drawn = new byte[8];
        new SecureRandom().nextBytes(drawn);
        String fresh = HexFormat.of().formatHex(drawn);
        Checks checks = new Checks(loop, source, target, fresh);
        checks.run();
        notes.addAll(checks.notes());
        copier = new KeyCopier(loop, source, target, checks.products());
        progress.accept(checks.products() + ", " + checks.shards() + " shards");
        Marks here = loop.await(() -> Moves.read(source));
        Marks there = loop.await(() -> Moves.read(target));
        // A run that was killed between its last two steps: no process has started on the target.
        Optional<Mark> incomplete = here.moved().filter(mark -> there.arriving()
                .filter(other -> other.token().equals(mark.token()))
                .isPresent());
        incomplete.ifPresent(this::reopened);
        here.moved().filter(mark -> incomplete.isEmpty()).ifPresent(mark -> {
            throw new StartFailed("the data moved to " + mark.place() + " at " + Instant.ofEpochMilli(mark.millis())
                    + " already: set redis.url to it; to move them elsewhere, name it as the source");
        });
        token = here.moving().map(Mark::token).orElse(fresh);
        gate.requireOpen();
        boolean goesOn =
                there.arriving().filter(mark -> mark.token().equals(token)).isPresent();
        if (goesOn) {
            progress.accept("going on with what an earlier run has copied");
        } else if (!wishes.replace()) {
            requireEmpty();
        }
        requireAlone(others());
        mark(-1);
        try {
            // A raise may have begun since the checks; from this mark on, none begins.
            checks.requireNotRaising();
        } catch (StartFailed e) {
            loop.run(() -> source.send(Command.of("HDEL", Keys.META, Moves.MOVING)));
            throw e;
        }
        write(target, Moves.ARRIVING, new Mark(token, System.currentTimeMillis(), -1, TargetUrl.shown(from)));
        loop.run(() -> target.send(Command.of("HDEL", Keys.META, Moves.MOVED, Moves.MOVING, Moves.ARRIVED, "shards")));
    }

    private void mark(int replicas) {
        write(source, Moves.MOVING, new Mark(token, System.currentTimeMillis(), replicas, TargetUrl.shown(to)));
    }

    private void write(RedisLink redis, String field, Mark mark) {
        loop.run(() -> redis.send(Command.of("HSET", Keys.META, field, mark.text())));
    }

    private void requireEmpty() {
        for (String node : loop.call(target::nodes)) {
            String cursor = RedisLink.Scan.BEGIN;
            do {
                String at = cursor;
                RedisLink.Scan scan = loop.await(() -> target.scan(node, at, 1000));
                if (!scan.keys().isEmpty()) {
                    throw new StartFailed(
                            "the target is not empty: it has keys in the namespace "
                                    + target.namespace().name()
                                    + ", which may be another site's data. Name an empty Redis; or, if nobody needs them, give --replace, which removes them");
                }
                cursor = scan.cursor();
            } while (!cursor.equals(RedisLink.Scan.BEGIN));
        }
    }

    private void requireAlone(long others) {
        if (others > 0 && !wishes.closeOthers()) {
            throw new StartFailed(String.format(
                    "the servers of the source have %,d keys of other sites or programs, which could not write either from the last step on, until `fanfare migrate --reopen`: give --close-others if they may stop",
                    others));
        }
    }

    /** Keys of others among some of each server: all are counted with the first pass, which may take long. */
    private long others() {
        long others = 0;
        for (String node : loop.call(source::nodes)) {
            others += inOtherDatabases(node);
            others += loop
                    .await(() -> source.sendTo(node, Command.routed("SCAN", null, "0", "COUNT", PAGE)))
                    .items()
                    .get(1)
                    .items()
                    .stream()
                    .filter(key -> source.namespace().without(key.asString()).isEmpty())
                    .count();
        }
        return others;
    }

    /** Keys of the databases that Fanfare never selects; the gate closes the whole server. */
    private long inOtherDatabases(String node) {
        return DATABASE.matcher(loop.await(() -> source.sendTo(node, Command.routed("INFO", null, "keyspace")))
                        .asString())
                .results()
                .mapToLong(keys -> Long.parseLong(keys.group(1)))
                .sum();
    }

    /** Whether a key goes along with the data. */
    private static boolean isCopied(String key) {
        Optional<KeyShape> shape = KeyShape.of(key);
        return shape.isEmpty() || !LEFT_BEHIND.contains(shape.get().kind());
    }

    /** Hands over all keys that go along, page by page; answers how many keys of others there are. */
    private long eachPage(String what, RedisLink redis, Consumer<List<String>> receiver) {
        long others = 0;
        long done = 0;
        long all = size(redis);
        for (String node : loop.call(redis::nodes)) {
            String cursor = RedisLink.Scan.BEGIN;
            do {
                String at = cursor;
                // A SCAN without MATCH also returns the keys of other namespaces, which are counted.
                List<Reply> scan = loop.await(() -> redis.sendTo(node, Command.routed("SCAN", null, at, "COUNT", PAGE)))
                        .items();
                cursor = scan.get(0).asString();
                List<String> page = new ArrayList<>();
                for (Reply key : scan.get(1).items()) {
                    Optional<String> ours = redis.namespace().without(key.asString());
                    if (ours.isEmpty()) {
                        others++;
                    } else if (isCopied(ours.get())) {
                        page.add(ours.get());
                    }
                }
                receiver.accept(page);
                done += page.size();
                report(what, done, all);
                while (changed.count() > CHANGED_MANY) {
                    copy(changed.take(PAGE));
                }
            } while (!cursor.equals(RedisLink.Scan.BEGIN));
        }
        progress.accept(String.format("%s: %,d keys", what, done));
        return others;
    }

    private long size(RedisLink redis) {
        long keys = 0;
        for (String node : loop.call(redis::nodes)) {
            keys += loop.await(() -> redis.sendTo(node, Command.routed("DBSIZE", null)))
                    .asLong();
        }
        return keys;
    }

    private void report(String what, long done, long all) {
        if (System.nanoTime() - reportedNanos > PROGRESS_NANOS) {
            reportedNanos = System.nanoTime();
            progress.accept(String.format(
                    "%s: %,d of about %,d keys, %,d MiB sent", what, done, all, copier.copiedBytes() >> 20));
        }
    }

    private void copy(List<String> keys) {
        copier.copy(keys);
        copied += keys.size();
    }

    /** Copies what has changed, in turns that become shorter, until little is left. */
    private void catchUp() {
        for (int turn = 0; turn < TURNS_MAX && changed.count() > CHANGED_FEW; turn++) {
            int left = changed.count();
            while (left > 0) {
                List<String> keys = changed.take(PAGE);
                copy(keys);
                left -= Math.max(1, keys.size());
            }
        }
        progress.accept(String.format("%,d keys have changed meanwhile", changed.count()));
    }

    /** A difference is not judged here, since the site goes on writing: the key is copied again behind the gate. */
    private void compareAll() {
        long unused = eachPage("compared", source, page -> {
            changed.addAll(copier.differing(page, types));
        });
        long unusedExtras =
                eachPage("looked for keys that the source lacks", target, page -> changed.addAll(lacking(page)));
    }

    /** The keys of the target that the source does not have. */
    private List<String> lacking(List<String> keys) {
        List<Reply> there = loop.await(() -> source.pipeline(
                keys.stream().map(key -> Command.of("EXISTS", key)).toList()));
        List<String> lacking = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            if (there.get(i).asLong() == 0) {
                lacking.add(keys.get(i));
            }
        }
        return lacking;
    }

    private Outcome finish() {
        int replicas = gate.replicas();
        mark(replicas);
        long began = System.nanoTime();
        synchronized (closing) {
            requireNotAborted();
            closedFrom = replicas;
            gate.close();
        }
        int last = copyLast(began);
        requireSameSlots();
        copyMeta();
        requireTime(began);
        return marked(began, last);
    }

    /** Behind the gate: copies and compares what has changed last. Answers how many keys. */
    private int copyLast(long began) {
        int last = 0;
        for (int turn = 0; turn < CLOSED_TURNS_MAX; turn++) {
            changed.awaitReports();
            int left = changed.count();
            if (left == 0) {
                return last;
            }
            List<String> differing = new ArrayList<>();
            while (left > 0) {
                List<String> keys = changed.take(PAGE);
                left -= Math.max(1, keys.size());
                copy(keys);
                differing.addAll(copier.differing(keys, new EnumMap<>(Key.Type.class)));
                last += keys.size();
                requireTime(began);
            }
            if (!differing.isEmpty() && turn > 0) {
                throw new StartFailed("the copy differs from the source in " + differing.size()
                        + " keys, such as " + differing.get(0)
                        + ": see that nobody else writes to the target, and run the command again");
            }
            changed.addAll(differing);
        }
        throw new StartFailed("keys of the source change although it takes no writes: find out who writes to it past"
                + " the gate (MONITOR), and run the command again");
    }

    private void requireTime(long began) {
        if (System.nanoTime() - began > wishes.readOnlyMax().toNanos()) {
            throw new StartFailed("the last changes were not copied within "
                    + wishes.readOnlyMax().toSeconds()
                    + " s: run the command again at a quieter hour, or allow more with --read-only-max");
        }
    }

    /** The fields of the data set. The target stays marked as incomplete. */
    private void copyMeta() {
        List<Reply> pairs =
                loop.await(() -> source.send(Command.of("HGETALL", Keys.META))).items();
        List<Object> words = new ArrayList<>();
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i + 1 < pairs.size(); i += 2) {
            String name = pairs.get(i).asString();
            if (!Moves.FIELDS.contains(name)) {
                words.add(name);
                words.add(pairs.get(i + 1).asString());
                fields.put(name, pairs.get(i + 1).asString());
            }
        }
        loop.run(() -> target.send(Command.of("HSET", Keys.META, words.toArray())));
        List<Reply> there =
                loop.await(() -> target.send(Command.of("HGETALL", Keys.META))).items();
        List<Object> strange = new ArrayList<>();
        for (int i = 0; i + 1 < there.size(); i += 2) {
            String name = there.get(i).asString();
            if (!name.equals(Moves.ARRIVING) && !there.get(i + 1).asString().equals(fields.get(name))) {
                strange.add(name);
            }
        }
        if (!strange.isEmpty()) {
            loop.run(() -> target.send(Command.of("HDEL", Keys.META, strange.toArray())));
        }
    }

    /** Marks the source, and makes the target complete: from then on it is the data set. */
    private Outcome marked(long began, int last) {
        Instant moment = Instant.now();
        Mark mark = new Mark(token, moment.toEpochMilli(), closedFrom, TargetUrl.shown(to));
        synchronized (closing) {
            requireNotAborted();
            gate.markClosed(mark);
        }
        progress.accept("the source is marked as moved");
        // A write that came between the three commands of the mark is in no copy yet.
        int slipped = copyLast(began);
        Mark arrived = new Mark(token, moment.toEpochMilli(), -1, TargetUrl.shown(from));
        synchronized (closing) {
            requireNotAborted();
            completing = true;
            closedFrom = -1;
        }
        write(target, Moves.ARRIVED, arrived);
        loop.run(() -> target.send(Command.of("HDEL", Keys.META, Moves.ARRIVING)));
        Duration readOnly = Duration.ofNanos(System.nanoTime() - began);
        return new Outcome(mark.place(), types, copied, copier.copiedBytes(), last + slipped, readOnly, moment, notes);
    }

    private void requireNotAborted() {
        if (aborted) {
            throw new StartFailed("interrupted: nothing has moved");
        }
    }

    /** A key whose slot moves during the copy may be missing from it. */
    private void requireSameSlots() {
        if (!slots().equals(slots)) {
            throw new StartFailed("slots of the source have moved to other masters during the copy: run the command"
                    + " again when `redis-cli --cluster reshard` is done");
        }
    }

    private Map<String, String> slots() {
        Map<String, String> own = new TreeMap<>();
        if (source.isOneServer()) {
            return own;
        }
        for (String node : loop.call(source::nodes)) {
            loop.await(() -> source.sendTo(node, Command.routed("CLUSTER", null, "NODES")))
                    .asString()
                    .lines()
                    .filter(line -> line.contains("myself"))
                    .forEach(line -> own.put(node, line.split(" ", 9).length < 9 ? "" : line.split(" ", 9)[8]));
        }
        if (own.values().stream().anyMatch(text -> text.contains("["))) {
            throw new StartFailed("slots of the source are on the move: run the command again when `redis-cli --cluster"
                    + " reshard` is done");
        }
        return own;
    }

    /** Opens the source again after a failure; the cause, or a sentence about a source that stays closed. */
    private RuntimeException undone(RuntimeException cause) {
        if (completing) {
            return new StartFailed("the source is marked as moved and stays closed, but it is not known whether the"
                    + " target is complete (" + cause.getMessage()
                    + "): run the same command again, which finishes the move or says that it is done");
        }
        int replicas = closedFrom;
        if (replicas < 0) {
            return cause;
        }
        try {
            undo(replicas);
            return new StartFailed("nothing has moved, and the source takes writes again: " + cause.getMessage());
        } catch (RuntimeException e) {
            return new StartFailed("nothing has moved, but the source may still refuse writes (" + e.getMessage()
                    + "): run the same command again, or `fanfare migrate --reopen`. The cause was: "
                    + cause.getMessage());
        }
    }

    /**
     * The target is incomplete still, so that no process has started there. The mark of a source whose answer was lost
     * is removed as well.
     */
    private void undo(int replicas) {
        gate.open(replicas);
        closedFrom = -1;
        mark(-1);
        loop.run(() -> source.send(Command.of("HDEL", Keys.META, Moves.MOVED)));
    }

    /** Opens the source when the process ends. From another thread, for a moment. */
    public void abort() {
        aborted = true;
        if (gate == null) {
            return;
        }
        synchronized (closing) {
            if (closedFrom >= 0) {
                undo(closedFrom);
                progress.accept("interrupted: nothing has moved, and the source takes writes again");
            }
        }
    }

    @Override
    public void close() {
        for (RedisLink link : new RedisLink[] {source, target}) {
            if (link != null) {
                loop.run(link::close);
            }
        }
        loop.close();
    }
}
