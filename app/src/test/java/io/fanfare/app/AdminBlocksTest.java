package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code admin blocks}, with which an operator changes the blocks of the site. */
@Timeout(120)
class AdminBlocksTest {
    @TempDir
    Path dir;

    private final TestRedis redis = TestRedis.standalone();

    @BeforeEach
    void flush() {
        redis.flush();
        // A start notes how many shards there are.
        try (InProcessServer server = new InProcessServer(redis)) {
            assertThat(server.port()).isPositive();
        }
    }

    private String blocks(String... command) {
        return CommandRun.admin(redis, "blocks", command);
    }

    @Test
    void blocksAreAddedListedAndRemovedAndEachActIsLogged() throws IOException {
        Path file = Files.writeString(dir.resolve("list"), "# a wave\n198.51.100.0/24\n\n2001:db8::/48\n192.0.2.7\n");
        assertThat(blocks(
                        "add",
                        "network",
                        "192.0.2.7/32",
                        "--file",
                        file.toString(),
                        "--severity",
                        "no_access",
                        "--days",
                        "2",
                        "--why",
                        "a wave"))
                .contains(
                        "network  198.51.100.0/24",
                        "no_access  until 2",
                        "because: a wave",
                        "3 added, 0 there already");
        assertThat(blocks("add", "network", "198.51.100.9/24", "203.0.113.0/24"))
                .contains("203.0.113.0/24", "sign_up_block", "1 added, 1 there already");
        assertThat(blocks("add", "mail", "@Spam.example", "--why", "throw-away"))
                .contains("spam.example");
        assertThat(blocks("add", "name", "Casino*")).contains("casino*");

        JsonArray all = new JsonArray(blocks("list", "--json"));
        assertThat(all.stream().map(JsonObject.class::cast).map(one -> one.getString("value")))
                .containsExactlyInAnyOrder(
                        "192.0.2.7/32",
                        "198.51.100.0/24",
                        "2001:db8::/48",
                        "203.0.113.0/24",
                        "spam.example",
                        "casino*");
        assertThat(blocks("list", "name").lines()).hasSize(1);

        assertThat(blocks("remove", "network", "198.51.100.0/24", "10.0.0.0/8", "--why", "over"))
                .contains("1 removed, 1 not there");
        assertThat(blocks("list")).doesNotContain("198.51.100.0");
        assertThat(CommandRun.admin(redis, "audit", "--action", "blocks."))
                .contains("blocks.remove  network 2 values  because: over", "blocks.add  mail spam.example");
    }

    @ParameterizedTest
    @CsvSource({
        "network, 127.0.0.1, the server itself", "network, 0.0.0.0/0, too wide", "network, x, must be an address",
        "name, *, must be a user name", "mail, a b, must be a domain", "planet, x, kind must be",
    })
    void aValueThatIsNoBlockEndsTheCommandWithASentence(String kind, String value, String sentence) {
        CommandRun run = CommandRun.of(List.of(
                "admin",
                "blocks",
                "add",
                kind,
                value,
                "--set",
                "redis.url=" + redis.server().url().reveal()));
        assertThat(run.status()).isNotZero();
        assertThat(run.err()).contains(sentence);
        assertThat(blocks("list")).contains("no blocks");
    }
}
