package io.fanfare.app;

import org.junit.jupiter.api.Tag;

/**
 * On SQLite, which dies with the process that writes. The long form: {@code mvn verify -Pfaults -pl app -am
 * -Dtest=ArchiveCrashTest -Dfanfare.tests.kills=100}.
 */
@Tag("faults")
class ArchiveCrashTest extends ArchiveCrashCases {
    @Override
    String databaseUrl() {
        return "";
    }

    @Override
    boolean killDatabase() {
        return false;
    }
}
