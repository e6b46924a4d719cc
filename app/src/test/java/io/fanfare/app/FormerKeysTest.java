package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys of format 1 in the files of a redis-server that is not started. */
class FormerKeysTest {
    private static final int CHUNK_BYTES = 1 << 20;

    @TempDir
    Path dir;

    @Test
    void keysOfFormatOneAreFoundInTheCommandsAndInTheSnapshotOfARedisServer() throws Exception {
        try (RedisProcess server = RedisProcess.start(RedisProcess.Options.in(dir))) {
            TestRedis.ask(server, "SET", "markers:{1}:u", "x".repeat(100));
            assertThat(FormerKeys.areIn(files())).isFalse();
            TestRedis.ask(server, "HSET", Keys.META, "shards", "16", "format", "1");
        }
        assertThat(FormerKeys.areIn(files())).as("as a command").isTrue();

        try (RedisProcess server = RedisProcess.start(RedisProcess.Options.in(dir))) {
            TestRedis.ask(server, "BGREWRITEAOF");
            TestRedis.awaitUntil("a rewrite", () -> TestRedis.ask(server, "INFO", "persistence")
                    .asString()
                    .contains("aof_rewrite_in_progress:0"));
        }
        assertThat(FormerKeys.areIn(files())).as("in a snapshot").isTrue();

        try (RedisProcess server = RedisProcess.start(RedisProcess.Options.in(dir))) {
            TestRedis.askIn(server, "HSET", Keys.META, "shards", "16", "format", "2");
        }
        assertThat(FormerKeys.areIn(files())).as("beside a data set of today").isFalse();
    }

    @Test
    void aKeyThatLiesAcrossTwoPartsOfALargeFileIsFound() throws IOException {
        String key = "$6\r\n{meta}\r\n";
        for (int before : new int[] {CHUNK_BYTES - 1, CHUNK_BYTES - key.length() + 1, 3 * CHUNK_BYTES - 5}) {
            write("x".repeat(before) + key + "y".repeat(100));
            assertThat(FormerKeys.areIn(dir)).as("after " + before).isTrue();
        }
    }

    @Test
    void aTextThatNamesTheKeyIsNoKey() throws IOException {
        write("$20\r\nwe wrote of {meta} ..\r\n");
        assertThat(FormerKeys.areIn(dir)).isFalse();
    }

    @Test
    void aFolderThatIsMissingOrHasOtherFilesHasNone() throws IOException {
        assertThat(FormerKeys.areIn(dir.resolve("none"))).isFalse();
        write("");
        Files.createDirectory(dir.resolve("folder"));
        assertThat(FormerKeys.areIn(dir)).isFalse();
    }

    private Path files() {
        return dir.resolve("appendonlydir");
    }

    private void write(String text) throws IOException {
        Files.write(dir.resolve("appendonly.aof"), text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
