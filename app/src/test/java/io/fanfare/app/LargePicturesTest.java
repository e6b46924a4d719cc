package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.media.TestPictures;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Large pictures that a whole server makes while it is killed with -9. */
@Tag("programs")
@Timeout(300)
class LargePicturesTest {
    private static final String BOUNDARY = "----boundary";
    private static final int PICTURES = 12;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(30))
            .build();

    @TempDir
    private Path dir;

    private FanfareProcess up;
    private String url;

    private void start() {
        up = FanfareProcess.up(
                dir.resolve("data"),
                "--set",
                "limits.enabled=false",
                "--set",
                "media.at-once-pixels=100000",
                "--set",
                "queue.lease=4s",
                "--set",
                "queue.beat=800ms",
                "--set",
                "queue.reap=500ms");
        url = up.runtime().httpUrl();
    }

    @Test
    void eachThatWasAnsweredIsMadeHoweverOftenEverythingIsKilled() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        start();
        try {
            Client ann = Client.signUp(url, "ann");
            byte[] picture = TestPictures.jpeg(2400, 1600);
            List<String> ids = new ArrayList<>();
            for (int kill = 0; kill < 3; kill++) {
                for (int i = 0; i < PICTURES / 3; i++) {
                    HttpResponse<String> answer = upload(ann, picture);
                    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
                    ids.add(new JsonObject(answer.body()).getString("id"));
                }
                int made = random.nextInt(ids.size());
                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> status(ann, ids.get(made)) == 200);
                up.kill();
                start();
            }

            for (String id : ids) {
                Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> status(ann, id) == 200);
            }
            List<String> shown = new ArrayList<>();
            for (String id : ids) {
                shown.add(new JsonObject(get(ann, id).body()).getString("url").replaceAll(".*/", ""));
            }
            assertThat(files()).containsAll(shown);
            Awaitility.await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> assertThat(files())
                    .as("sources go when their pictures are made")
                    .noneMatch(name -> name.endsWith(".source")));
            assertThat(post(ann, ids.subList(0, 4))).isEqualTo(200);
            CommandRun verified = CommandRun.of(
                    List.of("admin", "verify", "--data", dir.resolve("data").toString()));
            assertThat(verified.status()).as(verified.toString()).isZero();
        } finally {
            up.close();
        }
    }

    private List<String> files() {
        try (Stream<Path> all = Files.walk(dir.resolve("data/media"))) {
            return all.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.contains("."))
                    .toList();
        } catch (UncheckedIOException deletedMeanwhile) {
            return files();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private HttpResponse<String> upload(Client user, byte[] file) throws Exception {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(("--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        body.writeBytes(file);
        body.writeBytes(("\r\n--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.US_ASCII));
        return send(request(user, "/api/v2/media")
                .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body.toByteArray())));
    }

    private HttpResponse<String> get(Client user, String id) throws Exception {
        return send(request(user, "/api/v1/media/" + id).GET());
    }

    private int status(Client user, String id) throws Exception {
        return get(user, id).statusCode();
    }

    private int post(Client user, List<String> ids) throws Exception {
        String form = "media_ids[]=" + String.join("&media_ids[]=", ids);
        return send(request(user, "/api/v1/statuses")
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString(form)))
                .statusCode();
    }

    private HttpRequest.Builder request(Client user, String path) {
        return HttpRequest.newBuilder(URI.create(url + path))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer " + user.token());
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
