package io.fanfare.client;

import io.fanfare.client.http.Answer;
import io.fanfare.client.http.Arguments;
import io.fanfare.client.http.Call;
import io.fanfare.client.http.Json;
import io.fanfare.client.http.MultipartFile;
import io.fanfare.client.http.Pause;
import io.fanfare.client.http.Transport;
import io.fanfare.client.model.MediaAttachment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongConsumer;

/** Uploads of pictures, video and sound. */
public final class Media {
    /** The limit of an attempt; the server itself ends an upload that is too slow. */
    private static final Duration UPLOAD_MAX = Duration.ofMinutes(10);

    private static final Duration LOOK_EVERY = Duration.ofMillis(500);
    private static final int LOOKS_MAX = 240;

    private final Api api;
    private final Pause pause;

    Media(Api api, Pause pause) {
        this.api = api;
        this.pause = pause;
    }

    /** Uploads a file; see {@link #upload(Path, String, LongConsumer)}. */
    public MediaAttachment upload(Path file, String description) {
        return upload(file, description, bytes -> {});
    }

    /**
     * Uploads a file and waits, two minutes at most, until the server has prepared it. Its id is for
     * {@link NewStatus#media}.
     *
     * @param description for people who do not see it; may be empty
     * @param progress receives the number of bytes sent so far, on another thread; an attempt that is repeated, such as
     *     after a 429, begins again
     */
    public MediaAttachment upload(Path file, String description, LongConsumer progress) {
        Arguments.check(
                file != null && Files.isRegularFile(file) && Files.isReadable(file),
                file + " is no file that can be read");
        MultipartFile form = MultipartFile.of(
                file,
                Arguments.present(description, "the description"),
                Arguments.present(progress, "the progress"),
                api.transport().newKey());
        Call call = Call.of("POST", "/api/v2/media", false).body(form.contentType(), form::publisher, UPLOAD_MAX);
        return ready(api.transport().send(call));
    }

    public MediaAttachment get(String id) {
        return api.get("/api/v1/media/" + Arguments.id(id), MediaAttachment.class);
    }

    public MediaAttachment describe(String id, String description) {
        Fields fields = Fields.NONE.with("description", description);
        return api.put("/api/v1/media/" + Arguments.id(id), fields, MediaAttachment.class);
    }

    /** Deletes an upload that no status uses. */
    public void delete(String id) {
        api.delete("/api/v1/media/" + Arguments.id(id));
    }

    /** A large picture is prepared after its upload: 202, then 206 until it is ready. */
    private MediaAttachment ready(Answer uploaded) {
        Transport transport = api.transport();
        Answer answer = uploaded;
        MediaAttachment media = Json.read(answer.body(), MediaAttachment.class);
        String path = "/api/v1/media/" + media.id();
        for (int look = 0; answer.status() != 200 && look < LOOKS_MAX; look++) {
            try {
                pause.of(LOOK_EVERY);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return media;
            }
            answer = transport.send(Call.get(path));
            media = Json.read(answer.body(), MediaAttachment.class);
        }
        return media;
    }
}
