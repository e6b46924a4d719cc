package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.media.TestClips;
import io.fanfare.media.TestPictures;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Videos and sounds, from the upload to the deletion of their files. */
@ParameterizedClass
@KindsOfRedis
class ClipRoutesTest {
    private static final int PICTURE_BYTES = 65_536;
    private static final int CLIP_BYTES = 200_000;

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
        api = new ApiServer(
                redis,
                "media.directory=" + folder,
                "media.bytes-max=" + PICTURE_BYTES,
                "media.video-bytes-max=" + CLIP_BYTES);
        ann = api.signUp("ann");
    }

    @AfterEach
    void stop() {
        api.close();
    }

    private Response upload(byte[] file, String... form) {
        return api.sendFile("POST", "/api/v2/media", ann.token(), "file", file, form);
    }

    private String uploaded(byte[] file) {
        Response answer = upload(file);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.text("/id");
    }

    @Test
    void aVideoIsStoredAsItIsAndDescribedInMastodonsFields() {
        Response answer = upload(TestClips.WEBM, "description", "a test card", "focus", "0.5,-0.25");

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        JsonNode video = answer.json();
        assertThat(answer.text("/type")).isEqualTo("video");
        assertThat(answer.text("/description")).isEqualTo("a test card");
        assertThat(answer.text("/meta/length")).isEqualTo("0:00:02.00");
        assertThat(video.at("/meta/duration").asDouble()).isEqualTo(2);
        assertThat(answer.text("/meta/fps")).isEqualTo("10");
        assertThat(answer.text("/meta/size")).isEqualTo("64x48");
        assertThat(answer.text("/meta/original/width")).isEqualTo("64");
        assertThat(answer.text("/meta/original/frame_rate")).isEqualTo("10/1");
        assertThat(video.at("/meta/original/bitrate").asInt()).isEqualTo(TestClips.WEBM.length * 4);
        assertThat(answer.text("/meta/focus/x")).isEqualTo("0.5");
        HttpResponse<byte[]> file = MediaFiles.fetched("GET", answer.text("/url"));
        assertThat(file.body()).isEqualTo(TestClips.WEBM);
        assertThat(file.headers().map())
                .containsEntry("content-type", List.of("video/webm"))
                .containsEntry("x-content-type-options", List.of("nosniff"))
                .containsEntry("accept-ranges", List.of("bytes"))
                .containsEntry("cache-control", List.of("public, max-age=31536000, immutable"));
        assertThat(file.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("sandbox");
        assertThat(api.get("/api/v1/media/" + answer.text("/id"), ann.token()).body())
                .isEqualTo(answer.body());
    }

    @Test
    void everyFormatIsServedAsWhatItIs() {
        Map<String, byte[]> files = Map.of(
                "video/mp4", TestClips.MP4,
                "video/quicktime", TestClips.MOV,
                "audio/mpeg", TestClips.MP3,
                "audio/ogg", TestClips.OGG,
                "audio/flac", TestClips.FLAC,
                "audio/wav", TestClips.wave(8000),
                "audio/mp4", TestClips.M4A,
                "audio/aac", TestClips.AAC,
                "audio/webm", TestClips.WEBM_SOUND);
        files.forEach((type, file) -> {
            Response answer = upload(file);
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(answer.text("/type")).isEqualTo(type.substring(0, 5));
            HttpResponse<byte[]> served = MediaFiles.fetched("GET", answer.text("/url"));
            assertThat(served.headers().firstValue("Content-Type")).contains(type);
            assertThat(served.body()).hasSameSizeAs(file);
        });
    }

    @Test
    void aSoundHasALengthAndNoSizeAndUnknownPropertiesAreAbsent() {
        Response sound = upload(TestClips.OGG);
        assertThat(sound.text("/meta/original/duration")).isEqualTo("2.0");
        assertThat(sound.json().at("/meta/original").has("width")).isFalse();
        Response silent = upload(TestClips.AAC);
        assertThat(silent.json().at("/meta/original")).isEmpty();
        assertThat(silent.json().at("/meta").has("duration")).isFalse();
        assertThat(silent.json().at("/preview_url").isNull()).isTrue();
        assertThat(silent.json().at("/blurhash").isNull()).isTrue();
    }

    @Test
    void aVideoIsServedInPartsSoThatBrowsersCanSeek() {
        String url = upload(TestClips.MP4).text("/url");

        HttpResponse<byte[]> part = MediaFiles.fetched("GET", url, "Range", "bytes=4-7");
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(new String(part.body(), StandardCharsets.US_ASCII)).isEqualTo("ftyp");
        assertThat(part.headers().firstValue("Content-Range")).contains("bytes 4-7/" + TestClips.MP4.length);
        assertThat(MediaFiles.fetched("GET", url, "Range", "bytes=4000-").body())
                .hasSize(TestClips.MP4.length - 4000);
    }

    @Test
    void aPostHasOneVideoOrOneSoundOrPictures() {
        String video = uploaded(TestClips.MP4);
        String sound = uploaded(TestClips.MP3);
        String picture = uploaded(TestPictures.png(32, 32));
        String soon = Instant.now().plus(Duration.ofHours(1)).toString();
        for (List<String> two : List.of(List.of(video, picture), List.of(picture, sound), List.of(video, sound))) {
            for (List<String> more : List.of(List.<String>of(), List.of("scheduled_at", soon))) {
                List<String> form = Stream.concat(
                                Stream.of("media_ids[]", two.get(0), "media_ids[]", two.get(1)), more.stream())
                        .toList();
                Response refused = api.post("/api/v1/statuses", ann.token(), form.toArray(String[]::new));
                assertThat(refused.status()).isEqualTo(422);
                assertThat(refused.text("/error"))
                        .startsWith("Cannot attach a video to a post that already contains images");
            }
        }

        Response posted = api.post("/api/v1/statuses", ann.token(), "media_ids[]", video);
        assertThat(posted.status()).as(posted.body()).isEqualTo(200);
        assertThat(posted.text("/media_attachments/0/type")).isEqualTo("video");
        Response scheduled = api.post("/api/v1/statuses", ann.token(), "media_ids[]", sound, "scheduled_at", soon);
        assertThat(scheduled.text("/media_attachments/0/type")).isEqualTo("audio");
        assertThat(scheduled.text("/media_attachments/0/meta/duration")).isEqualTo("2.088");
    }

    @Test
    void aPostKeepsItsVideoThroughEditsAndIsShownWithIt() {
        String id = uploaded(TestClips.MP4);
        JsonNode posted = api.post("/api/v1/statuses", ann.token(), "status", "look", "media_ids[]", id)
                .json();
        String path = "/api/v1/statuses/" + posted.path("id").asText();
        JsonNode video = posted.at("/media_attachments/0");

        Response edited = api.send(
                "PUT",
                path,
                ann.token(),
                "application/json",
                "{\"status\":\"see\",\"media_attributes\":[{\"id\":\"" + id
                        + "\",\"description\":\"a card / a tone\"}]}");

        assertThat(edited.status()).as(edited.body()).isEqualTo(200);
        assertThat(edited.text("/media_attachments/0/description")).isEqualTo("a card / a tone");
        assertThat(edited.json().at("/media_attachments/0/meta")).isEqualTo(video.path("meta"));
        assertThat(api.get("/api/v1/timelines/home", ann.token()).json().at("/0/media_attachments/0/url"))
                .isEqualTo(video.path("url"));
        assertThat(api.get("/api/v1/accounts/" + ann.id() + "/statuses?only_media=true", null)
                        .each("id"))
                .containsExactly(posted.path("id").asText());
        assertThat(api.get("/@ann/" + posted.path("id").asText(), null).body())
                .contains("<video controls preload=\"none\" src=\""
                        + video.path("url").asText() + "\"");
    }

    @Test
    void theFilesOfADeletedPostGo() {
        String id = uploaded(TestClips.MP4);
        String post =
                api.post("/api/v1/statuses", ann.token(), "media_ids[]", id).text("/id");
        Response removed = api.delete("/api/v1/statuses/" + post, ann.token());
        assertThat(removed.text("/media_attachments/0/type")).isEqualTo("video");
        assertThat(api.get("/api/v1/media/" + id, ann.token()).text("/meta/duration"))
                .as("it waits to be posted again")
                .isEqualTo("2.0");
        assertThat(api.delete("/api/v1/media/" + id, ann.token()).status()).isEqualTo(200);

        MediaFiles.sweep(api, redis, folder, Instant.now());

        MediaFiles.await(folder, 0);
    }

    /** Files with bytes that look like the end of a part. */
    @Test
    void aFileOfLineEndsAndHalfBoundariesIsStoredAsItIs() {
        byte[] sound = TestClips.wave(CLIP_BYTES - 1000);
        String[] pieces = {"\r\n", "\n", "\r", "-", "\r\n------boundar", "\n----boundary", "--boundary", "\r\n\r\n"};
        Random random = new Random(7);
        for (int at = 1000; at < sound.length - 40; ) {
            byte[] piece = pieces[random.nextInt(pieces.length)].getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(piece, 0, sound, at, piece.length);
            at += piece.length;
        }
        sound[sound.length - 1] = '\r';

        Response answer = upload(sound, "description", "two\n\nlines");

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.text("/description")).isEqualTo("two\n\nlines");
        assertThat(MediaFiles.fetched("GET", answer.text("/url")).body()).isEqualTo(sound);
    }

    @Test
    void aVideoMayBeLongerThanAPictureAndNoPictureIs() {
        byte[] longer = TestClips.wave(PICTURE_BYTES + 1000);
        assertThat(upload(longer).status()).isEqualTo(200);

        Response tooLong = upload(TestClips.wave(CLIP_BYTES + 1));
        assertThat(tooLong.status()).isEqualTo(413);
        assertThat(tooLong.text("/error")).contains("The video or sound is too large: at most " + CLIP_BYTES);
        byte[] picture = TestPictures.withChunk(TestPictures.png(64, 64), "teSt", new byte[PICTURE_BYTES]);
        Response refused = upload(picture);
        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.text("/error")).contains("" + PICTURE_BYTES);
        MediaFiles.await(folder, 1);
    }

    /** Its last bytes come one by one, a tenth of a second between them. */
    @Test
    void aSlowLineMaySendAVideoForLongerThanAConnectionMayBeIdle() throws IOException {
        try (ApiServer strict = new ApiServer(
                redis,
                "media.directory=" + folder,
                "media.bytes-max=" + PICTURE_BYTES,
                "media.upload-timeout=1s",
                "media.video-timeout=30s",
                "http.request-timeout=500ms",
                "http.idle-timeout=1s",
                "stream.heartbeat=400ms")) {
            assertThat(sentSlowly(strict, TestClips.wave(PICTURE_BYTES + 1000)))
                    .startsWith("HTTP/1.1 200")
                    .contains("\"type\":\"audio\"");
        }
    }

    @Test
    void aPreviewThatTakesLongHoldsUpNoPicture() throws IOException {
        Path script = Files.writeString(folder.resolve("script"), "#!/bin/sh\nsleep 61\n");
        Path unused = Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        try (ApiServer slow = new ApiServer(redis, "media.directory=" + folder, "media.ffmpeg=" + script)) {
            CompletableFuture<Response> first = CompletableFuture.supplyAsync(() -> sent(slow, TestClips.MP4));
            TestRedis.awaitUntil(
                    "the preview is being made", () -> sleeping().findAny().isPresent());

            Response picture = sent(slow, TestPictures.jpeg(40, 30));
            Response second = sent(slow, TestClips.MP4);

            assertThat(first).isNotDone();
            assertThat(picture.status()).isEqualTo(200);
            assertThat(second.status()).as(second.body()).isEqualTo(200);
            assertThat(second.json().at("/preview_url").isNull()).isTrue();
            TestRedis.awaitUntil("the preview is given up", () -> {
                sleeping().forEach(ProcessHandle::destroyForcibly);
                return first.isDone();
            });
            assertThat(first.join().status()).isEqualTo(200);
        }
    }

    private static Stream<ProcessHandle> sleeping() {
        return ProcessHandle.current()
                .descendants()
                .filter(each -> each.info().commandLine().orElse("").contains("sleep 61"));
    }

    private Response sent(ApiServer server, byte[] file) {
        return server.sendFile("POST", "/api/v2/media", ann.token(), "file", file);
    }

    /** It would hold a place for uploads as long as a video may take. */
    @Test
    void aVideoOfWhichNothingComesIsCutOffLikeAnythingElse() throws IOException {
        try (ApiServer strict = new ApiServer(
                        redis,
                        "media.directory=" + folder,
                        "media.bytes-max=" + PICTURE_BYTES,
                        "media.video-timeout=10m",
                        "http.request-timeout=500ms",
                        "http.idle-timeout=1s",
                        "stream.heartbeat=400ms");
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), strict.verticle.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(("POST /api/v2/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + ann.token()
                                    + "\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: "
                                    + 2 * PICTURE_BYTES + "\r\n\r\n--b\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().readAllBytes()).isEmpty();
        }
    }

    private String sentSlowly(ApiServer server, byte[] file) throws IOException {
        byte[] begin = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII);
        byte[] end = "\r\n--b--\r\n".getBytes(StandardCharsets.US_ASCII);
        String head = "POST /api/v2/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + ann.token()
                + "\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: "
                + (begin.length + file.length + end.length) + "\r\n\r\n";
        int drops = 30;
        StringBuilder answer = new StringBuilder();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.verticle.port())) {
            socket.setSoTimeout(100);
            OutputStream out = socket.getOutputStream();
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            out.write(begin);
            out.write(file, 0, file.length - drops);
            for (int i = drops; i > 0 && !isAnswered(socket, answer); i--) {
                out.write(file, file.length - i, 1);
            }
            out.write(end);
            for (int i = 0; i < 100 && !isAnswered(socket, answer); i++) {
                // Each look waits for a tenth of a second.
            }
        } catch (SocketException cutOff) {
            answer.append("cut off");
        }
        return answer.toString();
    }

    private static boolean isAnswered(Socket socket, StringBuilder answer) throws IOException {
        byte[] bytes = new byte[8192];
        try {
            int length = socket.getInputStream().read(bytes);
            answer.append(length < 0 ? "" : new String(bytes, 0, length, StandardCharsets.UTF_8));
            return length < 0 || answer.indexOf("}") > 0;
        } catch (SocketTimeoutException nothing) {
            return false;
        }
    }

    @Test
    void aProfileTakesPicturesOnly() {
        for (byte[] file : List.of(TestClips.MP4, TestClips.MP3)) {
            Response refused =
                    api.sendFile("PATCH", "/api/v1/accounts/update_credentials", ann.token(), "avatar", file);
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.text("/error")).contains("A picture is needed here, no video and no sound");
        }
        assertThat(api.sendFile(
                                "PATCH",
                                "/api/v1/accounts/update_credentials",
                                ann.token(),
                                "avatar",
                                TestClips.wave(PICTURE_BYTES))
                        .status())
                .isEqualTo(413);
        MediaFiles.await(folder, 0);
    }

    @Test
    void whereNoneAreTakenASentenceSaysSo() {
        try (ApiServer without = new ApiServer(redis, "media.directory=" + folder, "media.video-bytes-max=0")) {
            Response refused = without.sendFile("POST", "/api/v2/media", ann.token(), "file", TestClips.MP4);
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.text("/error")).contains("Video and sound cannot be uploaded on this server");
            JsonNode limits = without.get("/api/v2/instance", null).json().at("/configuration/media_attachments");
            assertThat(limits.path("video_size_limit").asInt()).isZero();
            assertThat(limits.path("supported_mime_types")).hasSize(4);
        }
        JsonNode limits = api.get("/api/v2/instance", null).json().at("/configuration/media_attachments");
        assertThat(limits.path("video_size_limit").asInt()).isEqualTo(CLIP_BYTES);
        assertThat(limits.path("image_size_limit").asInt()).isEqualTo(PICTURE_BYTES);
        assertThat(limits.path("supported_mime_types"))
                .extracting(JsonNode::asText)
                .contains("image/png", "video/mp4", "video/webm", "video/quicktime", "audio/mpeg", "audio/ogg");
        MediaFiles.await(folder, 0);
    }

    /** The line of a video as a process of the release before reads it, as long as both run: the line of a picture. */
    @Test
    void theLineOfAVideoHasThePartsOfThatOfAPicture() {
        String id = uploaded(TestClips.MP4);
        String key = Keys.uploads(Long.parseLong(ann.id()));

        String[] words = redis.askAt(key, "HGET", key, id).asString().split(" ", 10);

        assertThat(words).hasSize(10);
        assertThat(words[1]).endsWith(".mp4");
        assertThat(words[2] + "x" + words[3]).isEqualTo("64x48");
        assertThat(words[6]).endsWith("/v/2000/" + TestClips.MP4.length * 4 + "/10/1");
        assertThat(words[7] + words[8]).isEqualTo("0.00.0");
    }
}
