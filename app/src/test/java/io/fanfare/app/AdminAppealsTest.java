package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.app.People.Person;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonArray;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code admin appeals}, with which an operator decides about appeals against warnings. */
@Timeout(120)
class AdminAppealsTest {
    private final TestRedis redis = TestRedis.standalone();
    private ContractServer server;
    private Person ann;

    @BeforeEach
    void start() {
        redis.flush();
        server = new ContractServer(redis);
        ann = new People(server).signUp("ann");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String appeals(String... command) {
        return CommandRun.admin(redis, "appeals", command);
    }

    /** The id of a warning against which the account has appealed. */
    private String appeal(String text) {
        String post = server.send("POST", "/api/v1/statuses", ann.token(), "status=rude")
                .text("/id");
        assertThat(CommandRun.admin(redis, "post", "delete", post, "--notice", "be kind"))
                .contains(post);
        String warning =
                server.send("GET", "/api/v1/warnings", ann.token(), null).text("/0/id");
        assertThat(server.send("POST", "/api/v1/warnings/" + warning + "/appeal", ann.token(), "text=" + text)
                        .text("/appeal/state"))
                .isEqualTo("pending");
        return warning;
    }

    private String state(int place) {
        return server.send("GET", "/api/v1/warnings", ann.token(), null).text("/" + place + "/appeal/state");
    }

    @Test
    void anAppealIsListedApprovedOrRejectedOnceAndEachActIsLogged() {
        assertThat(appeals("list")).contains("no appeal waits");
        String first = appeal("It was a quote.");
        String second = appeal("Please.");
        assertThat(appeals("list").lines()).hasSize(2);
        assertThat(appeals("list")).contains(ann.id() + " " + first + "  2", "ann  delete_statuses  It was a quote.");
        assertThat(new JsonArray(appeals("list", "--json", "--max", "1"))
                        .getJsonObject(0)
                        .getString("message"))
                .isEqualTo("be kind");

        assertThat(appeals("approve", "ann", first, "--why", "it was one")).contains("approved the appeal");
        assertThat(appeals("reject", ann.id(), second, "--why", "no reason")).contains("rejected the appeal");
        assertThat(List.of(state(0), state(1))).containsExactly("rejected", "approved");
        assertThat(appeals("list")).contains("no appeal waits");
        assertThat(CommandRun.admin(redis, "audit", "--action", "appeals."))
                .contains("appeals.approve", "it was one", "appeals.reject", "no reason");
        for (String[] refused : List.of(new String[] {"ann", first}, new String[] {"ann", "1"})) {
            CommandRun run = CommandRun.of(List.of(
                    "admin",
                    "appeals",
                    "reject",
                    refused[0],
                    refused[1],
                    "--set",
                    "redis.url=" + redis.server().url().reveal()));
            assertThat(run.status()).isNotZero();
            assertThat(run.err()).contains("action=appeals/reject", "outcome=refused");
        }
    }
}
