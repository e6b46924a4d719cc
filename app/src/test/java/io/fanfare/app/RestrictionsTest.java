package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.app.ContractServer.Answer;
import io.fanfare.app.People.Person;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.testing.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An account that a moderator has limited, or marked as sensitive: what others see of it, and what it can do. */
@Timeout(120)
class RestrictionsTest {
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);

    /** The client chooses everything, so that no preference is read. */
    private static final String COMPLETE =
            "&visibility=public&sensitive=false&language=en&quote_approval_policy=public";

    private final TestRedis redis = TestRedis.standalone();
    private ContractServer server;
    private People people;
    private Person ann;
    private Person bob;
    private Person cat;

    @BeforeEach
    void open() {
        redis.flush();
        server = new ContractServer(redis);
        server.startWorkers();
        people = new People(server);
        ann = people.signUp("ann");
        bob = people.signUp("bob");
        cat = people.signUp("cat");
        people.done(bob, "/api/v1/accounts/" + ann.id() + "/follow");
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void newPostsOfALimitedAccountAreForThoseWhoFollowItOrLookForIt() {
        String before = people.publish(ann, "status=before");
        awaitPublic(before, true);
        admin("limit");

        assertThat(visibility(people.publish(ann, "status=plain"))).isEqualTo("unlisted");
        assertThat(visibility(people.publish(ann, "status=public&visibility=public")))
                .isEqualTo("unlisted");
        String complete = people.publish(ann, "status=complete" + COMPLETE);
        assertThat(visibility(complete)).isEqualTo("unlisted");
        assertThat(visibility(people.publish(ann, "status=followers&visibility=private")))
                .isEqualTo("private");
        String ofCat = people.publish(cat, "status=words");
        assertThat(visibility(people.comment(ann, ofCat, "status=comment"))).isEqualTo("unlisted");
        Answer repost = server.send("POST", "/api/v1/statuses/" + ofCat + "/reblog", ann.token(), "visibility=public");
        assertThat(repost.text("visibility")).as(repost.body()).isEqualTo("unlisted");
        Answer article = server.send("POST", "/api/v1/articles", ann.token(), "title=words");
        assertThat(article.status()).as(article.body()).isEqualTo(422);
        assertThat(article.text("error")).contains("limited");
        awaitPublic(ofCat, true);
        awaitPublic(before, false);
        assertThat(publicIds()).doesNotContain(complete);
        Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> assertThat(ids("/api/v1/timelines/home", bob))
                .as("the home of a follower")
                .contains(before, complete));
        assertThat(ids("/api/v1/accounts/" + ann.id() + "/statuses", cat)).contains(before, complete);
        assertThat(server.send("GET", "/api/v1/accounts/" + ann.id(), cat.token(), null)
                        .json()
                        .path("limited")
                        .asBoolean())
                .isTrue();
        assertThat(server.send("GET", "/api/v1/directory", cat.token(), null).body())
                .doesNotContain("\"ann\"");

        admin("unlimit");
        awaitPublic(before, true);
        assertThat(publicIds()).as("what was posted meanwhile").doesNotContain(complete);
        assertThat(visibility(people.publish(ann, "status=again" + COMPLETE))).isEqualTo("public");
        assertThat(server.send("GET", "/api/v1/accounts/" + ann.id(), cat.token(), null)
                        .json()
                        .has("limited"))
                .isFalse();
        assertThat(redis.askAt(Keys.LIMITED_ACCOUNTS, "ZCARD", Keys.LIMITED_ACCOUNTS)
                        .asLong())
                .isZero();
    }

    @Test
    void aLimitedAccountAsksBeforeItFollows() {
        admin("limit");
        Answer requested = server.send("POST", "/api/v1/accounts/" + cat.id() + "/follow", ann.token(), null);
        assertThat(requested.json().path("requested").asBoolean())
                .as(requested.body())
                .isTrue();
        assertThat(requested.json().path("following").asBoolean()).isFalse();
        assertThat(ids("/api/v1/follow_requests", cat)).containsExactly(ann.id());
        assertThat(CommandRun.admin(redis, "verify", "--account", "ann"))
                .as("a request to an account that is not locked")
                .doesNotContain("request_to_open");
        people.done(cat, "/api/v1/follow_requests/" + ann.id() + "/authorize");
        assertThat(ids("/api/v1/accounts/" + cat.id() + "/followers", cat)).contains(ann.id());
        Answer again = server.send("POST", "/api/v1/accounts/" + cat.id() + "/follow", ann.token(), null);
        assertThat(again.json().path("following").asBoolean()).as(again.body()).isTrue();

        Answer toBob = server.send("POST", "/api/v1/accounts/" + bob.id() + "/follow", ann.token(), null);
        assertThat(toBob.json().path("requested").asBoolean()).isTrue();
        admin("unlimit");
        Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> assertThat(
                        ids("/api/v1/accounts/" + bob.id() + "/followers", bob))
                .contains(ann.id()));
        assertThat(ids("/api/v1/follow_requests", bob)).isEmpty();
        assertThat(CommandRun.admin(redis, "verify", "--account", "ann")).doesNotContain("request_to_open");
    }

    @Test
    void itsNotificationsAreSetAsideForThoseWhoDoNotFollowIt() {
        admin("limit");
        String ofCat = people.publish(cat, "status=words");
        String ofBob = people.publish(bob, "status=words");
        people.done(ann, "/api/v1/statuses/" + ofCat + "/favourite");
        people.done(ann, "/api/v1/statuses/" + ofBob + "/favourite");
        Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> assertThat(ids("/api/v1/notifications", bob))
                .hasSize(1));
        Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> assertThat(ids("/api/v1/notifications/requests", cat))
                .hasSize(1));
        assertThat(ids("/api/v1/notifications", cat)).isEmpty();
        assertThat(server.send("GET", "/api/v2/notifications/policy", cat.token(), null)
                        .text("for_limited_accounts"))
                .isEqualTo("filter");
        admin("unlimit");
        assertThat(ids("/api/v1/notifications", cat)).hasSize(1);
    }

    @Test
    void eachNewPostOfASensitiveAccountIsSensitive() {
        admin("sensitive");
        String complete = people.publish(ann, "status=words" + COMPLETE);
        assertThat(status(complete).json().path("sensitive").asBoolean()).isTrue();
        assertThat(visibility(complete)).isEqualTo("public");
        admin("unsensitive");
        assertThat(status(people.publish(ann, "status=words"))
                        .json()
                        .path("sensitive")
                        .asBoolean())
                .isFalse();
        assertThat(CommandRun.admin(redis, "audit", "--account", "ann"))
                .contains("accounts.sensitive", "accounts.unsensitive");
    }

    @Test
    void aSecondLimitChangesNothingAndSaysSo() {
        assertThat(admin("limit")).isEqualTo("ann is limited\n");
        assertThat(admin("limit")).isEqualTo("ann is limited, as before\n");
        assertThat(CommandRun.admin(redis, "accounts", "find", "ann")).contains("limited since");
    }

    @CanIgnoreReturnValue
    private String admin(String verb) {
        return CommandRun.admin(redis, "accounts", verb, "ann", "--why", "words");
    }

    private Answer status(String id) {
        return server.send("GET", "/api/v1/statuses/" + id, ann.token(), null);
    }

    private String visibility(String status) {
        return status(status).text("visibility");
    }

    private List<String> publicIds() {
        return ids("/api/v1/timelines/public", cat);
    }

    private void awaitPublic(String status, boolean listed) {
        Awaitility.await()
                .atMost(WAIT_MAX)
                .untilAsserted(() -> assertThat(publicIds().contains(status)).isEqualTo(listed));
    }

    private List<String> ids(String path, Person who) {
        List<String> ids = new ArrayList<>();
        server.send("GET", path, who.token(), null)
                .json()
                .forEach(one -> ids.add(one.path("id").asText()));
        return ids;
    }
}
