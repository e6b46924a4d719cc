package io.fanfare.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The moment that a copy of the archive is of. */
class SqliteSnapshotTest {
    @TempDir
    Path dir;

    private Path file;
    private Path copy;

    @BeforeEach
    void table() throws SQLException {
        file = dir.resolve("the archive's.db");
        copy = dir.resolve("copy of the archive's.db");
        write("PRAGMA journal_mode = WAL");
        write("CREATE TABLE status (id INTEGER PRIMARY KEY)");
        write("INSERT INTO status VALUES (1)");
    }

    @Test
    void aCopyHasWhatWasThereWhenTheHoldEndedAndNothingThatWasWrittenSince() throws SQLException {
        try (SqliteSnapshot snapshot = SqliteSnapshot.hold(file, Duration.ofSeconds(10))) {
            snapshot.release();
            write("INSERT INTO status VALUES (2)");
            snapshot.copy(copy);
            write("INSERT INTO status VALUES (3)");
        }
        assertThat(count(copy)).isEqualTo(1);
        assertThat(count(file)).isEqualTo(3);
    }

    @Test
    void nobodyWritesAndEverybodyReadsWhileItIsHeld() throws SQLException {
        try (SqliteSnapshot snapshot = SqliteSnapshot.hold(file, Duration.ofSeconds(10))) {
            assertThatThrownBy(() -> write("INSERT INTO status VALUES (2)")).hasMessageContaining("locked");
            assertThat(count(file)).isEqualTo(1);

            snapshot.letWrite();
            write("INSERT INTO status VALUES (3)");
            snapshot.release();
            snapshot.copy(copy);
        }
        assertThat(count(copy)).isEqualTo(2);
        write("INSERT INTO status VALUES (4)");
    }

    @Test
    void aFileThatIsNoDatabaseIsReportedInASentence() {
        assertThatThrownBy(() -> SqliteSnapshot.hold(dir.resolve("none/archive.db"), Duration.ofSeconds(1)))
                .isInstanceOf(SqliteSnapshot.ArchiveUnreadable.class)
                .hasMessageStartingWith("the archive cannot be copied: ");
        assertThat(SqliteSnapshot.file("jdbc:postgresql://db/fanfare")).isNull();
        assertThat(SqliteSnapshot.file("jdbc:sqlite:/a/b.db?busy_timeout=1")).isEqualTo(Path.of("/a/b.db"));
    }

    private void write(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 50");
            statement.execute(sql);
        }
    }

    private static long count(Path database) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT COUNT(*) FROM status")) {
            return result.getLong(1);
        }
    }
}
