package io.fanfare.common.archive;

import io.fanfare.common.model.Refusal;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Statuses that have left Redis. Of each id the archive goes one way: absent, live, deleted. Every call is idempotent,
 * and is durable when it has succeeded.
 *
 * <p>Calls never block the event loop. They fail with {@link #AWAY} when the database does not answer in time, or too
 * many calls wait. Safe for every thread; a future completes on the event loop of its caller.
 */
public interface Archive {
    /** The failure of every call while the database does not answer. */
    Refusal AWAY = Refusal.overloaded("The archive of old posts does not answer: try again in a few seconds.", 5);

    /**
     * One status.
     *
     * @param pass of the pass that wrote it: of two the later one is right
     * @param fields empty when it is deleted
     */
    record Row(long id, long author, boolean deleted, long pass, String fields) {}

    /** An id and its author. */
    record Entry(long id, long author) {}

    /** How many rows there are. */
    record Stats(long live, long deleted, long bytes) {}

    /** Whether this process has one at all. */
    boolean isPresent();

    /** The rows of these ids, deleted ones too. */
    Future<Map<Long, Row>> find(Collection<Long> ids);

    /** Live ids of these authors below an id, the newest first. */
    Future<List<Entry>> older(Collection<Long> authors, long below, int limit);

    /** Live ids of these authors between two ids, both exclusive, the oldest first. */
    Future<List<Entry>> newer(Collection<Long> authors, long above, long below, int limit);

    /** Writes rows in one transaction, but none over one that is deleted, or that a later pass has written. */
    Future<Void> put(List<Row> rows);

    /** Notes in one transaction that these are deleted, whether they are there or not. */
    Future<Void> delete(List<Entry> entries);

    /** Live and deleted rows above an id, in its order. */
    Future<List<Row>> page(long after, int limit);

    /** Live rows of one author up to an id. */
    Future<Long> count(long author, long to);

    Future<Stats> stats();

    /** Closes what is open; later calls fail. */
    Future<Void> close();

    /** None: every call fails. */
    static Archive none() {
        return NoArchive.INSTANCE;
    }
}
