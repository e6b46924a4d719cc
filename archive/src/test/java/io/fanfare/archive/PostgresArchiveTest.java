package io.fanfare.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.testing.TestPostgres;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.secret.Secret;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cases of {@link ArchiveCases} on PostgreSQL, and what only it can do. */
@Tag("archive-pg")
class PostgresArchiveTest extends ArchiveCases {
    private final String url = TestPostgres.shared().newDatabase();

    @Override
    String url() {
        return url;
    }

    @Test
    void processesThatStartAtOnceMakeTheTablesOnce() {
        List<Future<Void>> firstCalls = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            firstCalls.add(archive("archive.timeout=30s").put(List.of(row(i + 1, 7, 1, "text"))));
        }
        firstCalls.forEach(ArchiveCases::get);
        assertThat(get(archive.find(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L)))).hasSize(8);
    }

    @Test
    void aStatementThatWaitsTooLongEndsInTheServerToo() throws SQLException {
        get(archive.put(List.of(row(1, 7, 1, "old"))));
        get(archive.close());
        archive = archive("archive.timeout=500ms");
        try (Connection other = DriverManager.getConnection(url());
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("UPDATE status SET pass = 1 WHERE id = 1");
            assertThatThrownBy(() -> get(archive.put(List.of(row(1, 7, 2, "new")))))
                    .isSameAs(Archive.AWAY);
            TestRedis.awaitUntil("nothing waits", () -> waiting(other) == 0);
            other.rollback();
        }
        assertThat(get(archive("archive.timeout=10s").find(List.of(1L))).get(1L).fields())
                .isEqualTo("old");
    }

    private static long waiting(Connection connection) {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(
                        "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")) {
            return result.next() ? result.getLong(1) : -1;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void commitsAreOnTheDiskWhateverTheDefaultOfTheServer() throws SQLException {
        String name = url.replaceAll(".*/|[?].*", "");
        TestPostgres.shared().sqlAt(url, "ALTER DATABASE " + name + " SET synchronous_commit = off");
        get(archive.find(List.of(1L)));
        try (Connections connections = new Connections(url, Duration.ofSeconds(10), 1)) {
            assertThat(connections.<String>with(connection -> {
                        try (Statement statement = connection.createStatement();
                                ResultSet result = statement.executeQuery("SHOW synchronous_commit")) {
                            return result.next() ? result.getString(1) : "";
                        }
                    }))
                    .isEqualTo("on");
        }
    }

    @Test
    void aServerThatRestartsIsUsedAgainAndWhatItHadCommittedIsThere() {
        try (TestPostgres server = TestPostgres.fresh()) {
            Archive own = archive(new Secret(server.newDatabase()), "archive.timeout=2s");
            get(own.put(List.of(row(1, 7, 1, "text"))));
            server.stop();
            assertThatThrownBy(() -> get(own.find(List.of(1L)))).isSameAs(Archive.AWAY);
            server.start();
            TestRedis.awaitUntil(
                    "it answers again",
                    () -> get(own.find(List.of(1L))
                            .map(rows -> rows.containsKey(1L))
                            .recover(away -> Future.succeededFuture(false))));
        }
    }

    @Test
    void aDatabaseInAnotherEncodingIsNotTouched() {
        String latin = TestPostgres.shared().newDatabase("ENCODING 'LATIN1'");
        Archive own = archive(new Secret(latin), "archive.timeout=10s");
        assertThatThrownBy(() -> get(own.put(List.of(row(1, 7, 1, ""))))).isSameAs(Archive.AWAY);
    }

    @Test
    void neitherWordsNorPasswordsAreInTheReasonOfAnOutage() throws SQLException {
        get(archive.put(List.of(row(1, 7, 1, ""))));
        TestPostgres.shared().sqlAt(url, "ALTER TABLE status ADD CHECK (fields <> 'secret words')");
        try (Connections connections = new Connections(url, Duration.ofSeconds(10), 1)) {
            assertThatThrownBy(() -> connections.<Void>with(connection -> {
                        try (Statement statement = connection.createStatement()) {
                            statement.execute("INSERT INTO status VALUES (2, 7, 0, 1, 'secret words')");
                            return null;
                        }
                    }))
                    .isInstanceOf(SQLException.class)
                    .satisfies(
                            e -> assertThat(Outage.reason(e)).contains("23514").doesNotContain("secret"));
        }
        String wrong = url.replace("for-tests", "not-the-password");
        try (Connections connections = new Connections(wrong, Duration.ofSeconds(2), 1)) {
            assertThatThrownBy(() -> connections.<Void>with(connection -> null))
                    .isInstanceOf(SQLException.class)
                    .satisfies(e -> assertThat(Outage.reason(e))
                            .contains("28P01", "password authentication failed")
                            .doesNotContain("not-the-password"));
        }
    }
}
