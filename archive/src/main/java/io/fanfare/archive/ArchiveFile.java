package io.fanfare.archive;

import io.fanfare.failure.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Optional;

/** Looks at a file that is said to be an archive in SQLite, before a service trusts it. */
public final class ArchiveFile {
    private static final byte[] HEAD = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);

    /** Everything that an archive has; SQLite's own names begin with {@code sqlite_}. */
    private static final String OTHERS =
            "SELECT COUNT(*) FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND (type || ' ' || name)"
                    + " NOT IN ('table status', 'index status_author', 'table archive_schema')";

    private static final String VIRTUAL =
            "SELECT COUNT(*) FROM sqlite_schema WHERE sql LIKE '%VIRTUAL%' OR sql LIKE '%GENERATED%'";

    private static final String COLUMNS =
            "SELECT GROUP_CONCAT(name, ' ') FROM (SELECT name FROM pragma_table_info('status') ORDER BY cid)";

    private ArchiveFile() {}

    /**
     * Why this file is no archive that this release can read; empty when it is one. Reads all of it: not for an event
     * loop. What it contains is not run: a file with views or triggers is refused.
     */
    public static Optional<String> fault(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            if (!Arrays.equals(in.readNBytes(HEAD.length), HEAD)) {
                return Optional.of("it is no database of SQLite");
            }
        }
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file.toAbsolutePath());
                Statement statement = connection.createStatement()) {
            boolean unused = statement.execute("PRAGMA trusted_schema=OFF");
            if (!text(statement, VIRTUAL).equals("0")) {
                return Optional.of("it has tables that are none of an archive");
            }
            if (!text(statement, OTHERS).equals("0")) {
                return Optional.of("it has other tables, views or triggers than an archive");
            }
            String checked = text(statement, "PRAGMA integrity_check(1)");
            if (!checked.equals("ok")) {
                return Optional.of("it is damaged: " + checked);
            }
            if (!text(statement, COLUMNS).equals("id author deleted pass fields")) {
                return Optional.of("its tables are not those of an archive");
            }
            int steps = Schema.steps(statement);
            return steps < 1 || steps > Schema.known()
                    ? Optional.of("it is of another release: it has step " + steps + " of " + Schema.known())
                    : Optional.empty();
        } catch (SQLException e) {
            return Optional.of("it cannot be read: " + Reason.of(e));
        }
    }

    private static String text(Statement statement, String sql) throws SQLException {
        try (ResultSet result = statement.executeQuery(sql)) {
            String text = result.next() ? result.getString(1) : null;
            return text == null ? "" : text;
        }
    }
}
