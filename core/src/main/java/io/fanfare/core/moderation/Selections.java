package io.fanfare.core.moderation;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.model.Warning.Action;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.Act.Via;
import io.fanfare.core.moderation.Selection.Found;
import io.fanfare.core.moderation.Selection.Phase;
import io.fanfare.core.moderation.Selection.SelectionAct;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.JobType;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Owns the keys of selections in the slot of moderation: which accounts, and how far the act on them is. An act and its
 * undo run as a job, see {@link SelectionRun}; the record is written before the job is enqueued, and a repetition of
 * the request enqueues it again, so that a crash between the two loses nothing.
 *
 * <p>Fields of {@code {moderation}:selection:<number>}, a HASH:
 *
 * <dl>
 *   <dt>{@code made}, {@code author}, {@code criteria}, {@code count}, {@code more}, {@code complete}, {@code posts}
 *   <dd>the selection, see {@link Selection}
 *   <dt>{@code turn}, {@code phase}, {@code cursor}
 *   <dd>{@code act} or {@code undo}, its {@link Phase}, and how many accounts of the list are settled
 *   <dt>{@code kind}, {@code text}, {@code started}, {@code ended}
 *   <dd>of the act
 *   <dt>{@code by}, {@code via}, {@code name}, {@code why}; the same after {@code undo_}
 *   <dd>the actor of the act and of its undo
 *   <dt>{@code changed}, {@code gone}, {@code skipped}, {@code restored}
 *   <dd>counts of settled accounts
 * </dl>
 */
public final class Selections {
    /** Selections that are kept. */
    public static final int MAX = 200;

    /** For how long a selection without an act is kept. */
    public static final Duration LIFE = Duration.ofHours(1);

    /** For how long a selection is kept after its act, or its undo, has begun: longer than it can be undone. */
    public static final Duration ACTED_LIFE = Selection.UNDO_LIFE.multipliedBy(2);

    private static final Script ADD = Script.load("selection_add");
    private static final Script BEGIN = Script.load("selection_begin");
    private static final Script STEP = Script.load("selection_step");

    private final Redis redis;
    private final ModerationLog log;

    public Selections(Redis redis, ModerationLog log) {
        this.redis = redis;
        this.log = log;
    }

    /** Keeps a selection; its number. Fails with {@code Refusal(INVALID)} when {@value #MAX} are kept. */
    public Future<Long> add(long author, String criteria, List<Long> accounts, Found found) {
        if (accounts.size() > Selection.MAX) {
            throw new IllegalArgumentException(accounts.size() + " accounts");
        }
        return redis.send(Command.of("INCR", Keys.LAST_SELECTION))
                .map(Reply::asLong)
                .compose(number -> {
                    List<Object> fields = new ArrayList<>(List.of(
                            "author",
                            author,
                            "criteria",
                            criteria,
                            "count",
                            accounts.size(),
                            "more",
                            flag(found.more())));
                    fields.addAll(List.of("complete", flag(found.complete()), "posts", found.postsSinceMillis()));
                    List<Object> arguments = new ArrayList<>(List.of("", number, LIFE.toMillis(), MAX, fields.size()));
                    arguments.addAll(fields);
                    arguments.addAll(accounts);
                    return redis.send(ADD.call(
                                    List.of(Keys.SELECTIONS, Keys.selection(number), Keys.selectedAccounts(number)),
                                    arguments.toArray()))
                            .map(added -> {
                                if (added.asLong() == 0) {
                                    throw new Refusal(
                                            Reason.INVALID,
                                            MAX + " selections are kept, which is the most: one without an act ends"
                                                    + " after an hour.");
                                }
                                return number;
                            });
                });
    }

    private static int flag(boolean value) {
        return value ? 1 : 0;
    }

    /** Finds a selection that has not ended. */
    public Future<Optional<Selection>> find(long number) {
        return redis.send(Command.of("HGETALL", Keys.selection(number))).map(fields -> read(number, fields));
    }

    /** Finds a selection; fails with {@link Refusal#unknown} when there is none, or it has ended. */
    public Future<Selection> require(long number) {
        return find(number).map(found -> found.orElseThrow(Refusal::unknown));
    }

    /** All that are kept, the newest first. */
    public Future<List<Selection>> list() {
        return redis.send(Command.of("ZRANGE", Keys.SELECTIONS, 0, MAX - 1)).compose(reply -> {
            List<Long> numbers = reply.items().stream()
                    .map(Reply::asLong)
                    .sorted(Comparator.reverseOrder())
                    .toList();
            List<Command> reads = numbers.stream()
                    .map(number -> Command.of("HGETALL", Keys.selection(number)))
                    .toList();
            return BatchedPipeline.send(redis, reads).map(replies -> {
                List<Selection> found = new ArrayList<>();
                for (int i = 0; i < replies.size(); i++) {
                    read(numbers.get(i), replies.get(i)).ifPresent(found::add);
                }
                return found;
            });
        });
    }

    /** The first accounts of a selection. */
    public Future<List<Long>> first(long number, int max) {
        return accounts(number, /* place= */ 0, max);
    }

    /** The accounts of a selection from a place on. */
    Future<List<Long>> accounts(long number, long place, int max) {
        return redis.send(Command.of("LRANGE", Keys.selectedAccounts(number), place, place + max - 1))
                .map(reply -> reply.items().stream().map(Reply::asLong).toList());
    }

    private static Optional<Selection> read(long number, Reply reply) {
        Map<String, String> fields = new HashMap<>();
        List<Reply> flat = reply.items();
        for (int i = 0; i < flat.size(); i += 2) {
            fields.put(flat.get(i).asString(), flat.get(i + 1).asString());
        }
        if (!fields.containsKey("count")) {
            return Optional.empty();
        }
        Found found = new Found(number(fields, "more") == 1, number(fields, "complete") == 1, number(fields, "posts"));
        return Optional.of(new Selection(
                number,
                number(fields, "made"),
                number(fields, "author"),
                fields.get("criteria"),
                (int) number(fields, "count"),
                found,
                fields.containsKey("turn") ? act(fields) : null));
    }

    private static SelectionAct act(Map<String, String> fields) {
        boolean undo = fields.get("turn").equals("undo");
        String of = undo ? "undo_" : "";
        return new SelectionAct(
                Action.of(fields.get("kind")),
                undo,
                Phase.valueOf(fields.get("phase").toUpperCase(Locale.ROOT)),
                new Actor(
                        Via.of(fields.get(of + "via")),
                        number(fields, of + "by"),
                        fields.getOrDefault(of + "name", "")),
                fields.getOrDefault(of + "why", ""),
                fields.getOrDefault("text", ""),
                number(fields, "started"),
                (int) number(fields, "cursor"),
                (int) number(fields, "changed"),
                (int) number(fields, "gone"),
                (int) number(fields, "skipped"),
                (int) number(fields, "restored"));
    }

    private static long number(Map<String, String> fields, String name) {
        return Long.parseLong(fields.getOrDefault(name, "0"));
    }

    /**
     * Begins an act on a selection and enqueues its job; the same act again only enqueues the job again, if the act is
     * not done. Fails with {@code Refusal(FORBIDDEN)} when an account acts that is no moderator, with
     * {@link Refusal#unknown} for a selection that has ended, and with {@code Refusal(INVALID)} when it has no account,
     * or another act.
     *
     * @param action sensitive, silence or suspend
     * @param text the message to the accounts; may be empty
     */
    public Future<Selection> act(long number, Action action, Actor actor, String text, String why, JobQueue queue) {
        return begin(number, "act", action, actor, text, why, queue);
    }

    /**
     * Begins the undo of the act on a selection, also while that runs, and enqueues its job; likewise. Fails with
     * {@code Refusal(INVALID)} also {@link Selection#UNDO_LIFE} after the begin of the act.
     */
    public Future<Selection> undo(long number, Actor actor, String why, JobQueue queue) {
        return begin(number, "undo", Action.NONE, actor, "", why, queue);
    }

    private Future<Selection> begin(
            long number, String turn, Action action, Actor actor, String text, String why, JobQueue queue) {
        boolean undo = turn.equals("undo");
        return require(number)
                .compose(before -> {
                    String of = undo ? "undo_" : "";
                    List<Object> fields = new ArrayList<>(List.of(
                            of + "by", actor.account(), of + "via", actor.via().label(), of + "name", actor.name()));
                    fields.addAll(List.of(of + "why", why));
                    if (!undo) {
                        fields.addAll(List.of("text", text));
                    }
                    Act act = new Act(
                            actor,
                            "selections." + (undo ? "undo" : Selection.verb(action)),
                            /* account= */ 0,
                            /* report= */ 0,
                            /* status= */ 0,
                            "selection " + number + ", " + before.count() + " accounts: " + before.criteria(),
                            why);
                    List<Object> arguments = new ArrayList<>(List.of(
                            "",
                            number,
                            turn,
                            action.wire(),
                            actor.account(),
                            ACTED_LIFE.toMillis(),
                            Selection.UNDO_LIFE.toMillis(),
                            log.max(),
                            fields.size()));
                    arguments.addAll(fields);
                    arguments.addAll(act.fields());
                    return redis.send(BEGIN.call(
                            List.of(
                                    Keys.SELECTIONS,
                                    Keys.selection(number),
                                    Keys.selectedAccounts(number),
                                    Keys.MODERATION_ROLES,
                                    Keys.MODERATION_LOG),
                            arguments.toArray()));
                })
                .compose(answer -> begun(answer.asString()))
                .compose(begun -> require(number))
                .compose(selection -> selection.act().phase() == Phase.RUNNING
                        ? enqueue(selection, queue).map(selection)
                        : Future.succeededFuture(selection));
    }

    private static Future<Void> begun(String answer) {
        return switch (answer) {
            case "begun", "same" -> Future.succeededFuture();
            case "absent" -> Future.failedFuture(Refusal.unknown());
            case "rank" ->
                Future.failedFuture(new Refusal(
                        Reason.FORBIDDEN,
                        "This action is not allowed: it needs the role of a moderator, which an operator gives."));
            case "empty" -> refuse("This selection has no account: select others.");
            case "other" -> refuse("This selection has another act already: select the accounts again for this one.");
            case "undone" -> refuse("The act on this selection was undone: select the accounts again to act on them.");
            case "idle" -> refuse("Nothing was done to this selection, so there is nothing to undo.");
            case "late" ->
                refuse("This act began more than " + Selection.UNDO_LIFE.toHours()
                        + " hours ago: lift the restrictions one by one, or select the accounts again.");
            default -> throw new IllegalStateException("selection_begin answered " + answer);
        };
    }

    private static Future<Void> refuse(String sentence) {
        return Future.failedFuture(new Refusal(Reason.INVALID, sentence));
    }

    /** The job lies in the shard of the moderator, or of the first account for an operator. */
    private Future<Void> enqueue(Selection selection, JobQueue queue) {
        long by = selection.act().actor().account();
        Future<Long> owner = by > 0
                ? Future.succeededFuture(by)
                : first(selection.number(), 1).map(accounts -> accounts.get(0));
        return owner.compose(account -> queue.enqueue(
                        new Job.Repair(
                                JobType.SELECTION,
                                account,
                                selection.number(),
                                selection.act().settled()),
                        Lane.NORMAL)
                .compose(waits -> queue.wake(Id.shard(account)).otherwiseEmpty()));
    }

    /**
     * Some accounts of a selection.
     *
     * @param place of the first of them in the list
     * @param taken how many of the list were looked at
     * @param accounts those among them that the actor's role reaches
     */
    record Batch(int place, int taken, List<Long> accounts) {
        /** Before the first. */
        static final Batch NONE = new Batch(-1, 0, List.of());

        boolean isEmpty() {
            return taken == 0;
        }

        boolean isAt(long place) {
            return !isEmpty() && this.place == place;
        }
    }

    /**
     * Settles a batch and takes the next one, which is empty when nothing more is to be done. A batch that was settled
     * before is not settled again.
     *
     * @param changed accounts of the batch that the act, or its undo, has changed
     * @param gone accounts of the batch that are deleted
     */
    Future<Batch> step(Selection selection, Batch settled, List<Long> changed, int gone, int max) {
        SelectionAct act = selection.act();
        List<Object> entry = Act.on(
                        act.actor(),
                        "accounts." + (act.undo() ? "un" : "") + Selection.verb(act.action()),
                        /* account= */ 0,
                        act.why())
                .withDetail("selection " + selection.number())
                .fields();
        List<Object> arguments = new ArrayList<>(List.of(
                "",
                act.undo() ? "undo" : "act",
                max,
                log.max(),
                settled.place(),
                settled.taken(),
                gone,
                settled.taken() - settled.accounts().size(),
                entry.size()));
        arguments.addAll(entry);
        arguments.addAll(changed);
        long number = selection.number();
        return redis.send(STEP.call(
                        List.of(
                                Keys.selection(number),
                                Keys.selectedAccounts(number),
                                Keys.MODERATION_ROLES,
                                Keys.MODERATION_LOG),
                        arguments.toArray()))
                .map(reply -> {
                    List<Long> numbers =
                            reply.items().stream().map(Reply::asLong).toList();
                    return numbers.isEmpty()
                            ? new Batch(0, 0, List.of())
                            : new Batch(
                                    numbers.get(0).intValue(),
                                    numbers.get(1).intValue(),
                                    numbers.subList(2, numbers.size()));
                });
    }
}
