package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
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

    @Test
    void eachActByCommandIsAnEntryOfTheLogWithItsReason() {
        String post = new People(server).publish(ann, "status=words");
        CommandRun.admin(redis, "post", "delete", post, "--why", "rude");
        CommandRun.admin(redis, "accounts", "suspend", "ann", "--why", "spam = \"x\"");
        CommandRun.admin(redis, "accounts", "suspend", "ann", ann.id(), "--why", "again"); // One of many each.
        CommandRun.admin(redis, "accounts", "unsuspend", "ann");
        CommandRun.admin(redis, "sign-ups", "close", "--why", "flood");
        run("set", "ann", "admin", "--why", "trusted");

        List<String> lines = audit("--account", "@ann").lines().toList();
        assertThat(lines).hasSize(6);
        assertThat(lines.get(0)).contains("  role.set  @ann  admin  because: trusted");
        assertThat(lines.get(1)).endsWith("accounts.unsuspend  @ann");
        assertThat(lines.get(2)).contains("accounts.suspend  @ann  because: again");
        assertThat(lines.get(4)).contains("  command ").contains("accounts.suspend  @ann  because: spam = \"x\"");
        assertThat(lines.get(5)).contains("post.delete  @ann  post " + post + "  because: rude");
        assertThat(audit("--action", "sign-ups."))
                .contains("sign-ups.close  because: flood")
                .doesNotContain("role.set");
        assertThat(audit("--max", "1")).contains("role.set").contains("older ones: --before ");
        assertThat(audit("--by", "ann")).isEqualTo("no acts\n");
        String newest = new JsonObject(audit("--json", "--max", "1"))
                .getJsonArray("entries")
                .getJsonObject(0)
                .getString("id");
        assertThat(audit("--before", newest, "--max", "1")).contains("sign-ups.close");
    }

    private String audit(String... command) {
        return CommandRun.admin(redis, "audit", command);
    }

    private String refused(String... command) {
        List<String> line = new ArrayList<>(List.of("admin", "role"));
        line.addAll(List.of(command));
        line.addAll(List.of("--set", "redis.url=" + redis.server().url().reveal()));
        CommandRun run = CommandRun.of(line);
        assertThat(run.status()).isNotZero();
        return run.err();
    }

    @CanIgnoreReturnValue
    private String run(String... command) {
        return CommandRun.admin(redis, "role", command);
    }
}
