package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.media.TestPictures;
import io.fanfare.redis.testing.TestRedis;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The switches of the whole site, as clients see them. */
class SiteSwitchesTest {
    @TempDir
    Path folder;

    private final TestRedis redis = TestRedis.standalone();
    private ApiServer api;
    private User ann;
    private String post;

    @BeforeEach
    void start() {
        redis.flush();
        api = new ApiServer(redis, "media.directory=" + folder);
        ann = api.signUp("ann");
        post = api.publish(ann, "words");
    }

    @AfterEach
    void stop() {
        api.close();
    }

    private void turnOn(String name) {
        redis.askAt("{meta}", "HSET", "{meta}", name, "1700000000000");
    }

    private void turnOff(String name) {
        redis.askAt("{meta}", "HDEL", "{meta}", name);
    }

    @Test
    void aReadOnlySiteTakesNoWritesButReadsAndLogIns() {
        turnOn("read-only");
        TestRedis.awaitUntil("it is read-only", () -> favourite().status() == 503);
        Response refused = favourite();
        assertThat(refused.text("/error")).contains("read-only");
        assertThat(refused.header("Retry-After")).contains("60");
        for (String[] write : List.of(
                new String[] {"POST", "/api/v1/statuses"},
                new String[] {"PATCH", "/api/v1/accounts/update_credentials"},
                new String[] {"DELETE", "/api/v1/statuses/" + post},
                new String[] {"PUT", "/api/v1/statuses/" + post},
                new String[] {"POST", "/api/v1/accounts"},
                new String[] {"POST", "/api/v1/session/sign_up"},
                new String[] {"POST", "/api/v1/accounts/1/follow"})) {
            Response answer =
                    api.send(write[0], write[1], ann.token(), "application/x-www-form-urlencoded", "status=x");
            assertThat(answer.status()).as(write[1]).isEqualTo(503);
        }
        assertThat(api.get("/api/v1/timelines/home", ann.token()).status()).isEqualTo(200);
        assertThat(api.get("/api/v1/statuses/" + post, null).text("/content")).contains("words");
        assertThat(session().status()).isEqualTo(200);
        turnOff("read-only");
        TestRedis.awaitUntil("it takes writes", () -> favourite().status() == 200);
    }

    @Test
    void aReadOnlySiteLetsPeopleEndTheirSessions() {
        Response app = api.post(
                "/api/v1/apps",
                null,
                "client_name",
                "x",
                "redirect_uris",
                "urn:ietf:wg:oauth:2.0:oob",
                "scopes",
                "read");
        turnOn("read-only");
        TestRedis.awaitUntil("it is read-only", () -> favourite().status() == 503);

        String first = api.logIn(app, "ann", ApiServer.PASSWORD).text("/access_token");
        Response listed = api.post("/api/v1/tokens/list", ann.token(), "current_password", ApiServer.PASSWORD);
        assertThat(listed.status()).isEqualTo(200);
        String id = listed.each("id").get(0);
        assertThat(api.post("/api/v1/tokens/" + id + "/revoke", ann.token(), "current_password", ApiServer.PASSWORD)
                        .status())
                .isEqualTo(200);
        assertThat(api.get("/api/v1/preferences", first).status()).isEqualTo(401);

        String second = api.logIn(app, "ann", ApiServer.PASSWORD).text("/access_token");
        assertThat(api.post("/api/v1/tokens/revoke_others", ann.token(), "current_password", ApiServer.PASSWORD)
                        .status())
                .isEqualTo(200);
        assertThat(api.get("/api/v1/preferences", second).status()).isEqualTo(401);
    }

    private Response favourite() {
        return api.post("/api/v1/statuses/" + post + "/favourite", ann.token());
    }

    private Response session() {
        return api.send(
                "POST",
                "/api/v1/session",
                null,
                "application/x-www-form-urlencoded",
                "username=ann&password=correct+horse+battery",
                "X-Fanfare-Page",
                "1");
    }

    @Test
    void aSiteForMembersShowsOthersOnlyTheWaysIn() {
        turnOn("members-only");
        TestRedis.awaitUntil(
                "it is for members only",
                () -> api.get("/api/v1/timelines/public", null).status() == 401);
        for (String path : List.of(
                "/api/v1/statuses/" + post,
                "/api/v1/accounts/" + ann.id(),
                "/api/v1/accounts/" + ann.id() + "/statuses",
                "/api/v1/accounts/lookup?acct=ann",
                "/api/v2/search?q=ann",
                "/api/v1/timelines/tag/words",
                "/api/v1/trends/tags",
                "/api/v1/directory?local=true",
                "/@ann",
                "/@ann/" + post,
                "/@ann.rss",
                "/tags/words",
                "/",
                "/api/oembed?url=" + api.url() + "/@ann/" + post,
                "/.well-known/webfinger?resource=acct:ann@127.0.0.1")) {
            Response refused = api.get(path, null);
            assertThat(refused.status()).as(path).isEqualTo(401);
            assertThat(refused.text("/error")).as(path).contains("members only");
        }
        for (String path : List.of(
                "/api/v1/instance",
                "/api/v2/instance",
                "/nodeinfo/2.0",
                "/api/v1/custom_emojis",
                "/login",
                "/signup",
                "/.well-known/nodeinfo",
                "/health")) {
            assertThat(api.get(path, null).status()).as(path).isEqualTo(200);
        }
        assertThat(api.get("/api/v2/instance", null).text("/configuration/timelines_access/live_feeds/local"))
                .isEqualTo("authenticated");
        assertThat(session().status()).isEqualTo(200);
        User bob = api.signUp("bob");
        for (String path : List.of("/api/v1/statuses/" + post, "/api/v1/timelines/public", "/@ann")) {
            assertThat(api.get(path, bob.token()).status()).as(path).isEqualTo(200);
        }
        Response page = api.send("GET", "/@ann/" + post, null, null, null, "Accept", "text/html");
        assertThat(page.status()).isEqualTo(401);
        assertThat(page.body()).contains("<script").doesNotContain("words");
        turnOff("members-only");
        TestRedis.awaitUntil(
                "everybody reads",
                () -> api.get("/api/v1/statuses/" + post, null).status() == 200);
    }

    @Test
    void withoutUploadsNoFileIsTakenAndOtherFieldsAre() {
        turnOn("no-uploads");
        byte[] picture = TestPictures.png(30, 30);
        TestRedis.awaitUntil(
                "uploads are off",
                () -> api.sendFile("POST", "/api/v2/media", ann.token(), "file", picture)
                                .status()
                        == 403);
        assertThat(api.sendFile("POST", "/api/v2/media", ann.token(), "file", picture)
                        .text("/error"))
                .contains("Uploads are switched off");
        assertThat(api.sendFile("PATCH", "/api/v1/accounts/update_credentials", ann.token(), "avatar", picture)
                        .status())
                .isEqualTo(403);
        assertThat(api.send(
                                "PATCH",
                                "/api/v1/accounts/update_credentials",
                                ann.token(),
                                "application/x-www-form-urlencoded",
                                "note=words")
                        .status())
                .isEqualTo(200);
        assertThat(api.publish(ann, "more words")).isNotEmpty();
        turnOff("no-uploads");
        TestRedis.awaitUntil(
                "uploads are on",
                () -> api.sendFile("POST", "/api/v2/media", ann.token(), "file", picture)
                                .status()
                        == 200);
    }
}
