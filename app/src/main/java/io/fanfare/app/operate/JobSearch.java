package io.fanfare.app.operate;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Id;
import io.fanfare.common.queue.Lane;
import io.fanfare.core.queue.BatchesInFlight.Found;
import io.fanfare.core.queue.BatchesInFlight.InFlight;
import io.fanfare.core.queue.DeadLetter;
import io.fanfare.core.queue.DeadLetters;
import io.fanfare.core.queue.QueuedJobs;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;

/**
 * Looks through all lists of the queue for jobs that name an id, the shard of the id first, up to a bound. A job that
 * moves from one list to another meanwhile may be missed, or found twice. For one use, by one thread.
 */
public final class JobSearch {
    /** Job lines that one search looks at. */
    private static final int LOOK_MAX = 1_000_000;

    private static final int FOUND_MAX = 1000;
    private static final int BATCHES_MAX = 10_000;

    /** Words of a job line before its fields: recoveries, attempt, ms, type. */
    private static final int ENVELOPE = 4;

    private final QueueAccess session;
    private final String id;
    private final int ownShard;
    private final List<Place> found = new ArrayList<>();
    private int looked;
    private boolean sawAll = true;

    public JobSearch(QueueAccess session, long id) {
        this.session = session;
        this.id = Long.toString(id);
        this.ownShard = Id.shard(id);
    }

    /**
     * The location of a job.
     *
     * @param where a lane, {@code suspect}, {@code delayed}, {@code batch} or {@code dead}
     * @param remark what else is known: its place, when it is due, who has it, why it died
     */
    public record Place(int shard, String where, String remark, String job) {}

    public List<Place> run() {
        found.clear();
        if (ownShard < session.shardCount()) {
            search(ownShard);
        }
        for (int shard = 0; shard < session.shardCount(); shard++) {
            if (shard != ownShard) {
                search(shard);
            }
        }
        inBatches();
        return List.copyOf(found);
    }

    /** Whether every job was looked at. */
    public boolean sawAll() {
        return sawAll;
    }

    public int looked() {
        return looked;
    }

    /** The result of {@link #run}, for programs. */
    public JsonObject json() {
        JsonArray places = new JsonArray();
        found.forEach(place -> places.add(new JsonObject()
                .put("shard", place.shard())
                .put("where", place.where())
                .put("remark", place.remark())
                .put("job", place.job())));
        return new JsonObject().put("found", places).put("looked_at", looked).put("saw_all", sawAll);
    }

    private void search(int shard) {
        for (Lane lane : Lane.values()) {
            inList(shard, lane.key());
        }
        inList(shard, "suspect");
        pages(
                from -> session.ask(queue -> queue.queuedJobs().delayed(shard, from)),
                (line, index) -> note(
                        shard, "delayed", "due " + Terminal.time(line.dueMillis()) + failed(line.text()), line.text()));
        pages(
                from -> session.ask(queue -> letters(queue.deadLetters(), shard, from)),
                (letter, index) -> note(
                        shard,
                        "dead",
                        Terminal.time(letter.diedAtMillis()) + ": " + Terminal.printable(letter.reason()),
                        letter.job()));
    }

    /** The second word of a line is how often the job has failed. */
    private static String failed(String job) {
        String[] words = job.split(" ", 3);
        return words.length < 3 || words[1].equals("0") ? "" : ", failures " + words[1];
    }

    private static Future<List<DeadLetter>> letters(DeadLetters letters, int shard, int from) {
        return letters.page(shard, from, QueuedJobs.PAGE);
    }

    private void inList(int shard, String list) {
        int first = found.size();
        List<Integer> places = new ArrayList<>();
        int length =
                pages(from -> session.ask(queue -> queue.queuedJobs().waiting(shard, list, from)), (line, index) -> {
                    int before = found.size();
                    note(shard, list, "", line.text());
                    if (found.size() > before) {
                        places.add(index);
                    }
                });
        for (int i = 0; i < places.size(); i++) {
            Place place = found.get(first + i);
            found.set(first + i, new Place(shard, list, (length - places.get(i) - 1) + " jobs before it", place.job()));
        }
    }

    private boolean mayLook() {
        boolean may = looked < LOOK_MAX && found.size() < FOUND_MAX && !session.isOver();
        sawAll &= may;
        return may;
    }

    private void inBatches() {
        if (!mayLook()) {
            return;
        }
        Found batches = session.ask(queue -> queue.batchesInFlight().list(BATCHES_MAX));
        sawAll &= !batches.more() && batches.unreached().isEmpty();
        for (InFlight batch : batches.batches()) {
            pages(
                    from -> session.ask(queue -> queue.queuedJobs().inBatch(batch.shard(), batch.name(), from)),
                    (line, index) -> note(
                            batch.shard(),
                            "batch",
                            batch.name() + ", lease " + (batch.leaseLeftMillis() < 0 ? "ended" : "runs"),
                            line.text()));
        }
    }

    /** Calls for each line with its index; how many there were. */
    @CanIgnoreReturnValue
    private <T> int pages(IntFunction<List<T>> page, BiConsumer<T, Integer> each) {
        int index = 0;
        while (true) {
            if (!mayLook()) {
                return index;
            }
            List<T> lines = page.apply(index);
            for (T line : lines) {
                each.accept(line, index++);
            }
            looked += lines.size();
            if (lines.size() < QueuedJobs.PAGE) {
                return index;
            }
        }
    }

    private void note(int shard, String where, String remark, String job) {
        String[] words = job.split(" ", -1);
        if (words.length > ENVELOPE
                && Arrays.asList(words).subList(ENVELOPE, words.length).contains(id)) {
            found.add(new Place(shard, where, remark, job));
        }
    }
}
