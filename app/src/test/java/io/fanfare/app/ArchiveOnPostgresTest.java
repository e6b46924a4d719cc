package io.fanfare.app;

import io.fanfare.common.testing.TestPostgres;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;

/** The cases of {@link ArchiveTest} on PostgreSQL. */
@Tag("archive-pg")
class ArchiveOnPostgresTest extends ArchiveTest {
    private final String url = TestPostgres.shared().newDatabase();

    @Override
    String url() {
        return url;
    }

    @Override
    void lock(Statement statement) throws SQLException {
        statement.execute("BEGIN");
        statement.execute("LOCK TABLE status IN EXCLUSIVE MODE");
    }
}
