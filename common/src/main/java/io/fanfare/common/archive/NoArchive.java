package io.fanfare.common.archive;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The archive of a process that is not told where one is. */
enum NoArchive implements Archive {
    INSTANCE;

    @Override
    public boolean isPresent() {
        return false;
    }

    @Override
    public Future<Map<Long, Row>> find(Collection<Long> ids) {
        return away();
    }

    @Override
    public Future<List<Entry>> older(Collection<Long> authors, long below, int limit) {
        return away();
    }

    @Override
    public Future<List<Entry>> newer(Collection<Long> authors, long above, long below, int limit) {
        return away();
    }

    @Override
    public Future<Void> put(List<Row> rows) {
        return away();
    }

    @Override
    public Future<Void> delete(List<Entry> entries) {
        return away();
    }

    @Override
    public Future<List<Row>> page(long after, int limit) {
        return away();
    }

    @Override
    public Future<Long> count(long author, long to) {
        return away();
    }

    @Override
    public Future<Stats> stats() {
        return away();
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }

    private static <T> Future<T> away() {
        return Future.failedFuture(AWAY);
    }
}
