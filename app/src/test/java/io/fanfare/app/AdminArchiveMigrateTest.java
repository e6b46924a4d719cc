package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.archive.JdbcArchive;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.archive.Archive.Entry;
import io.fanfare.common.archive.Archive.Row;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.secret.Secret;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The copy of an archive, from one SQLite file to another one. */
@Timeout(120)
class AdminArchiveMigrateTest {
    /** More than two pages. */
    private static final int ROWS = 1_203;

    @TempDir
    private Path folder;

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        TestRedis.await(vertx.close());
    }

    /** The address of an empty database that takes the copy, the same at each call of a test. */
    String target() {
        return "jdbc:sqlite:" + folder.resolve("copy.db");
    }

    private String source() {
        return "jdbc:sqlite:" + folder.resolve("archive.db");
    }

    private Archive open(String url) {
        return JdbcArchive.of(
                vertx,
                SettingsLoader.defaultsWith("archive.timeout=30s").archive().at(new Secret(url)),
                new SimpleMeterRegistry());
    }

    private void fill(Archive archive) {
        TestRedis.await(archive.put(LongStream.rangeClosed(1, ROWS)
                .mapToObj(id -> new Row(id, 7 + id % 3, false, 5, "{\"text\":\"caf\u00e9 " + id + "\"}"))
                .toList()));
        TestRedis.await(archive.delete(List.of(new Entry(3, 7), new Entry(600, 7), new Entry(5000, 7))));
    }

    private CommandRun migrate() {
        return CommandRun.of(List.of("admin", "archive", "migrate", "--data", folder.toString(), "--to", target()));
    }

    @Test
    void everyRowIsCopiedAndASecondRunCopiesOnlyWhatIsMissing() {
        Archive source = open(source());
        fill(source);
        CommandRun first = migrate();
        assertThat(first.out()).isEqualTo("1,204 rows, 1,204 copied, 0 differences\n");
        assertThat(first.status()).isZero();

        TestRedis.await(source.put(List.of(new Row(2, 7, false, 6, "{}"), new Row(9000, 7, false, 1, "{}"))));
        TestRedis.await(source.delete(List.of(new Entry(10, 8))));
        assertThat(migrate().out()).isEqualTo("1,205 rows, 3 copied, 0 differences\n");

        Archive copy = open(target());
        List<Long> live = List.of(2L, 1203L, 9000L);
        assertThat(TestRedis.await(copy.find(live))).hasSize(3).isEqualTo(TestRedis.await(source.find(live)));
        assertThat(TestRedis.await(copy.find(List.of(10L, 600L, 5000L))).values())
                .hasSize(3)
                .allMatch(Row::deleted);
        assertThat(TestRedis.await(copy.stats())).isEqualTo(TestRedis.await(source.stats()));
    }

    @Test
    void differencesThatAMigrationCannotRemoveAreReported() {
        fill(open(source()));
        Archive copy = open(target());
        TestRedis.await(copy.put(List.of(new Row(2, 7, false, 9, "later"), new Row(7000, 8, false, 1, "foreign"))));
        TestRedis.await(copy.delete(List.of(new Entry(4, 8))));
        CommandRun run = migrate();
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out())
                .contains(
                        "status 2 of account 9 differs",
                        "status 4 of account 8 is deleted there",
                        "status 7000 of account 8 is there and not where it should come from",
                        "3 differences");
    }

    @Test
    void anAddressWithoutAnArchiveIsRefusedAndPasswordsAreNotRepeated() {
        CommandRun none = migrate();
        assertThat(none.status()).isNotZero();
        assertThat(none.err()).contains("there is no archive in " + folder.resolve("archive.db"));
        fill(open(source()));
        CommandRun wrong = CommandRun.of(List.of(
                "admin",
                "archive",
                "migrate",
                "--data",
                folder.toString(),
                "--to",
                "jdbc:postgresql://h:port/db?password=hunter2"));
        assertThat(wrong.status()).isNotZero();
        assertThat(wrong.err()).contains("--to: ", "must read").doesNotContain("hunter2");
        CommandRun away = CommandRun.of(List.of(
                "admin",
                "archive",
                "migrate",
                "--data",
                folder.toString(),
                "--to",
                "jdbc:sqlite:" + folder.resolve("no/such/folder.db")));
        assertThat(away.status()).isNotZero();
        assertThat(away.err()).contains("does not answer");
    }
}
