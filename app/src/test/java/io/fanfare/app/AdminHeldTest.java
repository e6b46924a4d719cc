package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.app.People.Person;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonArray;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code admin held}, with which an operator decides about posts that wait; a worker publishes them. */
@Timeout(120)
class AdminHeldTest {
    private final TestRedis redis = TestRedis.standalone();
    private ContractServer server;
    private People people;
    private Person ann;

    @BeforeEach
    void start() {
        redis.flush();
        server = new ContractServer(redis);
        server.startWorkers();
        people = new People(server);
        ann = people.signUp("ann");
        assertThat(people.signUp("bob").id()).isNotEqualTo(people.signUp("cat").id());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String held(String... command) {
        return CommandRun.admin(redis, "held", command);
    }

    private ContractServer.Answer post(String words) {
        return server.send("POST", "/api/v1/statuses", ann.token(), "status=" + words + " @bob @cat");
    }

    /** Its id. */
    private String hold(String words) {
        assertThat(post(words).text("/details/status/0/error")).isEqualTo("ERR_HELD");
        return server.send("GET", "/api/v1/held_statuses", ann.token(), null).text("/0/id");
    }

    private ContractServer.Answer published() {
        return server.send("GET", "/api/v1/accounts/" + ann.id() + "/statuses", ann.token(), null);
    }

    @Test
    void anApprovedPostIsPublishedAndARejectedOneLeavesAWarning() {
        assertThat(held("list")).contains("no post waits");
        String first = hold("first");
        String second = hold("second");
        assertThat(held("list").lines()).hasSize(2);
        assertThat(held("list")).contains(first + "  2", "ann  mentions  first @bob @cat");
        assertThat(new JsonArray(held("list", "--json", "--max", "1"))
                        .getJsonObject(0)
                        .getString("text"))
                .isEqualTo("second @bob @cat");

        assertThat(held("approve", first, "--trust", "--why", "known")).contains("approved post " + first);
        Awaitility.await("the post is published")
                .atMost(Duration.ofSeconds(30))
                .until(() -> published().json().size() == 1);
        assertThat(published().text("/0/visibility")).isEqualTo("public");
        assertThat(post("third").status()).as("the account is trusted").isEqualTo(200);

        assertThat(held("reject", second, "--notice", "No names.", "--why", "spam"))
                .contains("rejected post " + second);
        assertThat(server.send("GET", "/api/v1/warnings", ann.token(), null).text("/0/text"))
                .contains("second", "No names.");
        assertThat(held("list")).contains("no post waits");
        assertThat(CommandRun.admin(redis, "audit", "--action", "held."))
                .contains("held.approve", "known", "held.reject", "spam");
    }

    @Test
    void aPostThatDoesNotWaitEndsTheCommandWithASentence() {
        assertThat(refused("approve", "1")).contains("No such post is in the list", "it was decided or withdrawn");
    }

    @Test
    void aPostOfASuspendedAccountEndsTheCommandWithASentenceThatNamesTheSuspension() {
        String post = hold("first");
        CommandRun.admin(redis, "accounts", "suspend", "ann", "--why", "spam");
        assertThat(refused("approve", post)).contains("lift the suspension first");
        assertThat(held("list")).contains("no post waits");
        assertThat(refused("approve", post)).contains("its account is suspended", "after the suspension is lifted");
    }

    /** The message of a command that fails. */
    private String refused(String verb, String post) {
        CommandRun run = CommandRun.of(List.of(
                "admin",
                "held",
                verb,
                post,
                "--set",
                "redis.url=" + redis.server().url().reveal()));
        assertThat(run.status()).isNotZero();
        return run.err();
    }
}
