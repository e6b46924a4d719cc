package io.fanfare.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class ArchiveFileTest {
    @TempDir
    Path dir;

    private Path file;

    @BeforeEach
    void archive() throws SQLException {
        file = dir.resolve("it's an archive.db");
        try (Connection connection = connect()) {
            Schema.apply(connection, Database.SQLITE);
            try (Statement statement = connection.createStatement()) {
                for (int i = 1; i <= 500; i++) {
                    statement.addBatch("INSERT INTO status VALUES (" + i + ", 7, 0, 1, '" + "x".repeat(200) + "')");
                }
                statement.executeBatch();
            }
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + file);
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            boolean unused = statement.execute(sql);
        }
    }

    @Test
    void anArchiveIsOneAndNothingIsLeftBesideIt() throws Exception {
        run("PRAGMA journal_mode = WAL");
        assertThat(ArchiveFile.fault(file)).isEmpty();
        try (var files = Files.list(dir)) {
            assertThat(files).containsExactly(file);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "SQLite", "this is no database at all, but long enough to be one"})
    void anyOtherFileIsNone(String text) throws IOException {
        Files.writeString(file, text);
        assertThat(ArchiveFile.fault(file)).contains("it is no database of SQLite");
    }

    @Test
    void aFileThatOnlyBeginsLikeADatabaseIsNone() throws IOException {
        Files.write(file, ("SQLite format 3\0" + "garbage".repeat(10_000)).getBytes(StandardCharsets.ISO_8859_1));
        assertThat(ArchiveFile.fault(file)).isPresent();
    }

    @Test
    void aFileWithAPageOfGarbageIsDamaged() throws IOException {
        try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
            raw.seek(raw.length() / 2 / 4096 * 4096);
            raw.write("garbage".repeat(585).getBytes(StandardCharsets.US_ASCII));
        }
        assertThat(ArchiveFile.fault(file)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TRIGGER t AFTER INSERT ON status BEGIN DELETE FROM status; END",
                "CREATE VIEW v AS SELECT * FROM status",
                "CREATE TABLE other (a)"
            })
    void aFileWithOtherObjectsIsNoArchive(String more) throws Exception {
        run(more);
        assertThat(ArchiveFile.fault(file)).contains("it has other tables, views or triggers than an archive");
    }

    @Test
    void otherColumnsAndOtherReleasesAreRefused() throws Exception {
        run("INSERT INTO archive_schema VALUES (99, 'later')");
        assertThat(ArchiveFile.fault(file).orElseThrow()).contains("it is of another release: it has step 99");
        run("ALTER TABLE status RENAME COLUMN fields TO words");
        assertThat(ArchiveFile.fault(file)).contains("its tables are not those of an archive");
        run("DROP TABLE status");
        assertThat(ArchiveFile.fault(file)).contains("its tables are not those of an archive");
    }
}
