package io.fanfare.archive;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Open connections to one database, as many as threads have asked at once. Nothing is opened before the first call; the
 * first connection brings the schema up to date. Safe for every thread.
 */
final class Connections implements AutoCloseable {
    /** HikariCP takes no shorter time. */
    private static final Duration WAIT_MIN = Duration.ofMillis(250);

    private final String url;
    private final Duration timeout;
    private final int most;
    private HikariDataSource pool;
    private boolean upToDate;
    private boolean closed;

    Connections(String url, Duration timeout, int most) {
        this.url = url;
        this.timeout = timeout;
        this.most = most;
    }

    /** The work with a connection. */
    @FunctionalInterface
    interface Work<T> {
        T run(Connection connection) throws SQLException;
    }

    /** Blocks. What was not committed is rolled back. */
    <T> T with(Work<T> work) throws SQLException {
        HikariDataSource open = pool();
        try (Connection connection = open.getConnection()) {
            try {
                bringUpToDate(connection);
                return work.run(connection);
            } catch (SQLException e) {
                // Whether it is still good is not asked: a new one is cheap beside a failure.
                open.evictConnection(connection);
                throw e;
            }
        }
    }

    private synchronized HikariDataSource pool() throws SQLException {
        if (closed) {
            throw new SQLException("the archive is closed");
        }
        if (pool == null) {
            pool = open();
        }
        return pool;
    }

    private HikariDataSource open() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setPoolName("archive");
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(most);
        config.setMinimumIdle(0);
        // Less than callers wait, so that they hear why there is none.
        long wait = Math.max(timeout.toMillis() * 3 / 4, WAIT_MIN.toMillis());
        config.setConnectionTimeout(wait);
        config.setValidationTimeout(wait);
        // A database that is away at the first call is one that may come.
        config.setInitializationFailTimeout(-1);
        Database.of(url).configure(config, timeout);
        try {
            return new HikariDataSource(config);
        } catch (PoolInitializationException e) {
            throw new SQLException("the archive cannot be opened", e);
        }
    }

    private synchronized void bringUpToDate(Connection connection) throws SQLException {
        if (!upToDate) {
            Schema.apply(connection, Database.of(url));
            upToDate = true;
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (pool != null) {
            pool.close();
        }
    }
}
