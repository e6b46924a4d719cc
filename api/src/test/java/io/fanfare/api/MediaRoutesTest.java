package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.store.Uploads;
import io.fanfare.media.TestPictures;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class MediaRoutesTest {

    @Parameter
    TestRedis.Kind kind;

    @TempDir
    Path folder;

    private TestRedis redis;
    private ApiServer api;
    private User ann;

    @BeforeEach
    void start() {
        redis = kind.redis();
        redis.flush();
        api = new ApiServer(redis, "media.directory=" + folder, "media.bytes-max=1048576", "limits.text-max=20");
        ann = api.signUp("ann");
    }

    @AfterEach
    void stop() {
        api.close();
    }

    private Response upload(User user, byte[] file, String... form) {
        return api.sendFile("POST", "/api/v2/media", user.token(), "file", file, form);
    }

    private Response sendBoth(String method, String path, byte[] file, byte[] thumbnail) {
        return api.sendFiles(method, path, ann.token(), Map.of("file", file, "thumbnail", thumbnail));
    }

    private String uploaded(User user) {
        Response answer = upload(user, TestPictures.jpeg(320, 200));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.text("/id");
    }

    @Test
    void aPictureIsUploadedDescribedAndServed() throws IOException {
        Response answer = upload(ann, TestPictures.jpeg(1600, 900), "description", "a flag", "focus", "0.5,-0.25");

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.text("/type")).isEqualTo("image");
        assertThat(answer.text("/description")).isEqualTo("a flag");
        assertThat(answer.text("/meta/original/size")).isEqualTo("1600x900");
        assertThat(answer.text("/meta/small/size")).isEqualTo("640x360");
        assertThat(answer.text("/meta/focus")).isEmpty();
        assertThat(answer.text("/meta/focus/y")).isEqualTo("-0.25");
        HttpResponse<byte[]> file = MediaFiles.fetched("GET", answer.text("/url"));
        assertThat(file.statusCode()).isEqualTo(200);
        assertThat(file.headers().map())
                .containsEntry("content-type", List.of("image/jpeg"))
                .containsEntry("x-content-type-options", List.of("nosniff"))
                .containsEntry("cache-control", List.of("public, max-age=31536000, immutable"));
        assertThat(file.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("sandbox");
        BufferedImage shown = ImageIO.read(new ByteArrayInputStream(file.body()));
        assertThat(shown.getWidth()).isEqualTo(1600);
        assertThat(MediaFiles.fetched("GET", answer.text("/preview_url")).statusCode())
                .isEqualTo(200);
        MediaFiles.await(folder, 2);
        assertThat(api.get("/api/v1/media/" + answer.text("/id"), ann.token()).body())
                .isEqualTo(answer.body());
    }

    @Test
    void anAccountThatIsNewSendsFewerBytesOfFilesInADay() {
        assertThat(statusesOfTwoFiles("limits.rates.new-days=7")).containsExactly(422, 429);
        redis.flush();
        assertThat(statusesOfTwoFiles("limits.rates.new-days=0")).containsExactly(422, 422);
    }

    /** Each is 600 kB long and no picture, which is found out after it was counted. */
    private List<Integer> statusesOfTwoFiles(String days) {
        try (ApiServer counting = new ApiServer(
                redis,
                "media.directory=" + folder,
                "limits.enabled=true",
                "limits.rates.new-upload-bytes-per-day=1000000",
                days)) {
            User bob = counting.signUp("bob");
            return Stream.generate(
                            () -> counting.sendFile("POST", "/api/v2/media", bob.token(), "file", new byte[600_000])
                                    .status())
                    .limit(2)
                    .toList();
        }
    }

    @Test
    void belowTheReserveOfTheDiskFilesAreRefusedAndPostsAndReadsGoOn() throws IOException {
        Response before = upload(ann, TestPictures.jpeg(320, 200));
        api.setDisk(2L << 30, 100L << 30);

        Response refused = upload(ann, TestPictures.jpeg(320, 200));
        assertThat(refused.status()).as(refused.body()).isEqualTo(503);
        assertThat(refused.text("/error")).contains("disk is nearly full");
        assertThat(refused.header("Retry-After")).isPresent();
        assertThat(api.sendFile("POST", "/api/v1/media", ann.token(), "file", TestPictures.jpeg(320, 200))
                        .status())
                .isEqualTo(503);
        assertThat(api.sendFile(
                                "PATCH",
                                "/api/v1/accounts/update_credentials",
                                ann.token(),
                                "avatar",
                                TestPictures.jpeg(320, 200))
                        .status())
                .isEqualTo(503);
        assertThat(api.post("/api/v1/statuses", ann.token(), "status", "words", "media_ids[]", before.text("/id"))
                        .status())
                .isEqualTo(200);
        assertThat(api.get("/api/v1/timelines/home", ann.token()).status()).isEqualTo(200);
        assertThat(MediaFiles.fetched("GET", before.text("/url")).statusCode()).isEqualTo(200);
        assertThat(api.get("/api/v1/exports/follows.csv", ann.token()).status()).isEqualTo(200);
        MediaFiles.await(folder, 2);

        api.setDisk(50L << 30, 100L << 30);
        assertThat(upload(ann, TestPictures.jpeg(320, 200)).status()).isEqualTo(200);
        TestRedis.awaitUntil("the room of requests that have ended is free", () -> api.diskHeld() == 0);
    }

    @Test
    void filesAreServedInPartsAndNotAgainToWhoHasThem() {
        String url = upload(ann, TestPictures.jpeg(320, 200)).text("/url");
        byte[] whole = MediaFiles.fetched("GET", url).body();

        HttpResponse<byte[]> head = MediaFiles.fetched("HEAD", url);
        assertThat(head.headers().firstValueAsLong("Content-Length").orElseThrow())
                .isEqualTo(whole.length);
        assertThat(head.body()).isEmpty();
        HttpResponse<byte[]> part = MediaFiles.fetched("GET", url, "Range", "bytes=2-5");
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).containsExactly(whole[2], whole[3], whole[4], whole[5]);
        assertThat(part.headers().firstValue("Content-Range")).contains("bytes 2-5/" + whole.length);
        assertThat(MediaFiles.fetched("GET", url, "Range", "bytes=-3").body()).hasSize(3);
        assertThat(MediaFiles.fetched("GET", url, "Range", "bytes=" + whole.length + "-")
                        .statusCode())
                .isEqualTo(416);
        assertThat(MediaFiles.fetched("GET", url, "Range", "bytes=9-2").body()).isEqualTo(whole);
        String tag = head.headers().firstValue("ETag").orElseThrow();
        HttpResponse<byte[]> known = MediaFiles.fetched("GET", url, "If-None-Match", tag);
        assertThat(known.statusCode()).isEqualTo(304);
        assertThat(known.body()).isEmpty();
    }

    @Test
    void noPathLeadsToOtherFiles() throws IOException {
        Files.writeString(folder.resolve("secret.png"), "secret");
        String name = upload(ann, TestPictures.png(32, 32)).text("/url");
        String other = name.substring(name.lastIndexOf('/') + 1).replace(".png", ".jpg");
        for (String path :
                List.of("secret.png", "..%2fsecret.png", "..%2f..%2fetc%2fpasswd", "tmp", other, "%00.png")) {
            assertThat(MediaFiles.fetched("GET", api.url() + "/media/" + path).statusCode())
                    .as(path)
                    .isIn(400, 404);
        }
    }

    @Test
    void aPostTakesPicturesAndNeedsNoText() {
        User bob = api.signUp("bob");
        String first = uploaded(ann);
        String second = uploaded(ann);
        Response described = api.send(
                "PUT",
                "/api/v1/media/" + second,
                ann.token(),
                "application/json",
                "{\"description\":\"zwei\\nlines\"}");
        assertThat(described.status()).isEqualTo(200);

        Response posted = api.post(
                "/api/v1/statuses",
                ann.token(),
                "media_ids[]",
                first,
                "media_ids[]",
                second,
                "media_attributes[][id]",
                first,
                "media_attributes[][description]",
                "one");

        assertThat(posted.status()).as(posted.body()).isEqualTo(200);
        JsonNode pictures = posted.json().path("media_attachments");
        assertThat(pictures.findValuesAsText("id")).containsExactly(first, second);
        assertThat(pictures.findValuesAsText("description")).containsExactly("one", "zwei\nlines");
        String id = posted.text("/id");
        for (String path : List.of("/api/v1/statuses/" + id, "/api/v1/statuses/" + id + "?again")) {
            assertThat(api.get(path, bob.token()).json().path("media_attachments"))
                    .isEqualTo(pictures);
        }
        assertThat(api.get("/api/v1/timelines/home", ann.token()).json().at("/0/media_attachments"))
                .isEqualTo(pictures);
        assertThat(api.get("/api/v1/accounts/" + ann.id() + "/statuses?only_media=true", null)
                        .each("id"))
                .containsExactly(id);
        assertThat(api.publish(ann, "words")).isNotEmpty();
        assertThat(api.get("/api/v1/accounts/" + ann.id() + "/statuses?only_media=true", null)
                        .each("id"))
                .containsExactly(id);
        Response boost = api.post("/api/v1/statuses/" + id + "/reblog", bob.token());
        assertThat(boost.json().at("/reblog/media_attachments")).isEqualTo(pictures);
        assertThat(boost.json().path("media_attachments")).isEmpty();
        assertThat(api.get("/api/v1/media/" + first, ann.token()).status()).isEqualTo(404);
    }

    @Test
    void publicTimelinesListPicturesAloneOnRequest() {
        String words = api.publish(ann, "words #a");
        String shown = api.post("/api/v1/statuses", ann.token(), "status", "look #a", "media_ids[]", uploaded(ann))
                .text("/id");

        for (String path : List.of("/api/v1/timelines/public", "/api/v1/timelines/tag/a")) {
            assertThat(api.get(path, ann.token()).each("id")).as(path).containsExactly(shown, words);
            assertThat(api.get(path + "?only_media=true", ann.token()).each("id"))
                    .as(path)
                    .containsExactly(shown);
        }
    }

    @Test
    void aPictureIsPostedOnceAndByItsOwnerOnly() {
        User bob = api.signUp("bob");
        String id = uploaded(ann);
        assertThat(api.post("/api/v1/statuses", bob.token(), "media_ids[]", id).status())
                .isEqualTo(422);
        assertThat(api.get("/api/v1/media/" + id, bob.token()).status()).isEqualTo(404);
        assertThat(api.delete("/api/v1/media/" + id, bob.token()).status()).isEqualTo(404);

        List<Integer> answers = IntStream.range(0, 8)
                .parallel()
                .mapToObj(i -> api.post("/api/v1/statuses", ann.token(), "status", "n" + i, "media_ids[]", id)
                        .status())
                .toList();

        assertThat(answers).containsOnlyOnce(200).containsOnly(200, 422);
        String[] five = IntStream.range(0, 5)
                .boxed()
                .flatMap(i -> Stream.of("media_ids[]", Integer.toString(i + 1)))
                .toArray(String[]::new);
        assertThat(api.post("/api/v1/statuses", ann.token(), five).status()).isEqualTo(422);
    }

    @Test
    void theSameIdempotencyKeyPostsTheSamePictureOnce() {
        String id = uploaded(ann);
        String form = "media_ids[]=" + id;
        String type = "application/x-www-form-urlencoded";
        Response first = api.send("POST", "/api/v1/statuses", ann.token(), type, form, "Idempotency-Key", "k");
        Response again = api.send("POST", "/api/v1/statuses", ann.token(), type, form, "Idempotency-Key", "k");

        assertThat(first.status()).isEqualTo(200);
        assertThat(again.body()).isEqualTo(first.body());
    }

    @Test
    void theFilesOfADeletedStatusGoAndThoseOfOthersStay() {
        String url = upload(ann, TestPictures.jpeg(320, 200)).text("/url");
        String kept = uploaded(ann);
        String gone = api.get("/api/v1/media/" + kept, ann.token()).text("/url");
        String other =
                api.post("/api/v1/statuses", ann.token(), "media_ids[]", kept).text("/id");
        MediaFiles.sweep(api, redis, folder, Instant.now().plus(Duration.ofHours(25)));
        assertThat(MediaFiles.fetched("GET", url).statusCode()).isEqualTo(404);
        assertThat(MediaFiles.fetched("GET", gone).statusCode()).isEqualTo(200);

        assertThat(api.delete("/api/v1/statuses/" + other + "?delete_media=true", ann.token())
                        .status())
                .isEqualTo(200);
        MediaFiles.sweep(api, redis, folder, Instant.now());
        MediaFiles.sweep(api, redis, folder, Instant.now());

        assertThat(MediaFiles.fetched("GET", gone).statusCode()).isEqualTo(404);
        MediaFiles.await(folder, 0);
    }

    @Test
    void thePicturesOfADeletedStatusCanBePostedAgainForADay() {
        String first = uploaded(ann);
        String second = uploaded(ann);
        String form = "application/x-www-form-urlencoded";
        JsonNode described = api.send("PUT", "/api/v1/media/" + second, ann.token(), form, "description=a+field")
                .json();
        String post = api.post("/api/v1/statuses", ann.token(), "media_ids[]", first, "media_ids[]", second)
                .text("/id");
        Response deleted = api.delete("/api/v1/statuses/" + post, ann.token());
        assertThat(deleted.json().at("/media_attachments")).hasSize(2);
        MediaFiles.sweep(api, redis, folder, Instant.now().plus(Duration.ofHours(23)));

        assertThat(api.get("/api/v1/media/" + second, ann.token()).json()).isEqualTo(described);
        Response again = api.post("/api/v1/statuses", ann.token(), "status", "other words", "media_ids[]", second);

        assertThat(again.status()).as(again.body()).isEqualTo(200);
        assertThat(again.json().at("/media_attachments/0")).isEqualTo(described);
        MediaFiles.sweep(api, redis, folder, Instant.now().plus(Duration.ofHours(25)));
        assertThat(api.get("/api/v1/media/" + first, ann.token()).status()).isEqualTo(404);
        assertThat(MediaFiles.fetched("GET", described.path("url").asText()).statusCode())
                .isEqualTo(200);
        MediaFiles.await(folder, 2);
    }

    @Test
    void thatPicturesAreToGoIsReadFromABodyToo() {
        String id = uploaded(ann);
        String path = "/api/v1/statuses/"
                + api.post("/api/v1/statuses", ann.token(), "media_ids[]", id).text("/id");
        Response deleted = api.send("DELETE", path, ann.token(), "application/json", "{\"delete_media\":true}");
        assertThat(deleted.status()).as(deleted.body()).isEqualTo(200);
        assertThat(api.get("/api/v1/media/" + id, ann.token()).status()).isEqualTo(404);
    }

    @Test
    void anEditChangesTheDescriptionsOfPicturesAndKeepsThePictures() {
        String first = uploaded(ann);
        String second = upload(ann, TestPictures.jpeg(320, 200), "description", "a dog", "focus", "0.5,0.5")
                .text("/id");
        Response posted =
                api.post("/api/v1/statuses", ann.token(), "status", "two", "media_ids[]", first, "media_ids[]", second);
        String path = "/api/v1/statuses/" + posted.text("/id");

        Response described = put(
                path,
                "{\"status\":\"two\",\"media_attributes\":[{\"id\":\"" + second
                        + "\",\"description\":\"a cat\"},{\"id\":\"1\",\"description\":\"nobody's\"}]}");
        assertThat(described.status()).as(described.body()).isEqualTo(200);
        assertThat(described.text("/edited_at")).isNotEmpty();
        Response shown = api.get(path, null);
        assertThat(shown.json().at("/media_attachments/0/description").isNull()).isTrue();
        assertThat(shown.text("/media_attachments/1/description")).isEqualTo("a cat");
        assertThat(shown.text("/media_attachments/1/id")).isEqualTo(second);
        assertThat(shown.text("/media_attachments/1/url")).isEqualTo(posted.text("/media_attachments/1/url"));
        assertThat(shown.json().at("/media_attachments/1/meta/focus/x").asDouble())
                .isEqualTo(0.5);

        Response same = put(
                path,
                "{\"status\":\"two\",\"media_attributes\":[{\"id\":\"" + second + "\",\"description\":\"a cat\"}]}");
        assertThat(same.text("/edited_at")).as("says nothing new").isEqualTo(shown.text("/edited_at"));
        assertThat(put(path, "{\"status\":\"2\"}").text("/media_attachments/1/description"))
                .as("other words alone")
                .isEqualTo("a cat");
        assertThat(put(
                                path,
                                "{\"status\":\"2\",\"media_attributes\":[{\"id\":\"" + second + "\",\"description\":\""
                                        + "x".repeat(1501) + "\"}]}")
                        .status())
                .isEqualTo(422);
        assertThat(put(
                                path,
                                "{\"status\":\"2\",\"media_attributes\":[{\"id\":\"" + second
                                        + "\",\"description\":\"\",\"focus\":\"-1,0\"}]}")
                        .json()
                        .at("/media_attachments/1/description")
                        .isNull())
                .isTrue();
        assertThat(api.get(path + "/history", null).json().findValuesAsText("description"))
                .as("first and second picture, version by version")
                .containsExactly("null", "a dog", "null", "a cat", "null", "a cat", "null", "null");
    }

    @Test
    void anUploadHasThePreviewThatIsSentWithIt() throws IOException {
        byte[] png = TestPictures.png(50, 40);
        Response picture = sendBoth("POST", "/api/v2/media", TestPictures.jpeg(320, 200), png);
        assertThat(picture.status()).as(picture.body()).isEqualTo(200);
        assertThat(picture.text("/meta/original/size")).isEqualTo("320x200");
        assertThat(picture.text("/meta/small/size")).isEqualTo("50x40");
        HttpResponse<byte[]> small = MediaFiles.fetched("GET", picture.text("/preview_url"));
        assertThat(small.headers().firstValue("content-type")).contains("image/jpeg");
        BufferedImage shown = ImageIO.read(new ByteArrayInputStream(small.body()));
        assertThat(shown.getWidth()).isEqualTo(50);
        assertThat(MediaFiles.fetched("GET", picture.text("/url")).statusCode()).isEqualTo(200);

        assertThat(sendBoth("POST", "/api/v1/media", TestPictures.png(320, 200), TestPictures.jpeg(60, 30))
                        .text("/meta/small/size"))
                .isEqualTo("60x30");
        Response broken = sendBoth("POST", "/api/v2/media", TestPictures.jpeg(320, 200), new byte[] {1, 2, 3});
        assertThat(broken.status()).as(broken.body()).isEqualTo(422);
        MediaFiles.await(folder, 4);
    }

    @Test
    void aDirectMessageThatCannotBeScheduledLeavesItsUploadsAsTheyWere() {
        String id = upload(ann, TestPictures.png(9, 9), "description", "a dog").text("/id");

        Response refused = api.post(
                "/api/v1/statuses",
                ann.token(),
                "status",
                "@bob look",
                "visibility",
                "direct",
                "scheduled_at",
                Instant.now().plus(Duration.ofDays(1)).toString(),
                "media_ids[]",
                id,
                "media_attributes[][id]",
                id,
                "media_attributes[][description]",
                "a cat");

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.body()).contains("A direct message cannot be scheduled");
        assertThat(api.get("/api/v1/media/" + id, ann.token()).text("/description"))
                .isEqualTo("a dog");
    }

    @Test
    void aPostThatRefersToAnUnknownStatusLeavesItsUploadsAsTheyWere() {
        String id = upload(ann, TestPictures.png(9, 9), "description", "a dog").text("/id");

        for (String reference : List.of("in_reply_to_id", "quoted_status_id")) {
            Response refused = api.post(
                    "/api/v1/statuses",
                    ann.token(),
                    "status",
                    "look",
                    reference,
                    "4711",
                    "media_ids[]",
                    id,
                    "media_attributes[][id]",
                    id,
                    "media_attributes[][description]",
                    "a cat");

            assertThat(refused.status()).as(reference).isEqualTo(404);
            assertThat(api.get("/api/v1/media/" + id, ann.token()).text("/description"))
                    .as(reference)
                    .isEqualTo("a dog");
        }
    }

    @Test
    void anotherPreviewGivesAnUploadAnotherFileOfTheSameContent() {
        Response before = upload(ann, TestPictures.jpeg(320, 200), "description", "a dog", "focus", "0.5,0.5");
        String path = "/api/v1/media/" + before.text("/id");

        Response after =
                api.sendFile("PUT", path, ann.token(), "thumbnail", TestPictures.png(50, 40), "description", "a cat");
        assertThat(after.status()).as(after.body()).isEqualTo(200);
        assertThat(after.text("/id")).isEqualTo(before.text("/id"));
        assertThat(after.text("/description")).isEqualTo("a cat");
        assertThat(after.json().at("/meta/focus")).isEqualTo(before.json().at("/meta/focus"));
        assertThat(after.json().at("/meta/original")).isEqualTo(before.json().at("/meta/original"));
        assertThat(after.text("/meta/small/size")).isEqualTo("50x40");
        assertThat(after.text("/preview_url")).as("a file never changes").isNotEqualTo(before.text("/preview_url"));
        assertThat(MediaFiles.fetched("GET", after.text("/url")).body())
                .isEqualTo(MediaFiles.fetched("GET", before.text("/url")).body());
        assertThat(api.get(path, ann.token()).json()).isEqualTo(after.json());

        User bob = api.signUp("bob");
        for (Response refused : List.of(
                api.sendFile("PUT", path, bob.token(), "thumbnail", TestPictures.png(50, 40)),
                api.sendFile("PUT", "/api/v1/media/4711", ann.token(), "thumbnail", TestPictures.png(50, 40)))) {
            assertThat(refused.status()).isEqualTo(404);
        }
        MediaFiles.sweep(api, redis, folder, Instant.now().plus(Duration.ofHours(2)));
        MediaFiles.await(folder, 2);
        assertThat(MediaFiles.fetched("GET", before.text("/url")).statusCode()).isEqualTo(404);
        Response posted = api.post("/api/v1/statuses", ann.token(), "media_ids[]", before.text("/id"));
        assertThat(posted.json().at("/media_attachments/0")).isEqualTo(after.json());
    }

    @Test
    void anEditHasThePicturesThatItNamesAndWhatItDropsIsAnUploadAgain() {
        String first = uploaded(ann);
        String second = uploaded(ann);
        String third = uploaded(ann);
        Response posted =
                api.post("/api/v1/statuses", ann.token(), "status", "two", "media_ids[]", first, "media_ids[]", second);
        String path = "/api/v1/statuses/" + posted.text("/id");

        Response edited = put(
                path,
                "{\"status\":\"two\",\"media_ids\":[\"" + third + "\",\"" + first
                        + "\"],\"media_attributes\":[{\"id\":\"" + third + "\",\"description\":\"new\"}]}");
        assertThat(edited.status()).as(edited.body()).isEqualTo(200);
        assertThat(edited.text("/edited_at")).isNotEmpty();
        JsonNode shown = api.get(path, null).json().path("media_attachments");
        assertThat(shown.findValuesAsText("id")).containsExactly(third, first);
        assertThat(shown.at("/0/description").asText()).isEqualTo("new");
        assertThat(api.get("/api/v1/media/" + third, ann.token()).status())
                .as("taken over")
                .isEqualTo(404);
        assertThat(api.get("/api/v1/media/" + second, ann.token()).status())
                .as("an upload again")
                .isEqualTo(200);
        JsonNode history = api.get(path + "/history", null).json();
        assertThat(history.at("/0/media_attachments").findValuesAsText("id"))
                .as("of the first version what the status still has")
                .containsExactly(first);
        assertThat(history.at("/1/media_attachments").findValuesAsText("id")).containsExactly(third, first);

        assertThat(put(path, "{\"status\":\"words\"}").json().path("media_attachments"))
                .as("media_ids not said")
                .hasSize(2);
        String form = "application/x-www-form-urlencoded";
        for (String refused : List.of(
                "status=a&media_ids[]=4711", "status=a&media_ids[]=" + uploaded(api.signUp("bob")), "media_ids[]=")) {
            assertThat(api.send("PUT", path, ann.token(), form, refused).status())
                    .as(refused)
                    .isEqualTo(422);
        }
        assertThat(api.send("PUT", path, ann.token(), form, "status=none&media_ids[]=")
                        .json()
                        .path("media_attachments"))
                .isEmpty();
        assertThat(put(path, "{\"media_ids\":[\"" + second + "\"]}").json().path("media_attachments"))
                .as("back again, without words")
                .hasSize(1);
        MediaFiles.sweep(api, redis, folder, Instant.now().plus(Duration.ofHours(25)));
        assertThat(MediaFiles.fetched("GET", posted.text("/media_attachments/1/url"))
                        .statusCode())
                .isEqualTo(200);
        assertThat(MediaFiles.fetched("GET", posted.text("/media_attachments/0/url"))
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void aCommentAndAPollGetNoPicturesByAnEdit() {
        String picture = uploaded(ann);
        String post = api.publish(ann, "a post");
        String comment = api.post("/api/v1/statuses/" + post + "/comments", ann.token(), "text", "a comment")
                .text("/id");
        String poll = api.send(
                        "POST",
                        "/api/v1/statuses",
                        ann.token(),
                        "application/x-www-form-urlencoded",
                        "status=which&poll[expires_in]=600&poll[options][]=a&poll[options][]=b")
                .text("/id");

        for (String id : List.of(comment, poll)) {
            Response refused = put("/api/v1/statuses/" + id, "{\"status\":\"x\",\"media_ids\":[\"" + picture + "\"]}");
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.text("/error")).contains("media_ids");
        }
        assertThat(api.get("/api/v1/media/" + picture, ann.token()).status()).isEqualTo(200);
    }

    /** Two edits at a time, of random pictures: each is the status's or an upload, and never both. */
    @Test
    void concurrentEditsLeaveEachPictureInOnePlace() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<String> all = Stream.generate(() -> uploaded(ann)).limit(5).toList();
        String path = "/api/v1/statuses/" + api.publish(ann, "words");
        for (int step = 0; step < 15; step++) {
            List<CompletableFuture<Response>> both = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                List<String> shuffled = new ArrayList<>(all);
                Collections.shuffle(shuffled, random);
                String ids = shuffled.stream()
                        .limit(random.nextInt(5))
                        .map(id -> '"' + id + '"')
                        .collect(Collectors.joining(","));
                String json = "{\"status\":\"step " + step + "\",\"media_ids\":[" + ids + "]}";
                both.add(CompletableFuture.supplyAsync(() -> put(path, json)));
            }
            for (CompletableFuture<Response> each : both) {
                assertThat(each.get(20, TimeUnit.SECONDS).status()).isIn(200, 422);
            }
            List<String> shown =
                    api.get(path, null).json().path("media_attachments").findValuesAsText("id");
            List<String> uploads = all.stream()
                    .filter(id -> api.get("/api/v1/media/" + id, ann.token()).status() == 200)
                    .toList();
            assertThat(Stream.concat(shown.stream(), uploads.stream()))
                    .as("step %d", step)
                    .containsExactlyInAnyOrderElementsOf(all);
        }
        JsonNode last = api.get(path, null).json().path("media_attachments");
        MediaFiles.sweep(api, redis, folder, Instant.now().plus(Duration.ofHours(25)));
        for (JsonNode picture : last) {
            assertThat(MediaFiles.fetched("GET", picture.path("url").asText()).statusCode())
                    .isEqualTo(200);
        }
        for (String id : all) {
            assertThat(api.get("/api/v1/media/" + id, ann.token()).status()).isEqualTo(404);
        }
    }

    private Response put(String path, String json) {
        return api.send("PUT", path, ann.token(), "application/json", json);
    }

    @Test
    void picturesOfADeletedStatusForWhichThereIsNoRoomGoWithIt() {
        String id = uploaded(ann);
        String post =
                api.post("/api/v1/statuses", ann.token(), "media_ids[]", id).text("/id");
        fill(Uploads.WAITING_MAX);
        assertThat(api.delete("/api/v1/statuses/" + post, ann.token()).status()).isEqualTo(200);

        assertThat(api.get("/api/v1/media/" + id, ann.token()).status()).isEqualTo(404);
        MediaFiles.sweep(api, redis, folder, Instant.now());
        MediaFiles.await(folder, 0);
    }

    @Test
    void aPictureThatIsPostedIsNotDeletedButWithItsPost() {
        String id = uploaded(ann);
        String direct = uploaded(ann);
        String post =
                api.post("/api/v1/statuses", ann.token(), "media_ids[]", id).text("/id");
        assertThat(api.post("/api/v1/statuses", ann.token(), "visibility", "direct", "media_ids[]", direct)
                        .status())
                .isEqualTo(200);

        Response refused = api.delete("/api/v1/media/" + id, ann.token());
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("/error")).contains("used by a status");
        assertThat(api.delete("/api/v1/media/" + direct, ann.token()).status()).isEqualTo(404);
        assertThat(api.delete("/api/v1/media/" + id, api.signUp("bob").token()).status())
                .isEqualTo(404);
        assertThat(api.get("/api/v1/statuses/" + post, ann.token()).json().at("/media_attachments"))
                .hasSize(1);
        assertThat(api.delete("/api/v1/statuses/" + post, ann.token()).status()).isEqualTo(200);
        assertThat(api.delete("/api/v1/media/" + id, ann.token()).status()).isEqualTo(200);
        assertThat(api.delete("/api/v1/media/" + id, ann.token()).status()).isEqualTo(404);
    }

    @Test
    void anUploadGoesAfterADayWithItsRecordAndNotBefore() {
        String id = uploaded(ann);
        MediaFiles.sweep(api, redis, folder, Instant.now().plus(Duration.ofHours(23)));
        assertThat(api.get("/api/v1/media/" + id, ann.token()).status()).isEqualTo(200);
        MediaFiles.sweep(api, redis, folder, Instant.now().plus(Duration.ofHours(25)));
        assertThat(api.get("/api/v1/media/" + id, ann.token()).status()).isEqualTo(404);
        assertThat(api.post("/api/v1/statuses", ann.token(), "media_ids[]", id).status())
                .isEqualTo(422);
        MediaFiles.await(folder, 0);
        String removed = uploaded(ann);
        assertThat(api.delete("/api/v1/media/" + removed, ann.token()).status()).isEqualTo(200);
        MediaFiles.sweep(api, redis, folder, Instant.now());
        MediaFiles.await(folder, 0);
    }

    /** The record is there, the files never got their names: as after a crash between the two. */
    @Test
    void aRecordWithoutFilesAndDraftsWithoutARecordAreSwept() throws IOException {
        String id = uploaded(ann);
        Path drafts = folder.resolve("tmp");
        for (Path file : MediaFiles.in(folder)) {
            // The draft of the upload may still be there.
            if (!file.startsWith(drafts)) {
                Files.move(file, drafts.resolve(file.getFileName()));
            }
        }
        MediaFiles.sweep(api, redis, folder, Instant.now().plus(Duration.ofHours(25)));

        assertThat(api.get("/api/v1/media/" + id, ann.token()).status()).isEqualTo(404);
        MediaFiles.await(folder, 0);
    }

    @Test
    void aProfileHasPicturesAndLosesThemAgain() {
        Response drawn = api.get("/api/v1/accounts/verify_credentials", ann.token());
        Response first = api.sendFile(
                "PATCH",
                "/api/v1/accounts/update_credentials",
                ann.token(),
                "avatar",
                TestPictures.jpeg(900, 300),
                "display_name",
                "Ann");

        assertThat(first.status()).as(first.body()).isEqualTo(200);
        assertThat(first.text("/display_name")).isEqualTo("Ann");
        assertThat(first.text("/avatar")).startsWith(api.url() + "/media/").isEqualTo(first.text("/avatar_static"));
        assertThat(first.text("/header")).isEqualTo(drawn.text("/header"));
        assertThat(MediaFiles.fetched("GET", first.text("/avatar")).statusCode())
                .isEqualTo(200);
        assertThat(api.get("/api/v1/statuses/" + api.publish(ann, "x"), null).text("/account/avatar"))
                .isEqualTo(first.text("/avatar"));

        Response second = api.sendFile(
                "PATCH", "/api/v1/accounts/update_credentials", ann.token(), "avatar", TestPictures.png(30, 30));
        MediaFiles.sweep(api, redis, folder, Instant.now().plus(Duration.ofHours(25)));
        assertThat(MediaFiles.fetched("GET", first.text("/avatar")).statusCode())
                .isEqualTo(404);
        assertThat(MediaFiles.fetched("GET", second.text("/avatar")).statusCode())
                .isEqualTo(200);

        assertThat(api.delete("/api/v1/profile/avatar", ann.token()).text("/avatar"))
                .isEqualTo(drawn.text("/avatar"));
        assertThat(api.delete("/api/v1/profile/header", ann.token()).status()).isEqualTo(200);
        MediaFiles.sweep(api, redis, folder, Instant.now());
        MediaFiles.await(folder, 0);
    }

    @Test
    void aFocusIsReadAsMastodonReadsIt() {
        for (String half : List.of(".5,-.5", "5e-1,-5e-1", "0.50px, -0.5;", "0.5,-0.5,0.9")) {
            Response read = upload(ann, TestPictures.png(9, 9), "focus", half);
            assertThat(read.text("/meta/focus/x")).as(half).isEqualTo("0.5");
            assertThat(read.text("/meta/focus/y")).as(half).isEqualTo("-0.5");
        }
        Response inList = upload(ann, TestPictures.png(9, 9), "focus[]", "0.5", "focus[]", "-0.5");
        assertThat(inList.text("/meta/focus/y")).isEqualTo("-0.5");
    }

    @Test
    void aRefusedUploadLeavesNothingBehind() {
        byte[] page = "<html><script>alert(1)</script>".getBytes(StandardCharsets.US_ASCII);
        assertThat(upload(ann, page).text("/error")).contains("no picture");
        assertThat(upload(ann, TestPictures.hugePng(8000, 5000)).text("/error")).contains("too large");
        assertThat(upload(ann, new byte[0]).status()).isEqualTo(422);
        assertThat(upload(ann, TestPictures.png(9, 9), "description", "x".repeat(1501))
                        .status())
                .isEqualTo(422);
        assertThat(upload(ann, TestPictures.png(9, 9), "focus", "0.5").status()).isEqualTo(422);
        assertThat(upload(ann, TestPictures.png(9, 9), "focus", "left").status())
                .isEqualTo(422);
        assertThat(api.sendFile("POST", "/api/v2/media", ann.token(), "other", TestPictures.png(9, 9))
                        .status())
                .isEqualTo(422);
        assertThat(api.post("/api/v2/media", ann.token(), "file", "x").status()).isEqualTo(422);
        assertThat(api.sendFile("POST", "/api/v1/statuses", ann.token(), "file", TestPictures.png(9, 9))
                        .status())
                .isEqualTo(422);

        MediaFiles.await(folder, 0);
    }

    @Test
    void aFileIsStreamedToTheDiskAndRefusedBeyondItsLimit() {
        byte[] noise = new byte[1_000_000];
        new Random(1).nextBytes(noise);
        byte[] large = TestPictures.withChunk(TestPictures.png(64, 64), "teSt", noise);
        assertThat(upload(ann, large).status()).isEqualTo(200);

        Response refused = upload(ann, TestPictures.withChunk(large, "teSt", new byte[200_000]));
        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.text("/error")).contains("1048576");
        assertThat(upload(ann, TestPictures.png(9, 9), "x", "y".repeat(90_000)).status())
                .isEqualTo(413);
    }

    @Test
    void withoutAFolderNothingIsOffered() {
        try (ApiServer without = new ApiServer(redis)) {
            Response refused = without.sendFile("POST", "/api/v2/media", ann.token(), "file", TestPictures.png(9, 9));
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.text("/error")).contains("has set no folder");
            assertThat(without.get("/api/v2/instance", null).text("/configuration/statuses/max_media_attachments"))
                    .isEqualTo("0");
        }
        Response instance = api.get("/api/v2/instance", null);
        assertThat(instance.text("/configuration/statuses/max_media_attachments"))
                .isEqualTo("4");
        assertThat(instance.text("/configuration/media_attachments/image_size_limit"))
                .isEqualTo("1048576");
        assertThat(instance.json().at("/configuration/media_attachments/supported_mime_types"))
                .extracting(JsonNode::asText)
                .contains("image/jpeg", "image/png", "image/gif", "image/webp", "video/mp4");
    }

    @Test
    void uploadsAreCounted() {
        try (ApiServer limited =
                new ApiServer(redis, "media.directory=" + folder, "limits.enabled=true", "limits.rates.uploads=2")) {
            List<Integer> answers = IntStream.range(0, 3)
                    .mapToObj(
                            i -> limited.sendFile("POST", "/api/v2/media", ann.token(), "file", TestPictures.png(9, 9))
                                    .status())
                    .toList();
            assertThat(answers).containsExactly(200, 200, 429);
        }
    }

    /** A PNG of 1600 x 900 costs six megapixels. */
    @Test
    void megapixelsAreCountedPerAccountAndHour() {
        try (ApiServer limited = new ApiServer(
                redis,
                "media.directory=" + folder,
                "limits.enabled=true",
                "limits.rates.upload-megapixels-per-hour=13")) {
            User bob = limited.signUp("bob");
            byte[] costly = TestPictures.png(1600, 900);
            byte[] cheap = TestPictures.png(100, 100);
            for (int i = 0; i < 2; i++) {
                assertThat(limited.sendFile("POST", "/api/v2/media", bob.token(), "file", costly)
                                .status())
                        .isEqualTo(200);
            }

            Response refused = limited.sendFile("POST", "/api/v2/media", bob.token(), "file", costly);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.json().at("/error").asText()).contains("megapixels of pictures", "13", "60 minutes");
            assertThat(limited.sendFile("PATCH", "/api/v1/accounts/update_credentials", bob.token(), "avatar", costly)
                            .status())
                    .isEqualTo(429);
            assertThat(limited.sendFile("POST", "/api/v1/media", bob.token(), "file", cheap)
                            .status())
                    .isEqualTo(200);
            User eve = limited.signUp("eve");
            assertThat(limited.sendFile("POST", "/api/v2/media", eve.token(), "file", costly)
                            .status())
                    .isEqualTo(200);
        }
    }

    private void fill(int uploads) {
        RedisLink link = TestRedis.await(RedisLink.open(api.vertx, redis.options()));
        for (int i = 1; i <= uploads; i++) {
            TestRedis.await(link.send(Command.of("HSET", Keys.uploads(Long.parseLong(ann.id())), i, "x")));
        }
        TestRedis.await(link.close());
    }

    /**
     * In every way that a file is freed but for the sweep and the end of the account, which have tests of their own.
     */
    @Test
    void anAccountHasAsManyBytesOfFilesAsItMayUntilSomeAreDeleted(@TempDir Path other) throws IOException {
        byte[] picture = TestPictures.jpeg(320, 200);
        try (ApiServer limited = new ApiServer(redis, "media.directory=" + other, "media.account-bytes-max=1")) {
            User bob = limited.signUp("bob");
            Response refused = limited.sendFile("POST", "/api/v2/media", bob.token(), "file", picture);
            assertThat(refused.status()).as(refused.body()).isEqualTo(422);
            assertThat(refused.text("/error")).contains("has 0 bytes", "may have 1", "Delete posts with pictures");
            assertThat(limited.sendFile("POST", "/api/v1/media", bob.token(), "file", picture)
                            .status())
                    .isEqualTo(422);
            MediaFiles.await(other, 0);
            assertThat(limited.sendFile("PATCH", "/api/v1/accounts/update_credentials", bob.token(), "avatar", picture)
                            .status())
                    .as("avatars are bounded by themselves")
                    .isEqualTo(200);
        }

        String kept = uploaded(ann);
        MediaFiles.await(folder, 2);
        long each = counted("all");
        assertThat(counted(kept)).isEqualTo(each).isEqualTo(bytesOnDisk());
        String posted = uploaded(ann);
        String status =
                api.post("/api/v1/statuses", ann.token(), "media_ids[]", posted).text("/id");
        assertThat(counted("all")).isEqualTo(2 * each);
        assertThat(api.delete("/api/v1/statuses/" + status, ann.token()).status())
                .isEqualTo(200);
        assertThat(counted("all")).as("it is an upload again").isEqualTo(2 * each);
        status =
                api.post("/api/v1/statuses", ann.token(), "media_ids[]", posted).text("/id");
        assertThat(api.delete("/api/v1/statuses/" + status + "?delete_media=true", ann.token())
                        .status())
                .isEqualTo(200);
        assertThat(counted("all")).isEqualTo(each);
        assertThat(api.delete("/api/v1/media/" + kept, ann.token()).status()).isEqualTo(200);
        assertThat(counted("all")).isZero();
    }

    private long bytesOnDisk() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> path.toString().endsWith(".jpg"))
                    .mapToLong(path -> path.toFile().length())
                    .sum();
        }
    }

    /** The bytes noted in this field of Ann's uploads; 0 = none. */
    private long counted(String field) {
        String key = Keys.mediaBytes(Long.parseLong(ann.id()));
        Reply noted = redis.askAt(key, "HGET", key, field);
        return noted.isNil() ? 0 : Long.parseLong(noted.asString());
    }

    @Test
    void noMoreThanAHundredWait() {
        String id = uploaded(ann);
        fill(Uploads.WAITING_MAX - 1);

        assertThat(upload(ann, TestPictures.png(9, 9)).text("/error")).contains("At most 100");
        assertThat(api.get("/api/v1/media/" + id, ann.token()).status()).isEqualTo(200);
    }
}
