package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonArray;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Roles and the log of acts by command: each to its end. */
@Timeout(120)
class AdminRoleTest {
    private final TestRedis redis = TestRedis.standalone();
    private ContractServer server;
    private People.Person ann;

    @BeforeEach
    void open() {
        redis.flush();
        server = new ContractServer(redis);
        ann = new People(server).signUp("ann");
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void anOperatorMakesAnOwnerByOneCommand() {
        assertThat(run("list")).contains("no account has a role");
        assertThat(run("set", "@ann", "owner", "--why", "runs the site"))
                .isEqualTo("ann is owner now (before: user)\n");
        assertThat(run("list")).startsWith("owner").contains("@ann").contains(ann.id());
        assertThat(server.send("GET", "/api/v1/accounts/verify_credentials", ann.token(), null)
                        .text("/role/name"))
                .isEqualTo("Owner");
        assertThat(new JsonArray(run("list", "--json")).getJsonObject(0).getString("role"))
                .isEqualTo("owner");
        assertThat(run("set", ann.id(), "user", "--why", "done")).contains("before: owner");
        String key = Keys.user(Id.parse(ann.id()));
        assertThat(redis.askAt(key, "HEXISTS", key, "role").asLong()).isZero();
    }

    @Test
    void anUnknownAccountAndAnUnknownRoleAreRefusedWithASentence() {
        assertThat(refused("set", "nobody", "admin", "--why", "x")).contains("No account has the name nobody");
        assertThat(refused("set", "ann", "king", "--why", "x")).contains("owner, admin, moderator or user");
        assertThat(refused("set", "ann", "admin")).contains("--why");
        assertThat(redis.askAt(Keys.MODERATION_ROLES, "EXISTS", Keys.MODERATION_ROLES)
                        .asLong())
                .isZero();
    }

    private String refused(String... command) {
        List<String> line = new ArrayList<>(List.of("admin", "role"));
        line.addAll(List.of(command));
        line.addAll(List.of("--set", "redis.url=" + redis.server().url().reveal()));
        CommandRun run = CommandRun.of(line);
        assertThat(run.status()).isNotZero();
        return run.err();
    }

    private String run(String... command) {
        return CommandRun.admin(redis, "role", command);
    }
}
