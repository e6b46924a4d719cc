package io.fanfare.app;

import io.fanfare.common.testing.TestPostgres;
import org.junit.jupiter.api.Tag;

/** The same from SQLite to PostgreSQL. */
@Tag("archive-pg")
class AdminArchiveMigratePostgresTest extends AdminArchiveMigrateTest {
    private final String target = TestPostgres.shared().newDatabase();

    @Override
    String target() {
        return target;
    }
}
