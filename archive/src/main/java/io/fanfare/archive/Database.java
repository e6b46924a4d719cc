package io.fanfare.archive;

import com.zaxxer.hikari.HikariConfig;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** The databases that can be the archive, and all in which they differ: the statements are the same. */
enum Database {
    SQLITE("jdbc:sqlite:") {
        @Override
        void configure(HikariConfig pool, Duration timeout) throws SQLException {
            createFile(Path.of(pool.getJdbcUrl().substring("jdbc:sqlite:".length())));
            pool.addDataSourceProperty("journal_mode", "WAL");
            pool.addDataSourceProperty("synchronous", "FULL");
            pool.addDataSourceProperty("busy_timeout", Long.toString(timeout.toMillis()));
            // A transaction takes the lock of the writer when it begins: taking it later could fail at once.
            pool.addDataSourceProperty("transaction_mode", "IMMEDIATE");
        }

        @Override
        void lockSchema(Statement statement) {
            // The first write takes the lock, since transactions are immediate.
        }
    },
    POSTGRESQL("jdbc:postgresql:") {
        /** Any number that other programs of the same database are not likely to take. */
        private static final long SCHEMA_LOCK = 0x1f3a_9c52_6b07_d8e4L;

        @Override
        void configure(HikariConfig pool, Duration timeout) {
            String seconds = Long.toString(Math.max(1, timeout.toSeconds()));
            pool.addDataSourceProperty("ApplicationName", "fanfare");
            pool.addDataSourceProperty("connectTimeout", seconds);
            pool.addDataSourceProperty("loginTimeout", seconds);
            // A server that is cut off says nothing more; one that only works ends the statement itself before.
            pool.addDataSourceProperty("socketTimeout", Long.toString(Math.max(1, timeout.toSeconds()) + 1));
            // Else messages of errors quote the values of a statement, which are people's words.
            pool.addDataSourceProperty("logServerErrorDetail", "false");
            // What has been committed leaves Redis, so that a commit must be on the disk, whatever the server's
            // default.
            pool.setConnectionInitSql("SELECT set_config('statement_timeout', '" + timeout.toMillis() + "', false),"
                    + " set_config('synchronous_commit', CASE current_setting('synchronous_commit')"
                    + " WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)");
        }

        @Override
        void lockSchema(Statement statement) throws SQLException {
            try (ResultSet encoding = statement.executeQuery("SHOW server_encoding")) {
                if (encoding.next() && !encoding.getString(1).equals("UTF8")) {
                    throw new SQLException(
                            "the encoding of the archive's database must be UTF8, it is " + encoding.getString(1));
                }
            }
            statement.execute("SELECT pg_advisory_xact_lock(" + SCHEMA_LOCK + ")");
        }
    };

    private final String prefix;

    Database(String prefix) {
        this.prefix = prefix;
    }

    static Database of(String url) {
        for (Database database : values()) {
            if (url.startsWith(database.prefix)) {
                return database;
            }
        }
        throw new IllegalArgumentException("no database of a known kind");
    }

    /** Sets what connections need for commits to be durable, and for calls to end in time. */
    abstract void configure(HikariConfig pool, Duration timeout) throws SQLException;

    /** In a transaction: others who come here wait until it ends. */
    abstract void lockSchema(Statement statement) throws SQLException;

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
}
