package io.fanfare.archive;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.settings.Settings;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;

/**
 * The archive in SQLite or PostgreSQL, by JDBC. Calls run on threads of their own, {@code archive.threads} at once;
 * {@code archive.waiting-max} more wait, the others fail. A call that takes longer than {@code archive.timeout} fails
 * for its caller; its thread is busy until the database lets go of it, and one that waits till then does not run.
 */
public final class JdbcArchive implements Archive {
    /** Values in one statement. */
    private static final int VALUES_MAX = 500;

    private static final String PUT = "INSERT INTO status (id, author, deleted, pass, fields) VALUES (?, ?, 0, ?, ?)"
            + " ON CONFLICT (id) DO UPDATE SET pass = excluded.pass, fields = excluded.fields"
            + " WHERE status.deleted = 0 AND status.pass <= excluded.pass";
    private static final String DELETE = "INSERT INTO status (id, author, deleted, pass, fields)"
            + " VALUES (?, ?, 1, 0, '') ON CONFLICT (id) DO UPDATE SET deleted = 1, fields = ''";
    private static final String COLUMNS = "SELECT id, author, deleted, pass, fields FROM status";

    private final Vertx vertx;
    private final WorkerExecutor threads;
    private final Connections connections;
    private final int callsMax;
    private final long timeoutMillis;
    private final AtomicInteger calls = new AtomicInteger();
    private final Outage outage = new Outage();
    private final Timer times;
    private final Counter failures;

    private JdbcArchive(Vertx vertx, Settings.Archive settings, MeterRegistry metrics) {
        this.vertx = vertx;
        this.timeoutMillis = settings.timeout().toMillis();
        this.threads = vertx.createSharedWorkerExecutor("archive", settings.threads(), 60, TimeUnit.SECONDS);
        this.connections = new Connections(settings.jdbcUrl().reveal(), settings.timeout(), settings.threads());
        this.callsMax = settings.threads() + settings.waitingMax();
        this.times = metrics.timer("fanfare.archive.calls");
        this.failures = metrics.counter("fanfare.archive.failures");
        metrics.gauge("fanfare.archive.waiting", calls);
        Gauge.builder("fanfare.archive.away", outage, current -> current.isAway() ? 1 : 0)
                .description("1 while the database of the archive does not answer")
                .strongReference(true)
                .register(metrics);
    }

    /** The one that the settings name, or none. Opens nothing before the first call. */
    public static Archive of(Vertx vertx, Settings.Archive settings, MeterRegistry metrics) {
        return settings.jdbcUrl().isSet() ? new JdbcArchive(vertx, settings, metrics) : Archive.none();
    }

    @Override
    public boolean isPresent() {
        return true;
    }

    @Override
    public Future<Map<Long, Row>> find(Collection<Long> ids) {
        if (ids.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        List<Long> all = List.copyOf(ids);
        return call(connection -> {
            Map<Long, Row> rows = new HashMap<>();
            for (int from = 0; from < all.size(); from += VALUES_MAX) {
                List<Long> chunk = all.subList(from, Math.min(from + VALUES_MAX, all.size()));
                for (Row row : rows(connection, COLUMNS + " WHERE id IN (" + marks(chunk.size()) + ")", chunk)) {
                    rows.put(row.id(), row);
                }
            }
            return rows;
        });
    }

    @Override
    public Future<List<Entry>> older(Collection<Long> authors, long below, int limit) {
        return entries(authors, "id < ? ORDER BY id DESC LIMIT ?", List.of(below, (long) limit));
    }

    @Override
    public Future<List<Entry>> newer(Collection<Long> authors, long above, long below, int limit) {
        return entries(authors, "id > ? AND id < ? ORDER BY id LIMIT ?", List.of(above, below, (long) limit));
    }

    private Future<List<Entry>> entries(Collection<Long> authors, String range, List<Long> bounds) {
        if (authors.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        String sql = "SELECT id, author FROM status WHERE author IN (" + marks(authors.size())
                + ") AND deleted = 0 AND " + range;
        List<Long> values = new ArrayList<>(authors);
        values.addAll(bounds);
        return call(connection -> {
            try (PreparedStatement select = prepare(connection, sql, values);
                    ResultSet result = select.executeQuery()) {
                List<Entry> entries = new ArrayList<>();
                while (result.next()) {
                    entries.add(new Entry(result.getLong(1), result.getLong(2)));
                }
                return entries;
            }
        });
    }

    @Override
    public Future<Void> put(List<Row> rows) {
        return write(PUT, rows, Row::id, (insert, row) -> {
            insert.setLong(1, row.id());
            insert.setLong(2, row.author());
            insert.setLong(3, row.pass());
            insert.setString(4, row.fields());
        });
    }

    @Override
    public Future<Void> delete(List<Entry> entries) {
        return write(DELETE, entries, Entry::id, (insert, entry) -> {
            insert.setLong(1, entry.id());
            insert.setLong(2, entry.author());
        });
    }

    /** Sets the values of one row. */
    @FunctionalInterface
    private interface Binder<T> {
        void bind(PreparedStatement statement, T row) throws SQLException;
    }

    private <T> Future<Void> write(String sql, List<T> rows, ToLongFunction<T> id, Binder<T> binder) {
        if (rows.isEmpty()) {
            return Future.succeededFuture();
        }
        // Two who lock rows in one order never wait for each other.
        List<T> sorted = rows.stream().sorted(Comparator.comparingLong(id)).toList();
        return call(connection -> {
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement(sql)) {
                for (T row : sorted) {
                    binder.bind(insert, row);
                    insert.addBatch();
                }
                insert.executeBatch();
                connection.commit();
            }
            return null;
        });
    }

    @Override
    public Future<List<Row>> page(long after, int limit) {
        return call(connection ->
                rows(connection, COLUMNS + " WHERE id > ? ORDER BY id LIMIT ?", List.of(after, (long) limit)));
    }

    @Override
    public Future<Long> count(long author, long to) {
        return call(connection -> number(
                connection,
                "SELECT COUNT(*) FROM status WHERE author = ? AND id <= ? AND deleted = 0",
                List.of(author, to)));
    }

    @Override
    public Future<Stats> stats() {
        return call(connection -> new Stats(
                number(connection, "SELECT COUNT(*) FROM status WHERE deleted = 0", List.of()),
                number(connection, "SELECT COUNT(*) FROM status WHERE deleted = 1", List.of()),
                number(connection, "SELECT COALESCE(SUM(OCTET_LENGTH(fields)), 0) FROM status", List.of())));
    }

    @Override
    public Future<Void> close() {
        // Waits for calls that run.
        return vertx.<Void>executeBlocking(() -> {
                    connections.close();
                    return null;
                })
                .eventually(threads::close);
    }

    private <T> Future<T> call(Connections.Work<T> work) {
        if (calls.incrementAndGet() > callsMax) {
            calls.decrementAndGet();
            failures.increment();
            return Future.failedFuture(AWAY);
        }
        AtomicBoolean late = new AtomicBoolean();
        Future<T> answer = threads.executeBlocking(() -> run(work, late), false);
        return answer.onComplete(done -> calls.decrementAndGet())
                .timeout(timeoutMillis, TimeUnit.MILLISECONDS)
                .onComplete(done -> late.set(true))
                .onSuccess(done -> outage.answered())
                .recover(cause -> {
                    failures.increment();
                    outage.failed(cause);
                    return Future.failedFuture(AWAY);
                });
    }

    private <T> T run(Connections.Work<T> work, AtomicBoolean late) throws Exception {
        if (late.get()) {
            // Nobody waits for it: while the database is away, these would keep the threads from those who do.
            throw new SQLException("the caller has gone");
        }
        return times.recordCallable(() -> connections.with(work));
    }

    private static List<Row> rows(Connection connection, String sql, List<Long> values) throws SQLException {
        try (PreparedStatement select = prepare(connection, sql, values);
                ResultSet result = select.executeQuery()) {
            List<Row> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(new Row(
                        result.getLong(1),
                        result.getLong(2),
                        result.getInt(3) != 0,
                        result.getLong(4),
                        result.getString(5)));
            }
            return rows;
        }
    }

    private static long number(Connection connection, String sql, List<Long> values) throws SQLException {
        try (PreparedStatement select = prepare(connection, sql, values);
                ResultSet result = select.executeQuery()) {
            return result.next() ? result.getLong(1) : 0;
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql, List<Long> values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            for (int i = 0; i < values.size(); i++) {
                statement.setLong(i + 1, values.get(i));
            }
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }

    /** So many question marks. */
    private static String marks(int count) {
        return String.join(",", Collections.nCopies(count, "?"));
    }
}
