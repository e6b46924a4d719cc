package io.fanfare.common.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.archive.Archive.Entry;
import io.fanfare.common.archive.Archive.Row;
import io.fanfare.common.settings.Secret;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdbcArchiveTest {
    @TempDir
    private Path folder;

    private final Vertx vertx = Vertx.vertx();
    private Archive archive;

    @BeforeEach
    void open() {
        archive = archive("archive.timeout=2s");
    }

    @AfterEach
    void close() {
        get(archive.close());
        get(vertx.close());
    }

    private Archive archive(String... assignments) {
        Settings.Archive settings = SettingsLoader.defaultsWith(assignments).archive();
        return JdbcArchive.of(vertx, settings.at(new Secret(url())), new SimpleMeterRegistry());
    }

    private String url() {
        return "jdbc:sqlite:" + folder.resolve("archive.db");
    }

    private static <T> T get(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().join();
        } catch (CompletionException e) {
            throw (RuntimeException) e.getCause();
        }
    }

    private static Row row(long id, long author, long pass, String fields) {
        return new Row(id, author, false, pass, fields);
    }

    @Test
    void whatIsWrittenIsThereForWhoOpensTheFileNext() {
        get(archive.put(List.of(row(1, 7, 1, "{\"text\":\"caf\\u00e9\"}"), row(2, 7, 1, "{}"))));
        get(archive.close());
        archive = archive();

        assertThat(get(archive.find(List.of(1L, 2L, 3L)))).containsOnlyKeys(1L, 2L);
        assertThat(get(archive.find(List.of(1L))).get(1L)).isEqualTo(row(1, 7, 1, "{\"text\":\"caf\\u00e9\"}"));
    }

    @Test
    void ofTwoPassesTheLaterOneIsRightWhicheverComesLast() {
        get(archive.put(List.of(row(1, 7, 2, "new"))));
        get(archive.put(List.of(row(1, 7, 1, "old"))));
        assertThat(get(archive.find(List.of(1L))).get(1L).fields()).isEqualTo("new");
        get(archive.put(List.of(row(1, 7, 3, "newer"))));
        assertThat(get(archive.find(List.of(1L))).get(1L).fields()).isEqualTo("newer");
    }

    @Test
    void whatIsDeletedStaysDeletedWhicheverComesLast() {
        get(archive.put(List.of(row(1, 7, 1, "text"))));
        get(archive.delete(List.of(new Entry(1, 7), new Entry(2, 7))));
        get(archive.put(List.of(row(1, 7, 9, "text"), row(2, 7, 9, "text"))));

        Map<Long, Row> rows = get(archive.find(List.of(1L, 2L)));
        assertThat(rows.get(1L)).isEqualTo(new Row(1, 7, true, 1, ""));
        assertThat(rows.get(2L).deleted()).isTrue();
        assertThat(get(archive.older(List.of(7L), 100, 10))).isEmpty();
        assertThat(get(archive.count(7, 100))).isZero();
        assertThat(get(archive.stats()).deleted()).isEqualTo(2);
    }

    @Test
    void pagesHoldTheIdsOfSeveralAuthorsInOrder() {
        get(archive.put(List.of(row(1, 7, 1, ""), row(2, 8, 1, ""), row(3, 9, 1, ""), row(4, 7, 1, ""))));

        assertThat(get(archive.older(List.of(7L, 8L), 4, 10))).containsExactly(new Entry(2, 8), new Entry(1, 7));
        assertThat(get(archive.older(List.of(7L, 8L), 100, 1))).containsExactly(new Entry(4, 7));
        assertThat(get(archive.newer(List.of(7L, 8L), 1, 100, 10))).containsExactly(new Entry(2, 8), new Entry(4, 7));
        assertThat(get(archive.newer(List.of(7L, 8L), 0, 4, 1))).containsExactly(new Entry(1, 7));
        assertThat(get(archive.page(2, 10)).stream().map(Row::id)).containsExactly(3L, 4L);
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
    void callsBeyondWhatMayWaitFailAtOnce() {
        Archive narrow = archive("archive.threads=1", "archive.waiting-max=0");
        List<Future<Map<Long, Row>>> calls =
                List.of(narrow.find(List.of(1L)), narrow.find(List.of(2L)), narrow.find(List.of(3L)));
        assertThat(calls.get(2).failed()).isTrue();
        assertThat(calls.get(2).cause()).isSameAs(Archive.AWAY);
    }

    @Test
    void theFileIsForItsOwnerOnlyAndALaterReleaseIsNotTouched() throws Exception {
        get(archive.put(List.of(row(1, 7, 1, ""))));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("archive.db"))))
                .isEqualTo("rw-------");
        try (Connection other = DriverManager.getConnection(url());
                Statement statement = other.createStatement()) {
            statement.execute("INSERT INTO archive_schema (step, applied) VALUES (99, '')");
        }
        assertThatThrownBy(() -> get(archive("archive.timeout=5s").find(List.of(1L))))
                .isSameAs(Archive.AWAY);
    }

    @Test
    void withoutADatabaseEveryCallSaysSo() {
        assertThat(Archive.none().isPresent()).isFalse();
        assertThatThrownBy(() -> get(Archive.none().find(List.of(1L)))).isSameAs(Archive.AWAY);
    }
}
