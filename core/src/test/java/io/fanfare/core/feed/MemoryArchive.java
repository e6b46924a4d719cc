package io.fanfare.core.feed;

import io.fanfare.common.archive.Archive;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** An archive as the database behaves, in memory; it can leave out each of its rules. */
public final class MemoryArchive implements Archive {
    private final NavigableMap<Long, Row> rows = new TreeMap<>();
    public boolean deletesAreSticky = true;
    public boolean latestPassWins = true;
    public boolean appliesDeletes = true;
    public boolean keepsWhatIsWritten = true;

    @Override
    public boolean isPresent() {
        return true;
    }

    @Override
    public Future<Map<Long, Row>> find(Collection<Long> ids) {
        Map<Long, Row> found = new HashMap<>(rows);
        found.keySet().retainAll(new HashSet<>(ids));
        return Future.succeededFuture(found);
    }

    @Override
    public Future<List<Entry>> older(Collection<Long> authors, long below, int limit) {
        return Future.succeededFuture(entries(rows.headMap(below, false).descendingMap(), authors, limit));
    }

    @Override
    public Future<List<Entry>> newer(Collection<Long> authors, long above, long below, int limit) {
        return Future.succeededFuture(
                entries(rows.subMap(above, false, Math.max(above, below), false), authors, limit));
    }

    private static List<Entry> entries(Map<Long, Row> rows, Collection<Long> authors, int limit) {
        Set<Long> wanted = Set.copyOf(authors);
        return rows.values().stream()
                .filter(row -> !row.deleted() && wanted.contains(row.author()))
                .limit(limit)
                .map(row -> new Entry(row.id(), row.author()))
                .toList();
    }

    @Override
    public Future<Void> put(List<Row> added) {
        if (keepsWhatIsWritten) {
            added.forEach(row -> rows.merge(row.id(), row, this::later));
        }
        return Future.succeededFuture(null);
    }

    private Row later(Row old, Row row) {
        boolean stays = (old.deleted() && deletesAreSticky) || (old.pass() > row.pass() && latestPassWins);
        return stays ? old : row;
    }

    @Override
    public Future<Void> delete(List<Entry> entries) {
        if (appliesDeletes) {
            entries.forEach(entry -> rows.put(entry.id(), new Row(entry.id(), entry.author(), true, 0, "")));
        }
        return Future.succeededFuture(null);
    }

    @Override
    public Future<List<Row>> page(long after, int limit) {
        return Future.succeededFuture(
                rows.tailMap(after, false).values().stream().limit(limit).toList());
    }

    @Override
    public Future<Long> count(long author, long to) {
        return Future.succeededFuture(rows.headMap(to, true).values().stream()
                .filter(row -> row.author() == author && !row.deleted())
                .count());
    }

    @Override
    public Future<Stats> stats() {
        return Future.succeededFuture(new Stats(rows.size(), 0, 0));
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }
}
