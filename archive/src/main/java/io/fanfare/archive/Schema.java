package io.fanfare.archive;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The tables, as numbered steps. Each is applied once, under a lock of the database, and recorded. A step that was
 * released never changes: a change is a further step.
 */
final class Schema {
    private static final List<String> STEPS = List.of(
            "CREATE TABLE status (id BIGINT PRIMARY KEY, author BIGINT NOT NULL, deleted SMALLINT NOT NULL,"
                    + " pass BIGINT NOT NULL, fields TEXT NOT NULL)",
            "CREATE INDEX status_author ON status (author, id)");

    private Schema() {}

    /** Brings the database up to date; fails when a later release has changed it. */
    static void apply(Connection connection, Database database) throws SQLException {
        if (isUpToDate(connection)) {
            return;
        }
        boolean auto = connection.getAutoCommit();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            database.lockSchema(statement);
            statement.execute("CREATE TABLE IF NOT EXISTS archive_schema (step INTEGER PRIMARY KEY, applied TEXT)");
            int done = steps(statement);
            if (done > STEPS.size()) {
                throw new SQLException(
                        "the archive is of a later release: it has step " + done + ", this one knows " + STEPS.size());
            }
            for (int step = done; step < STEPS.size(); step++) {
                statement.execute(STEPS.get(step));
                record(connection, step + 1);
            }
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(auto);
        }
    }

    /** Without a lock, since it nearly always is. */
    private static boolean isUpToDate(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            return steps(statement) == STEPS.size();
        } catch (SQLException noTable) {
            return false;
        }
    }

    /** How many steps this release knows. */
    static int known() {
        return STEPS.size();
    }

    static int steps(Statement statement) throws SQLException {
        try (ResultSet result = statement.executeQuery("SELECT COALESCE(MAX(step), 0) FROM archive_schema")) {
            return result.next() ? result.getInt(1) : 0;
        }
    }

    private static void record(Connection connection, int step) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO archive_schema (step, applied) VALUES (?, ?)")) {
            insert.setInt(1, step);
            insert.setString(2, STEPS.get(step - 1));
            insert.executeUpdate();
        }
    }
}
