package io.fanfare.api;

import io.fanfare.common.id.Shards;
import io.fanfare.common.store.Uploads;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.media.DiskMediaStore;
import io.fanfare.media.FolderMediaStore;
import io.fanfare.media.MediaSweep;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

/** The files of uploads as readers get them, and as they lie in a folder. */
final class MediaFiles {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private MediaFiles() {}

    /** The answer to a request for one; fails as the client does. */
    static HttpResponse<byte[]> fetch(String method, String url, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url)).method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    /** The same, where an answer must come. */
    static HttpResponse<byte[]> fetched(String method, String url, String... headers) {
        try {
            return fetch(method, url, headers);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The files in a folder and in the folders in it. */
    static List<Path> in(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        } catch (UncheckedIOException deletedMeanwhile) {
            return in(folder);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits until there are so many, since a file that was received is deleted after the answer. */
    static void await(Path folder, int count) {
        TestRedis.awaitUntil("there are " + count + " files", () -> in(folder).size() == count);
    }

    /** The sweep of a folder as it runs by itself, at this time. */
    static void sweep(ApiServer api, TestRedis redis, Path folder, Instant now) {
        RedisLink link = TestRedis.await(RedisLink.open(api.vertx, redis.options()));
        TestRedis.await(new MediaSweep(
                        api.vertx,
                        new Shards(TestSettings.SHARDS),
                        new Uploads(link),
                        new FolderMediaStore(api.vertx, DiskMediaStore.in(folder, new SecureRandom())),
                        InstantSource.fixed(now))
                .run());
        TestRedis.await(link.close());
    }
}
