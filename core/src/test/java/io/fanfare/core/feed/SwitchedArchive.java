package io.fanfare.core.feed;

import io.fanfare.common.archive.Archive;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A real archive that can be away. */
public class SwitchedArchive implements Archive {
    private final Archive archive;

    /** Whether every call fails. */
    public boolean isAway;

    public SwitchedArchive(Archive archive) {
        this.archive = archive;
    }

    private <T> Future<T> unlessAway(Supplier<Future<T>> call) {
        return isAway ? Future.failedFuture(AWAY) : call.get();
    }

    /** The same as somebody sees it who takes an archive that is away for an empty one. */
    Archive emptyWhenAway() {
        return new SwitchedArchive(archive) {
            @Override
            public Future<Map<Long, Row>> find(Collection<Long> ids) {
                return SwitchedArchive.this.isAway ? Future.succeededFuture(Map.of()) : super.find(ids);
            }

            @Override
            public Future<List<Entry>> older(Collection<Long> authors, long below, int limit) {
                return SwitchedArchive.this.isAway
                        ? Future.succeededFuture(List.of())
                        : super.older(authors, below, limit);
            }

            @Override
            public Future<List<Entry>> newer(Collection<Long> authors, long above, long below, int limit) {
                return SwitchedArchive.this.isAway
                        ? Future.succeededFuture(List.of())
                        : super.newer(authors, above, below, limit);
            }
        };
    }

    @Override
    public boolean isPresent() {
        return true;
    }

    @Override
    public Future<Map<Long, Row>> find(Collection<Long> ids) {
        return unlessAway(() -> archive.find(ids));
    }

    @Override
    public Future<List<Entry>> older(Collection<Long> authors, long below, int limit) {
        return unlessAway(() -> archive.older(authors, below, limit));
    }

    @Override
    public Future<List<Entry>> newer(Collection<Long> authors, long above, long below, int limit) {
        return unlessAway(() -> archive.newer(authors, above, below, limit));
    }

    @Override
    public Future<Void> put(List<Row> rows) {
        return unlessAway(() -> archive.put(rows));
    }

    @Override
    public Future<Void> delete(List<Entry> entries) {
        return unlessAway(() -> archive.delete(entries));
    }

    @Override
    public Future<List<Row>> page(long after, int limit) {
        return unlessAway(() -> archive.page(after, limit));
    }

    @Override
    public Future<Long> count(long author, long to) {
        return unlessAway(() -> archive.count(author, to));
    }

    @Override
    public Future<Stats> stats() {
        return unlessAway(archive::stats);
    }

    @Override
    public Future<Void> close() {
        return archive.close();
    }
}
