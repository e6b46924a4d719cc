package io.fanfare.archive;

import io.fanfare.failure.Reason;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;

/**
 * A copy of an archive in SQLite as it is at one moment, which the caller chooses: while {@link #hold held} nobody
 * writes, so that the caller can bring another store to the same moment; after {@link #release} others write on, and
 * the copy still has what was there at that moment. Reads of others never wait. Blocks: not for an event loop.
 */
public final class SqliteSnapshot implements AutoCloseable {
    private static final String PREFIX = "jdbc:sqlite:";

    private final Connection writer;
    private final Connection reader;
    private boolean held = true;

    private SqliteSnapshot(Connection writer, Connection reader) {
        this.writer = writer;
        this.reader = reader;
    }

    private interface Step {
        void run() throws SQLException;
    }

    /** The database could not be read or copied; the message says why. */
    public static final class ArchiveUnreadable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ArchiveUnreadable(SQLException cause) {
            super("the archive cannot be copied: " + Reason.of(cause), cause);
        }
    }

    /** The file of an archive in SQLite; null when the address names another kind of database, or none. */
    public static Path file(String jdbcUrl) {
        return jdbcUrl.startsWith(PREFIX)
                ? Path.of(jdbcUrl.substring(PREFIX.length()).replaceFirst("\\?.*", ""))
                : null;
    }

    /**
     * Keeps everybody from writing, this process and others.
     *
     * @param patience for a writer that is under way
     */
    public static SqliteSnapshot hold(Path file, Duration patience) {
        try {
            Connection writer = connect(file, patience);
            try {
                execute(writer, "BEGIN IMMEDIATE");
                return new SqliteSnapshot(writer, connect(file, patience));
            } catch (SQLException e) {
                writer.close();
                throw e;
            }
        } catch (SQLException e) {
            throw new ArchiveUnreadable(e);
        }
    }

    /** From now on {@link #copy} has what is there now, and others write again. */
    public void release() {
        run(() -> {
            // A transaction that only reads sees the database as at its first read.
            execute(reader, "BEGIN DEFERRED");
            execute(reader, "SELECT COUNT(*) FROM sqlite_master");
            if (held) {
                held = false;
                execute(writer, "ROLLBACK");
            }
        });
    }

    /** Others write again, and there is no moment yet: {@link #release} still chooses it. */
    public void letWrite() {
        run(() -> {
            if (held) {
                held = false;
                execute(writer, "ROLLBACK");
            }
        });
    }

    /** Writes the copy into a file that is not there or empty; its folder is one of the caller's own. */
    public void copy(Path to) {
        String path = to.toAbsolutePath().toString();
        String quote = path.indexOf('\'') < 0 ? "'" : "\"";
        run(() -> {
            execute(reader, "backup to " + quote + path + quote);
        });
    }

    @Override
    public void close() {
        run(() -> {
            try (reader) {
                writer.close();
            }
        });
    }

    private static Connection connect(Path file, Duration patience) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("journal_mode", "WAL");
        properties.setProperty("busy_timeout", Long.toString(patience.toMillis()));
        return DriverManager.getConnection(PREFIX + file, properties);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            boolean unused = statement.execute(sql);
        }
    }

    private static void run(Step step) {
        try {
            step.run();
        } catch (SQLException e) {
            throw new ArchiveUnreadable(e);
        }
    }
}
