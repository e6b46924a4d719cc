package io.fanfare.common.archive;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Deque;
import java.util.Properties;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Open connections to one database, as many as threads have asked at once. The first one brings the schema up to date.
 * One that has failed is closed and not used again. Safe for every thread.
 */
final class Connections implements AutoCloseable {
    private static final String SQLITE = "jdbc:sqlite:";

    private final String url;
    private final int timeoutMillis;
    private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();
    private boolean upToDate;
    private volatile boolean closed;

    Connections(String url, int timeoutMillis) {
        this.url = url;
        this.timeoutMillis = timeoutMillis;
    }

    /** What is done with a connection. */
    @FunctionalInterface
    interface Work<T> {
        T run(Connection connection) throws SQLException;
    }

    /** Blocks. What was not committed is rolled back. */
    <T> T with(Work<T> work) throws SQLException {
        Connection connection = idle.pollFirst();
        if (connection == null) {
            connection = open();
        }
        boolean good = false;
        try {
            T result = work.run(connection);
            good = true;
            return result;
        } finally {
            if (good && !closed) {
                idle.addFirst(connection);
            } else {
                connection.close();
            }
        }
    }

    private Connection open() throws SQLException {
        if (closed) {
            throw new SQLException("the archive is closed");
        }
        Connection connection = DriverManager.getConnection(url, properties());
        try {
            bringUpToDate(connection);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private Properties properties() throws SQLException {
        Properties properties = new Properties();
        if (url.startsWith(SQLITE)) {
            createFile(Path.of(url.substring(SQLITE.length())));
            properties.setProperty("journal_mode", "WAL");
            properties.setProperty("synchronous", "FULL");
            properties.setProperty("busy_timeout", Integer.toString(timeoutMillis));
            // A transaction takes the lock of the writer when it begins: taking it later could fail at once.
            properties.setProperty("transaction_mode", "IMMEDIATE");
        } else {
            String seconds = Integer.toString(Math.max(1, timeoutMillis / 1000));
            properties.setProperty("connectTimeout", seconds);
            properties.setProperty("socketTimeout", seconds);
        }
        return properties;
    }

    /** It holds what was posted for followers only: nobody else on the machine reads it. */
    private static void createFile(Path file) throws SQLException {
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (FileAlreadyExistsException there) {
            // As it is after the first start.
        } catch (IOException e) {
            throw new SQLException("cannot make the file of the archive", e);
        }
    }

    private synchronized void bringUpToDate(Connection connection) throws SQLException {
        if (!upToDate) {
            Schema.apply(connection);
            upToDate = true;
        }
    }

    @Override
    public void close() {
        closed = true;
        for (Connection connection = idle.pollFirst(); connection != null; connection = idle.pollFirst()) {
            try {
                connection.close();
            } catch (SQLException e) {
                // Nothing is left to be done with it.
            }
        }
    }
}
