package io.fanfare.common.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cases of {@link ArchiveCases} on SQLite, and what only it can do. */
class JdbcArchiveTest extends ArchiveCases {
    @TempDir
    private Path folder;

    @Override
    String url() {
        return "jdbc:sqlite:" + folder.resolve("archive.db");
    }

    @Override
    void lock(Statement statement) throws SQLException {
        statement.execute("BEGIN IMMEDIATE");
    }

    @Test
    void aDatabaseThatIsLockedFailsCallsInTimeAndLosesNothing() throws SQLException {
        get(archive.put(List.of(row(1, 7, 1, ""))));
        get(archive.close());
        archive = archive("archive.timeout=100ms");
        try (Connection other = DriverManager.getConnection(url());
                Statement statement = other.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            assertThatThrownBy(() -> get(archive.put(List.of(row(2, 7, 1, "")))))
                    .isSameAs(Archive.AWAY);
            // Readers do not wait for a writer.
            assertThat(get(archive("archive.timeout=10s").find(List.of(1L)))).containsKey(1L);
            statement.execute("ROLLBACK");
        }
        Archive patient = archive("archive.timeout=10s");
        get(patient.put(List.of(row(2, 7, 1, ""))));
        assertThat(get(patient.find(List.of(2L)))).containsKey(2L);
    }

    @Test
    void theFileIsForItsOwnerOnly() throws Exception {
        get(archive.put(List.of(row(1, 7, 1, ""))));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("archive.db"))))
                .isEqualTo("rw-------");
    }

    @Test
    void withoutADatabaseEveryCallSaysSo() {
        assertThat(Archive.none().isPresent()).isFalse();
        assertThatThrownBy(() -> get(Archive.none().find(List.of(1L)))).isSameAs(Archive.AWAY);
    }
}
