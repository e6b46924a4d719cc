package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.media.TestPictures;
import io.fanfare.redis.testing.TestRedis;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportRoutesTest extends OnEveryRedis {
    private static int names;

    private User ann;
    private User bob;

    @BeforeEach
    void signUp() {
        ann = user();
        bob = user();
    }

    private static User user() {
        return api.signUp("user" + names++);
    }

    private static String address(User user) {
        return user.name() + "@" + api.url().substring("http://".length());
    }

    private static void act(User who, String what, User whom, String... form) {
        Response answer = api.post("/api/v1/accounts/" + whom.id() + "/" + what, who.token(), form);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    private String csv(String file) {
        Response answer = api.get("/api/v1/exports/" + file + ".csv", ann.token());
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).contains("text/csv; charset=utf-8");
        assertThat(answer.header("Cache-Control")).contains("private, no-store");
        return answer.body();
    }

    @Test
    void followsAreExportedWithTheirTermsNewestFirst() {
        User cat = user();
        act(ann, "follow", bob);
        act(ann, "follow", cat, "reblogs", "false", "notify", "true", "languages[]", "en", "languages[]", "de");
        assertThat(csv("follows"))
                .isEqualTo("Account address,Show boosts,Notify on new posts,Languages\n" + address(cat)
                        + ",false,true,\"en, de\"\n" + address(bob) + ",true,false,\n");
        assertThat(api.get("/api/v1/exports/follows.csv", ann.token()).header("Content-Disposition"))
                .contains("attachment; filename=\"following_accounts.csv\"");
    }

    @Test
    void moreThanAPageIsExportedOnce() {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 410; i++) {
            redis.askAt(Keys.blocks(id(ann)), "ZADD", Keys.blocks(id(ann)), Integer.toString(i + 1), otherId(i));
        }
        for (int i = 0; i < 410; i++) {
            expected.add("x" + i + "@" + api.url().substring("http://".length()));
        }
        Collections.reverse(expected);
        assertThat(csv("blocks").lines().collect(Collectors.toList())).isEqualTo(expected);
    }

    private static long id(User user) {
        return Long.parseLong(user.id());
    }

    /** An account without a sign-up, which costs a hash. */
    private String otherId(int number) {
        long id = (1L << 40) + ((long) number << 16) + (id(ann) & 1);
        redis.askAt(Keys.user(id), "HSET", Keys.user(id), "state", "active", "name", "x" + number);
        return Long.toString(id);
    }

    @Test
    void mutesAreExportedWithWhatTheyHide() {
        User cat = user();
        act(ann, "mute", bob);
        act(ann, "mute", cat, "notifications", "false");
        assertThat(csv("mutes"))
                .isEqualTo(
                        "Account address,Hide notifications\n" + address(cat) + ",false\n" + address(bob) + ",true\n");
    }

    @Test
    void titlesOfListsThatASpreadsheetTakesForFormulasAreExportedAsTexts() {
        User cat = user();
        act(ann, "follow", bob);
        act(ann, "follow", cat);
        String empty = api.post("/api/v1/lists", ann.token(), "title", "empty").text("/id");
        assertThat(empty).isNotEmpty();
        String list =
                api.post("/api/v1/lists", ann.token(), "title", "=a, \"b\"").text("/id");
        Response added = api.post(
                "/api/v1/lists/" + list + "/accounts",
                ann.token(),
                "account_ids[]",
                bob.id(),
                "account_ids[]",
                cat.id());
        assertThat(added.status()).isEqualTo(200);
        assertThat(csv("lists").lines())
                .containsExactlyInAnyOrder("\"'=a, \"\"b\"\"\"," + address(bob), "\"'=a, \"\"b\"\"\"," + address(cat));
    }

    @Test
    void bookmarksAreExportedByTheAddressesOfTheirPosts() {
        String first = api.publish(bob, "one");
        String second = api.publish(bob, "two");
        String gone = api.publish(bob, "three");
        for (String id : List.of(first, second, gone)) {
            Response kept = api.post("/api/v1/statuses/" + id + "/bookmark", ann.token());
            assertThat(kept.status()).isEqualTo(200);
        }
        assertThat(api.delete("/api/v1/statuses/" + gone, bob.token()).status()).isEqualTo(200);
        String uri = api.url() + "/users/" + bob.name() + "/statuses/";
        assertThat(csv("bookmarks")).isEqualTo(uri + second + "\n" + uri + first + "\n");
        assertThat(api.get("/api/v1/statuses/" + first, null).text("/uri")).isEqualTo(uri + first);
    }

    private static HttpResponse<byte[]> archive(User user) throws Exception {
        return archive(api, user);
    }

    private static HttpResponse<byte[]> archive(ApiServer server, User user) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(server.url() + "/api/v1/exports/archive.zip"))
                                .header("Authorization", "Bearer " + user.token())
                                .build(),
                        BodyHandlers.ofByteArray());
    }

    @Test
    void anArchiveHasEverything() throws Exception {
        for (int i = 0; i < 50; i++) {
            assertThat(api.publish(ann, "post " + i)).isNotEmpty();
        }
        api.follow(ann, bob);
        HttpResponse<byte[]> answer = archive(ann);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/zip");
        assertThat(answer.headers().firstValue("Content-Disposition").orElse(""))
                .matches("attachment; filename=\"" + ann.name() + "-\\d{4}-\\d\\d-\\d\\d\\.zip\"");
        Map<String, String> files = unpack(answer.body());
        assertThat(files.get("statuses.jsonl").lines()).hasSize(50);
        assertThat(files.get("following_accounts.csv")).contains(address(bob));
        assertThat(files.get("account.json")).contains(ann.name()).doesNotContain("example.org");
        assertThat(unpack(archive(bob).body()).get("statuses.jsonl")).isEmpty();
    }

    @Test
    void anAccountGetsTwoArchivesInAnHour() throws Exception {
        try (ApiServer strict = new ApiServer(redis, "limits.enabled=true")) {
            for (int i = 0; i < 2; i++) {
                Response head = strict.send("HEAD", "/api/v1/exports/archive.zip", ann.token(), null, null);
                assertThat(head.status()).as("asked for nothing").isEqualTo(200);
                assertThat(unpack(archive(strict, ann).body())).containsKey("README.txt");
            }
            HttpResponse<byte[]> third = archive(strict, ann);
            assertThat(third.statusCode()).isEqualTo(429);
            assertThat(new String(third.body(), StandardCharsets.UTF_8)).contains("Too many exports: at most 2 in");
            assertThat(archive(strict, bob).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aClientThatDisconnectsDuringAnExportCanExportAgain(@TempDir Path folder) throws Exception {
        try (ApiServer server =
                new ApiServer(redis, "media.directory=" + folder, "limits.enabled=true", "limits.rates.exports=2")) {
            publishLongPicture(server, folder);
            try (Socket slow = new Socket()) {
                slow.setReceiveBufferSize(4096);
                slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.verticle.port()));
                slow.getOutputStream()
                        .write(("GET /api/v1/exports/archive.zip HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
                                        + ann.token() + "\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(slow.getInputStream().readNBytes(1000), StandardCharsets.US_ASCII))
                        .startsWith("HTTP/1.1 200 ");
                for (int i = 0; i < 3; i++) {
                    assertThat(archive(server, ann).statusCode())
                            .as("refused while it comes, and not counted")
                            .isEqualTo(503);
                }
            }
            TestRedis.awaitUntil("the place is free", () -> status(server) == 200);
            assertThat(status(server)).as("the third that was begun").isEqualTo(429);
        }
    }

    private int status(ApiServer server) {
        try {
            return archive(server, ann).statusCode();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Its file is longer than what sockets hold. */
    private void publishLongPicture(ApiServer server, Path folder) throws IOException {
        String picture = server.sendFile("POST", "/api/v2/media", ann.token(), "file", TestPictures.jpeg(320, 200))
                .text("/id");
        Response posted = server.post("/api/v1/statuses", ann.token(), "status", "x", "media_ids[]", picture);
        assertThat(posted.status()).as(posted.body()).isEqualTo(200);
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                Files.write(file, new byte[24_000_000]);
            }
        }
    }

    private static Map<String, String> unpack(byte[] zip) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                files.put(entry.getName(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return files;
    }

    @Test
    void anEmptyAccountGetsEmptyFilesAndStrangersGetNone() {
        assertThat(csv("blocks")).isEmpty();
        assertThat(csv("lists")).isEmpty();
        assertThat(csv("bookmarks")).isEmpty();
        assertThat(csv("follows")).isEqualTo("Account address,Show boosts,Notify on new posts,Languages\n");
        assertThat(api.get("/api/v1/exports/follows.csv", null).status()).isEqualTo(401);
        Response head = api.send("HEAD", "/api/v1/exports/follows.csv", ann.token(), null, "");
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }
}
