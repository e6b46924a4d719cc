package io.fanfare.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.archive.Archive.Entry;
import io.fanfare.common.archive.Archive.Row;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.secret.Secret;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The behaviour of every database. */
abstract class ArchiveCases {
    private final Vertx vertx = Vertx.vertx();
    private final List<Archive> opened = new ArrayList<>();
    Archive archive;

    /** The address of an empty database, the same at each call of a test. */
    abstract String url();

    @BeforeEach
    void open() {
        archive = archive("archive.timeout=10s");
    }

    @AfterEach
    void close() {
        opened.forEach(one -> get(one.close()));
        get(vertx.close());
    }

    final Archive archive(String... assignments) {
        return archive(new Secret(url()), assignments);
    }

    final Archive archive(Secret address, String... assignments) {
        return archive(address, new SimpleMeterRegistry(), assignments);
    }

    final Archive archive(MeterRegistry metrics, String... assignments) {
        return archive(new Secret(url()), metrics, assignments);
    }

    private Archive archive(Secret address, MeterRegistry metrics, String... assignments) {
        Settings.Archive settings = SettingsLoader.defaultsWith(assignments).archive();
        Archive one = JdbcArchive.of(vertx, settings.at(address), metrics);
        opened.add(one);
        return one;
    }

    @CanIgnoreReturnValue
    static <T> T get(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().join();
        } catch (CompletionException e) {
            throw (RuntimeException) e.getCause();
        }
    }

    static Row row(long id, long author, long pass, String fields) {
        return new Row(id, author, false, pass, fields);
    }

    @Test
    void rowsRemainAfterTheArchiveIsOpenedAgain() {
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
    void aDeletedRowStaysDeletedInEitherOrderOfWriteAndDelete() {
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
    void callsBeyondWhatMayWaitFailAtOnce() {
        Archive narrow = archive("archive.threads=1", "archive.waiting-max=0");
        // Some calls find the thread free again.
        List<Future<Map<Long, Row>>> failed = LongStream.rangeClosed(1, 100)
                .mapToObj(id -> narrow.find(List.of(id)))
                .filter(Future::failed)
                .toList();
        assertThat(failed).isNotEmpty();
        assertThat(failed).extracting(Future::cause).containsOnly(Archive.AWAY);
    }

    @Test
    void aLaterReleaseIsNotTouched() throws SQLException {
        get(archive.put(List.of(row(1, 7, 1, ""))));
        try (Connection other = DriverManager.getConnection(url());
                Statement statement = other.createStatement()) {
            statement.execute("INSERT INTO archive_schema (step, applied) VALUES (99, '')");
        }
        assertThatThrownBy(() -> get(archive("archive.timeout=10s").find(List.of(1L))))
                .isSameAs(Archive.AWAY);
    }

    @Test
    void textsOfEveryKindComeBackAsTheyWere() {
        String fields = "{\"text\":\"caf\u00e9 \ud83d\ude00 \\u0000 ' \\\\ \\n\"}";
        String longest = "x".repeat(200_000);
        get(archive.put(List.of(row(1, 7, 1, fields), row(Long.MAX_VALUE, 7, 1, longest))));
        Map<Long, Row> rows = get(archive.find(List.of(1L, Long.MAX_VALUE)));
        assertThat(rows.get(1L).fields()).isEqualTo(fields);
        assertThat(rows.get(Long.MAX_VALUE).fields()).isEqualTo(longest);
        // Live rows alone have fields.
        assertThat(get(archive.stats()).live()).isEqualTo(2);
        assertThat(get(archive.stats()).bytes()).isGreaterThan(200_000);
    }

    @Test
    void aCallWhoseCallerGaveUpIsNotRun() throws Exception {
        get(archive.put(List.of(row(1, 7, 1, ""))));
        Archive narrow = archive("archive.threads=1", "archive.timeout=1s");
        try (Connection other = DriverManager.getConnection(url());
                Statement statement = other.createStatement()) {
            lock(statement);
            List<Future<Void>> writes = LongStream.range(10, 60)
                    .mapToObj(id -> narrow.put(List.of(row(id, 7, 1, ""))))
                    .toList();
            for (Future<Void> write : writes) {
                assertThatThrownBy(() -> get(write)).isSameAs(Archive.AWAY);
            }
            statement.execute("ROLLBACK");
        }
        // At most those that ran when all were given up.
        // Behind all that waited.
        Archive patient = archive("archive.timeout=10s");
        assertThat(get(patient.count(7, 100))).isBetween(1L, 5L);
    }

    /** Begins a transaction that lets nobody else write. */
    void lock(Statement statement) throws SQLException {
        statement.execute("BEGIN");
        statement.execute("LOCK TABLE status IN EXCLUSIVE MODE");
    }
}
