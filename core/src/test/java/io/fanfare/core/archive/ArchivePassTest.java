package io.fanfare.core.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class ArchivePassTest {
    private static final long NOW = 1_000_000;

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private ArchivePass pass;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        pass = new ArchivePass(f.link, f.settings, Archive.none());
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void shardsWithAnAuthorWhoseTimeHasComeOrWithADeleteAreDue() {
        add(Keys.archiveDue(0), NOW - 1);
        add(Keys.archiveDue(2), NOW + 59_000);
        add(Keys.archiveDue(3), NOW + 61_000);
        add(Keys.archiveGone(5), 7);

        assertThat(f.get(() -> pass.due(8, NOW)))
                .as("the clock of Redis may be a minute ahead")
                .containsExactly(0, 2, 5);
    }

    @Test
    void aShardThatCannotBeReadCountsAsDue() {
        f.redis.askAt(Keys.archiveDue(1), "SET", Keys.archiveDue(1), "no sorted set");

        assertThat(f.get(() -> pass.due(8, NOW))).containsExactly(1);
    }

    private void add(String key, long score) {
        f.redis.askAt(key, "ZADD", key, Long.toString(score), "8");
    }
}
