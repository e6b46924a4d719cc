package io.fanfare.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.archive.Archive;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.awaitility.Awaitility;
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
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        archive = archive(metrics, "archive.timeout=100ms");
        try (Connection other = DriverManager.getConnection(url());
                Statement statement = other.createStatement()) {
            assertThat(metrics.get("fanfare.archive.away").gauge().value()).isZero();
            statement.execute("BEGIN IMMEDIATE");
            assertThatThrownBy(() -> get(archive.put(List.of(row(2, 7, 1, "")))))
                    .isSameAs(Archive.AWAY);
            assertThat(metrics.get("fanfare.archive.away").gauge().value()).isEqualTo(1);
            // Readers do not wait for a writer.
            assertThat(get(archive("archive.timeout=10s").find(List.of(1L)))).containsKey(1L);
            statement.execute("ROLLBACK");
        }
        // The disk may take longer than the time-out.
        Awaitility.await().ignoreExceptionsMatching(Archive.AWAY::equals).untilAsserted(() -> {
            get(archive.put(List.of(row(3, 7, 1, ""))));
        });
        assertThat(metrics.get("fanfare.archive.away").gauge().value()).isZero();
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
    void theReasonOfAnOutageIsASentence() {
        assertThatThrownBy(() -> DriverManager.getConnection("jdbc:sqlite:/no/folder/archive.db")
                        .close())
                .satisfies(failure -> assertThat(Outage.reason(failure))
                        .startsWith("the database answers: ")
                        .doesNotContain("Exception"));
        assertThat(Outage.reason(new SQLException("no such role, password=secret", "28000")))
                .isEqualTo("the database answers: no such role, password=*** (SQLSTATE 28000)");
        assertThat(Outage.reason(new SQLException("what somebody wrote", "22001")))
                .isEqualTo("the database refuses it (SQLSTATE 22001)");
        assertThat(Outage.reason(new SQLException("x", "08001", new SQLException("the server is away", "57P01"))))
                .isEqualTo("the database answers: the server is away (SQLSTATE 57P01)");
        assertThat(Outage.reason(new IllegalStateException("there is no driver")))
                .isEqualTo("there is no driver");
    }

    @Test
    void withoutADatabaseEveryCallSaysSo() {
        assertThat(Archive.none().isPresent()).isFalse();
        assertThatThrownBy(() -> get(Archive.none().find(List.of(1L)))).isSameAs(Archive.AWAY);
    }
}
