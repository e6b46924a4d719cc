package io.fanfare.app;

import io.fanfare.common.testing.TestPostgres;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/**
 * On PostgreSQL, whose server is killed as well. The long form: {@code mvn verify -Parchive-pg -pl app -am
 * -Dtest=ArchiveCrashOnPostgresTest -Dfanfare.tests.kills=100}.
 */
@Tag("archive-pg")
class ArchiveCrashOnPostgresTest extends ArchiveCrashCases {
    private final TestPostgres server = TestPostgres.fresh();
    private final String url = server.newDatabase();

    @AfterEach
    void close() {
        server.close();
    }

    @Override
    String databaseUrl() {
        return url;
    }

    @Override
    boolean killDatabase() {
        server.kill();
        server.start();
        return true;
    }
}
